import type { Field, FieldOf } from '@stoa/cms-model/fields/field.ts'
import { memberOf } from '@stoa/cms-model/fields/members.ts'
import type { HeldSlugs } from '../slug-references.ts'
import { textOf } from '../text-of.ts'
import { rowsOf } from './rows.ts'

/** A list holds several slugs if its items are one text each. */
export const slugsInRows = ({ fields, maxItems }: FieldOf<'list'>, value: unknown): HeldSlugs | null => {
  const key = onlyText(fields)
  if (key === null) return null
  return {
    slugs: rowsOf(value).map((row) => textOf(memberOf(row, key))),
    isList: true,
    max: maxItems ?? Number.POSITIVE_INFINITY,
    hold: (slugs) => slugs.map((slug) => ({ [key]: slug })),
  }
}

const onlyText = (fields: readonly Field[]): string | null => {
  const [first, ...more] = fields
  return first?.type === 'text' && more.length === 0 ? first.key : null
}
