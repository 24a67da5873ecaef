import type { Condition, Filter, FilterOp } from '@stoa/cms-model/delivery/filter.ts'
import { escapeLiteral } from 'pg'
import { fieldExpression, INDEXED_TEXT_LENGTH } from '../types/indexes.ts'
import type { View } from './view.ts'

/** Values of a statement; each is given a place in it and never becomes part of its text. */
export type Values = { readonly list: unknown[]; add(value: unknown): string }

export const newValues = (): Values => {
  const list: unknown[] = []
  return {
    list,
    add(value) {
      list.push(value)
      return `$${list.length}`
    },
  }
}

export const memberColumns = {
  title: 'title',
  slug: 'slug',
  publishedAt: 'published_at',
  createdAt: 'created_at',
  updatedAt: 'live_updated_at',
} as const

/** The filter as SQL over `entry`; null when it asks for nothing. Names in it come from the type, not from the query. */
export const filterSql = ({ all, any }: Filter, values: Values, view: View): string | null => {
  const parts = all.map((condition) => conditionSql(condition, values, view))
  if (any.length > 0) {
    const alternatives = any.map((group) =>
      group.map((condition) => conditionSql(condition, values, view)).join(' and '),
    )
    parts.push(`((${alternatives.join(') or (')}))`)
  }
  return parts.length === 0 ? null : parts.join(' and ')
}

const conditionSql = ({ operand, op, values: given }: Condition, values: Values, view: View): string => {
  switch (operand.kind) {
    case 'id':
      return compare('id', op, { given, values, as: 'uuid' })
    case 'member': {
      const column = memberColumns[operand.name]
      return operand.scalar === 'text'
        ? textSql({ short: column, whole: column }, op, given, values)
        : compare(column, op, { given, values, as: 'timestamptz' })
    }
    case 'choices':
      return choicesSql(`(data -> ${escapeLiteral(operand.field.key)})`, op, given, values)
    case 'reference':
      return view.reads(operand.field.to) ? referenceSql(operand.field.key, given, values) : 'false'
    case 'field': {
      const { scalar, field } = operand
      const short = fieldExpression(scalar, field.key)
      if (scalar === 'text') return textSql({ short, whole: wholeText(field.key) }, op, given, values)
      return compare(short, op, { given, values, as: castOf[scalar] })
    }
  }
}

const castOf = { number: 'numeric', boolean: 'boolean', date: 'text', datetime: 'text' } as const

type Given = Condition['values']

const operators = { eq: '=', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const

const compare = (
  left: string,
  op: FilterOp,
  { given, values, as }: { given: Given; values: Values; as: string },
): string => {
  const [first] = given
  switch (op) {
    case 'exists':
      return `${left} is ${first === true ? 'not ' : ''}null`
    case 'ne':
      return `${left} is distinct from ${values.add(first)}::${as}`
    case 'in':
      return `${left} = any(${values.add(given)}::${as}[])`
    case 'nin':
      return `coalesce(${left} <> all(${values.add(given)}::${as}[]), true)`
    case 'contains':
    case 'starts':
      throw new Error(`${op} is for text only`)
    default:
      return `${left} ${operators[op]} ${values.add(first)}::${as}`
  }
}

const wholeText = (key: string): string => {
  const name = escapeLiteral(key)
  return `(case jsonb_typeof(data -> ${name}) when 'string' then data ->> ${name} end)`
}

/** Indexes hold the beginning of a text: what must be equal is looked up by it, and then compared as a whole. */
const textSql = (
  { short, whole }: { short: string; whole: string },
  op: FilterOp,
  given: Given,
  values: Values,
): string => {
  const texts = given.map(String)
  const [first = ''] = texts
  switch (op) {
    case 'eq':
    case 'in':
      return `(${short} = any(${values.add(texts.map(beginningOf))}::text[]) and ${whole} = any(${values.add(texts)}::text[]))`
    case 'exists':
      return given[0] === true ? `${short} <> ''` : `coalesce(${short} = '', true)`
    case 'contains':
      return `${whole} ilike ${values.add(`%${escapePattern(first)}%`)}::text`
    case 'starts':
      return `${whole} ilike ${values.add(`${escapePattern(first)}%`)}::text`
    case 'ne':
    case 'nin':
      return compare(whole, op, { given: texts, values, as: 'text' })
    default:
      return compare(short, op, { given: texts, values, as: 'text' })
  }
}

/** PostgreSQL counts characters, JavaScript halves of them. */
const beginningOf = (text: string): string =>
  text.length <= INDEXED_TEXT_LENGTH ? text : [...text].slice(0, INDEXED_TEXT_LENGTH).join('')

const escapePattern = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

const choicesSql = (left: string, op: FilterOp, given: Given, values: Values): string => {
  if (op === 'exists') return `coalesce(${left} <> '[]'::jsonb, false) = ${values.add(given[0])}::boolean`
  const hasAny = `coalesce(${left} ?| ${values.add(given.map(String))}::text[], false)`
  return op === 'nin' ? `not ${hasAny}` : hasAny
}

/** Found by the links of live entries. A target that cannot be shown cannot be asked for either. */
const referenceSql = (key: string, given: Given, values: Values): string => {
  const ids = values.add(given.map(String))
  return `(id in (select l.entry_id from entry_link l join entry t on t.id = l.target_id
    where l.target_id = any(${ids}::uuid[]) and l.kind = 'entry' and l.is_live
    and t.status = 'published' and t.deleted_at is null)
    and (data -> ${escapeLiteral(key)}) ?| array(select t.id::text from entry t where t.id = any(${ids}::uuid[])
      and t.status = 'published' and t.deleted_at is null))`
}
