import type { Condition, Filter, FilterOp } from '@stoa/cms-model/delivery/filter.ts'
import { toMoment } from '@stoa/cms-model/fields/calendar.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import { cleanValue, fits } from '@stoa/cms-model/fields/members.ts'
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
      return choicesSql(operand.field, op, given, values)
    case 'reference':
      return view.reads(operand.field.to) ? referenceSql(operand.field, given, values) : 'false'
    case 'field':
      return fieldSql(operand, op, given, values)
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

type FieldOperand = Condition['operand'] & { kind: 'field' }

/** A field is compared as it is shown: what is not right for it any more counts as empty, like what nobody filled in. */
const fieldSql = ({ field, scalar }: FieldOperand, op: FilterOp, given: Given, values: Values): string => {
  const short = fieldExpression(scalar, field.key)
  if (scalar === 'boolean') return booleanSql(short, op, given[0] === true)
  const isExact = op === 'eq' || op === 'in' || op === 'ne' || op === 'nin'
  const right = isExact ? storable(field, given) : given
  if (isExact && right.length === 0) return op === 'eq' || op === 'in' ? 'false' : 'true'
  const guard = isExact ? null : rightSql(field, short, values)
  if (op === 'exists' && guard !== null) return `coalesce(${guard}, false) = ${values.add(given[0])}::boolean`
  const condition =
    scalar === 'text'
      ? textSql({ short, whole: wholeText(field.key) }, op, right, values)
      : compare(short, op, { given: right, values, as: castOf[scalar] })
  return guard === null ? condition : `(${condition} and ${guard})`
}

/** Those that an entry can be shown with, as they are stored: a colour in small letters, for example. */
const storable = (field: Field, given: Given): Given =>
  given
    .map((value) => cleanValue(field, value, { embedHosts: [] }))
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .filter((value) => fits(field, value))

/** There are two values only, and what is not true is false. */
const booleanSql = (left: string, op: FilterOp, given: boolean): string => {
  if (op === 'exists') return String(given)
  return `${left} = ${(op === 'eq') === given}`
}

/** Whether the stored value is right for the field as it is now; null where its kind is all that can be asked for here. */
const rightSql = (field: Field, left: string, values: Values): string | null => {
  const within = ({ min, max }: { min?: unknown; max?: unknown }, as: string): string[] => [
    ...(min === undefined ? [] : [`${left} >= ${values.add(min)}::${as}`]),
    ...(max === undefined ? [] : [`${left} <= ${values.add(max)}::${as}`]),
  ]
  switch (field.type) {
    case 'select':
      return `${left} = any(${values.add(field.options.map(({ value }) => value))}::text[])`
    case 'color':
      return `${left} ~ '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$'`
    case 'number': {
      const tests = [...within(field, 'numeric'), ...(field.integer ? [`${left} = trunc(${left})`] : [])]
      return tests.length === 0 ? null : tests.join(' and ')
    }
    case 'date':
      return [`${left} ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'`, ...within(field, 'text')].join(' and ')
    case 'datetime':
      return [`${left} ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T.+Z$'`, ...within(asStored(field), 'text')].join(' and ')
    default:
      return null
  }
}

/** Moments compare as text only in the one form in which they are stored. */
const asStored = ({ min, max }: Field & { type: 'datetime' }): { min?: unknown; max?: unknown } => ({
  ...(min !== undefined && { min: toMoment(min) ?? min }),
  ...(max !== undefined && { max: toMoment(max) ?? max }),
})

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
  const isEmpty = `coalesce(${short} = '', true)`
  const named = texts.filter((text) => text !== '')
  switch (op) {
    case 'eq':
    case 'in': {
      const tests = texts.includes('') ? [isEmpty] : []
      if (named.length > 0)
        tests.push(
          `(${short} = any(${values.add(named.map(beginningOf))}::text[]) and ${whole} = any(${values.add(named)}::text[]))`,
        )
      return tests.length === 1 ? tests.join() : `(${tests.join(' or ')})`
    }
    case 'ne':
    case 'nin': {
      const tests = texts.includes('') ? [`${short} <> ''`] : []
      if (named.length > 0) tests.push(compare(whole, 'nin', { given: named, values, as: 'text' }))
      return tests.join(' and ')
    }
    case 'exists':
      return given[0] === true ? `${short} <> ''` : isEmpty
    case 'contains':
    case 'starts':
      if (first === '') return 'true'
      return `${whole} ilike ${values.add(`${op === 'contains' ? '%' : ''}${escapePattern(first)}%`)}::text`
    case 'lt':
    case 'lte':
      return `(${compare(short, op, { given: texts, values, as: 'text' })} or ${short} is null)`
    default:
      return compare(short, op, { given: texts, values, as: 'text' })
  }
}

/** PostgreSQL counts characters, JavaScript halves of them. */
const beginningOf = (text: string): string =>
  text.length <= INDEXED_TEXT_LENGTH ? text : [...text].slice(0, INDEXED_TEXT_LENGTH).join('')

const escapePattern = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

const choicesSql = (field: Field & { type: 'multiselect' }, op: FilterOp, given: Given, values: Values): string => {
  const options = field.options.map(({ value }) => value)
  const asked = op === 'exists' ? options : given.map(String).filter((value) => options.includes(value))
  const hasAny = `coalesce((data -> ${escapeLiteral(field.key)}) ?| ${values.add(asked)}::text[], false)`
  if (op === 'exists') return `${hasAny} = ${values.add(given[0])}::boolean`
  return op === 'nin' ? `not ${hasAny}` : hasAny
}

/** Found by the links of live entries. A target that cannot be shown cannot be asked for either. */
const referenceSql = ({ key, to }: Field & { type: 'reference' }, given: Given, values: Values): string => {
  const ids = values.add(given.map(String))
  const isShown = `t.type = ${values.add(to)} and t.status = 'published' and t.deleted_at is null`
  return `(id in (select l.entry_id from entry_link l join entry t on t.id = l.target_id
    where l.target_id = any(${ids}::uuid[]) and l.kind = 'entry' and l.is_live and ${isShown})
    and (data -> ${escapeLiteral(key)}) ?| array(select t.id::text from entry t
      where t.id = any(${ids}::uuid[]) and ${isShown}))`
}
