/** The path to open after signing in. */
export type Back = { back?: string | undefined }

// `//evil.example` and `/\evil.example` are other hosts
const isLocalPath = (value: unknown): value is string => typeof value === 'string' && /^\/(?![/\\])/.test(value)

/** The way back in an address. Named also when it is refused: what is left out stays as it was. */
export const readBack = (search: Record<string, unknown>): Back => ({
  back: isLocalPath(search.back) ? search.back : undefined,
})

/** The way back to where somebody is. */
export const backTo = (href: string): Back => (href === '/' || !isLocalPath(href) ? {} : { back: href })

/** A link can hold anything as the way back: only a screen below `home` is gone to, otherwise `home` itself. */
export const returnUrl = (back: string | undefined, home: { below: string; path: string }, origin: string): URL => {
  const start = new URL(home.path, origin)
  const url = back !== undefined && URL.canParse(back, origin) ? new URL(back, origin) : start
  return url.origin === start.origin && url.pathname.startsWith(home.below) ? url : start
}
