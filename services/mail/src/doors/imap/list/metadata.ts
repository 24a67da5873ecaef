import type { MetadataEntry } from '../../../store/store.ts'

/** The entries that were asked for, and those below them down to a depth (RFC 5464 §4.2.2). */
export const pickEntries = (
  all: readonly MetadataEntry[],
  names: readonly string[],
  depth: number,
): { name: string; value: Buffer | null }[] => {
  const picked = new Map<string, Buffer | null>(names.map((name) => [name, null]))
  for (const { name, value } of all) if (names.some((asked) => isBelow(name, asked, depth))) picked.set(name, value)
  const isFound = (name: string) => depth === 0 || picked.get(name) !== null
  return [...picked].filter(([name]) => isFound(name)).map(([name, value]) => ({ name, value }))
}

const isBelow = (name: string, asked: string, depth: number): boolean => {
  if (name === asked) return true
  if (!name.startsWith(`${asked}/`)) return false
  return name.slice(asked.length + 1).split('/').length <= depth
}
