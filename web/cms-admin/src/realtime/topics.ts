/** A socket has 50 topics at most; the rest is for what is on the screen. */
const MOST_TYPES = 40

/** The topics of all screens: the site and the types, the one on the screen in any case. */
export const frameTopics = (path: string, types: readonly string[]): readonly string[] => {
  const shown = /^\/content\/([^/]+)/.exec(path)?.[1]
  const first = shown !== undefined && types.includes(shown) ? [shown] : []
  const names = new Set([...first, ...types])
  return ['site', ...[...names].slice(0, MOST_TYPES).map((name) => `content:${name}`)]
}
