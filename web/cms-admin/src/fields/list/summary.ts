import type { Field } from '@stoa/cms-model/fields/field.ts'
import { type Members, memberOf } from '@stoa/cms-model/fields/members.ts'
import { isTextType, typeOf } from '@stoa/cms-model/fields/types/index.ts'
import { formatCount } from '@stoa/ui/text/format.ts'

/** More does not fit on the line of a row. */
const MAX_LENGTH = 120

/** A row in a few words: its first text, else whatever else says something about it. Empty when nothing does. */
export const summaryOf = (fields: readonly Field[], row: Members): string => {
  const texts = fields.filter(({ type }) => isTextType(type))
  const rest = fields.filter(({ type }) => !isTextType(type) && type !== 'list')
  const said = firstText([...texts, ...rest], row)
  return said === '' ? countsIn(fields, row) : said
}

const firstText = (fields: readonly Field[], row: Members): string => {
  for (const field of fields) {
    const text = typeOf(field).text(memberOf(row, field.key), field).replace(/\s+/g, ' ').trim()
    if (text !== '') return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH).trimEnd()}…` : text
  }
  return ''
}

/** "2 links, 1 price": what its lists hold. */
const countsIn = (fields: readonly Field[], row: Members): string =>
  fields
    .flatMap((field) => {
      const value = field.type === 'list' ? memberOf(row, field.key) : undefined
      if (!Array.isArray(value) || value.length === 0) return []
      return [`${field.label}: ${formatCount(value.length, 'item', 'items')}`]
    })
    .join(', ')
