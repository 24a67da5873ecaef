import type { HeldSlugs } from '../slug-references.ts'
import { textOf } from '../text-of.ts'

/** A text holds one slug. */
export const slugInText = (_field: unknown, value: unknown): HeldSlugs => {
  const slug = textOf(value).trim()
  return { slugs: slug === '' ? [] : [slug], isList: false, max: 1, toValue: ([first]) => first ?? '' }
}
