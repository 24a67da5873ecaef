/** Where a browser may call a surface from. Exact origins, never credentials. */
export type Cors = {
  origins: ReadonlySet<string>
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
