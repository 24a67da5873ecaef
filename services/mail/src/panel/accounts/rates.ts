/** Per IP address, whatever RATE_LIMIT_PER_SECOND says: each attempt costs a password hash or a mail. */
export const SIGN_IN_RATE = { limit: 5, windowSeconds: 1 }
