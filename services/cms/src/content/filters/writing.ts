import type { Field } from '@stoa/cms-model/fields/field.ts'
import { typeOf } from '@stoa/cms-model/fields/types/index.ts'
import { markTags } from '@stoa/cms-model/html/policy.ts'
import { escapeLiteral } from 'pg'
import { guarded, patternSql, wholeText } from './fields.ts'
import type { Question } from './question.ts'
import type { Scope, Values } from './scope.ts'

/** Long text. Of rich text only what people read is looked at. */
export const writingSql = (field: Field, { op, values: [first] }: Question, values: Values, scope: Scope): string => {
  const stored = guarded(field, wholeText(field.key), scope)
  const isRich = typeOf(field).writing === 'richtext'
  if (op === 'exists') {
    const isThere = isRich
      ? `${textOfHtmlSql(stored)} <> '' or ${stored} ~ '<(img|iframe|hr)\\y'`
      : `btrim(${stored}, E' \\n\\t') <> ''`
    return `coalesce(${isThere}, false) = ${first === true}`
  }
  const text = String(first)
  if (text === '') return 'true'
  const asked = { op: op === 'starts' ? op : 'contains', text } as const
  if (!isRich) return patternSql(stored, asked, values)
  return patternSql(textOfHtmlSql(stored), { ...asked, text: text.replace(/\s+/g, ' ') }, values)
}

const MARKS = [...markTags].map((tag) => escapeLiteral(tag)).join(', ')

/**
 * The same as `textOfHtml` of the model: tags are cut out, and leave a space unless they only mark a part of a line.
 * Without regular expressions, which take ten times as long.
 */
const textOfHtmlSql = (html: string): string => {
  const name = `ltrim(split_part(split_part(piece, '>', 1), ' ', 1), '/')`
  const text = `case when place = 1 then piece when strpos(piece, '>') = 0 then '<' || piece
    else case when ${name} in (${MARKS}) then '' else ' ' end || substr(piece, strpos(piece, '>') + 1) end`
  const joined = `(select string_agg(${text}, '' order by place)
    from unnest(string_to_array(${html}, '<')) with ordinality as cut (piece, place))`
  const decoded = [
    ['lt', '<'],
    ['gt', '>'],
    ['quot', '"'],
    ['nbsp', ' '],
    ['amp', '&'],
  ].reduce((inner, [entity, character]) => `replace(${inner}, '&${entity};', '${character}')`, joined)
  const spaced = `translate(${decoded}, E'\\n\\t\\r\\u00a0', '    ')`
  // Runs of spaces become one: each is marked, and marks are cut out with the space behind them.
  return `btrim(replace(replace(replace(${spaced}, ' ', ' ' || chr(1)), chr(1) || ' ', ''), chr(1), ''))`
}
