export const SESSION_COOKIE = 'cms_session'

/** How a credential's text begins says what it is; the kinds are never interchangeable. */
export const prefixes = { session: 'cmsses_', agent: 'cmsagt_', delivery: 'cms_' } as const
export type TokenKind = keyof typeof prefixes

export const kindOfToken = (token: string): TokenKind | null => {
  if (token.startsWith(prefixes.session)) return 'session'
  if (token.startsWith(prefixes.agent)) return 'agent'
  return token.startsWith(prefixes.delivery) ? 'delivery' : null
}

export const DAY_MS = 86_400_000

/** A session ends this long after it was last used … */
const SLIDING_MS = 7 * DAY_MS
/** … and this long after its sign-in, however much it is used. */
export const ABSOLUTE_MS = 30 * DAY_MS
/** Use is written down once a minute at most, so that reading stays reading. */
export const TOUCH_INTERVAL_MS = 60_000

/** When a session signed in at `createdAt` and used at `seenAt` ends. */
export const expiryOf = (createdAt: Date, seenAt: Date): Date =>
  new Date(Math.min(seenAt.getTime() + SLIDING_MS, createdAt.getTime() + ABSOLUTE_MS))
