/** Every address of the CMS but those of the admin UI, whose base the host chooses. */
const FIXED = [
  '/api',
  '/content',
  '/site',
  '/preview',
  '/realtime',
  '/media',
  '/ext',
  '/social/oauth/callback',
  '/ai/oauth/callback',
  '/openapi.json',
  '/reference',
  '/healthz',
  '/readyz',
]

/** The path of a request target, without query. */
export const pathOf = (target: string): string => {
  const end = target.search(/[?#]/)
  return end < 0 ? target : target.slice(0, end)
}

/** Whether a path belongs to the CMS. */
export const pathOwner = (adminBase: string): ((path: string) => boolean) => {
  const roots = [...FIXED, adminBase]
  const exact = new Set(roots)
  const below = roots.map((root) => `${root}/`)
  return (path) => exact.has(path) || below.some((prefix) => path.startsWith(prefix))
}

/** What is wrong with a base for the admin UI, and what to do; null if nothing is. */
export const adminBaseProblem = (base: string): string | null => {
  if (!/^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/.test(base) || base.length > 200)
    return 'must be a path like "/admin": a slash, then letters, digits, - and _, and no slash at the end'
  const taken = FIXED.find((path) => base === path || base.startsWith(`${path}/`) || path.startsWith(`${base}/`))
  return taken === undefined ? null : `overlaps ${taken}, which the CMS uses itself; choose another path`
}
