import type { HeldSlugs } from '../slug-references.ts'

/** JSON holds several slugs if it is an array of texts. */
export const slugsInJson = (_field: unknown, value: unknown): HeldSlugs | null => {
  const slugs = value ?? []
  if (!Array.isArray(slugs) || !slugs.every((slug) => typeof slug === 'string')) return null
  return { slugs, isList: true, max: Number.POSITIVE_INFINITY, hold: (next) => (next.length === 0 ? null : next) }
}
