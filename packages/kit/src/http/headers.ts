/** Where a browser may call a surface from. Exact origins, never credentials. */
export type Cors = {
  /** A set, or whatever knows the origins at the moment of the call; `*`: from anywhere, for what is public anyway. */
  origins: { has(origin: string): boolean } | '*'
  methods: string
  allowHeaders: string
  /** What a page may read of the answer, beside the few that it always may. */
  exposeHeaders?: string
}

/** One kind of answer (JSON API, pages, user files …) and the headers that all of its answers carry. */
export type Surface = { headers: Readonly<Record<string, string>>; cors?: Cors }

const YEARS_2 = 63_072_000

/** What every answer of a service carries (facts: OWASP ASVS 3.4). HSTS only where the public address is https. */
export const baseHeaders = (publicUrl: string): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${YEARS_2}; includeSubDomains` } : {}),
})

/** JSON is never rendered, framed or kept. */
export const apiSurface = (publicUrl: string, extra: Record<string, string> = {}): Surface => ({
  headers: {
    ...baseHeaders(publicUrl),
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    ...extra,
  },
})

/**
 * What other sites load and call: scripts, styles and answers that hold nothing of the person who looks. Pages in a
 * sandbox have no origin, so that even files of their own come from elsewhere to them.
 */
export const extSurface = (publicUrl: string, cors: Cors, extra: Record<string, string> = {}): Surface => ({
  headers: {
    ...apiSurface(publicUrl).headers,
    'cross-origin-resource-policy': 'cross-origin',
    ...extra,
  },
  cors,
})

/** The policy of a web UI served from its own origin. `nonce` is for the style elements that libraries insert. */
export const pagePolicy = (nonce: string, more: { frameSrc?: string; imgSrc?: string } = {}): string =>
  [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src ${more.imgSrc ?? "'self' data: blob: https:"}`,
    "media-src 'self' blob:",
    "connect-src 'self'",
    `frame-src ${more.frameSrc ?? "'self'"}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
