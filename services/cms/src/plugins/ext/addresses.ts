/** What a path under /ext is made of, decoded; null when it is none that anything could have. */
export const segmentsOf = (path: string): string[] | null => {
  if (!path.startsWith('/ext/')) return null
  const segments = path.slice('/ext/'.length).split('/').map(decode)
  return segments.every((segment) => segment !== null) ? segments : null
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this looks for
const UNSAFE = /[/\\\u0000-\u001f\u007f]/

/** A slash that came encoded would be another path once the segments are joined again. */
const decode = (segment: string): string | null => {
  try {
    const text = decodeURIComponent(segment)
    return text === '' || text === '.' || text === '..' || UNSAFE.test(text) ? null : text
  } catch {
    return null
  }
}

/** One shape of path, such as `/plans/:`, and what is declared for it. */
export type Shape<T> = { readonly segments: readonly Segment[]; readonly items: readonly T[] }
type Segment = { readonly text: string } | { readonly text: null }

/** Puts declared paths in the order in which they are tried: where two fit, the one that says more at its first difference. */
export const shapesOf = <T extends { path: string }>(items: readonly T[]): Shape<T>[] =>
  [...Map.groupBy(items, ({ path }) => path.replaceAll(/:[^/]+/g, ':'))]
    .map(([shape, sharing]) => ({
      segments: shape
        .split('/')
        .slice(1)
        .map((text) => ({ text: text === ':' ? null : text })),
      items: sharing,
    }))
    .toSorted((a, b) => rankOf(a).localeCompare(rankOf(b)))

const rankOf = ({ segments }: Pick<Shape<unknown>, 'segments'>): string =>
  segments.map(({ text }) => (text === null ? '1' : '0')).join('')

export const findShape = <T>(shapes: readonly Shape<T>[], path: readonly string[]): Shape<T> | undefined =>
  shapes.find(
    ({ segments }) =>
      segments.length === path.length && segments.every(({ text }, index) => text === null || text === path[index]),
  )

/** `/plans/:id` and `['plans', 'a']`: `{ id: 'a' }`. */
export const paramsOf = (declared: string, path: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    declared
      .split('/')
      .slice(1)
      .flatMap((segment, index) => (segment.startsWith(':') ? [[segment.slice(1), path[index] ?? '']] : [])),
  )
