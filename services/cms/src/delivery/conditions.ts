import type { Condition, Filter, FilterOp } from '@stoa/cms-model/delivery/filter.ts'
import { toMoment } from '@stoa/cms-model/fields/calendar.ts'
import type { Scalar } from '@stoa/cms-model/fields/define.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import { typeOf } from '@stoa/cms-model/fields/index.ts'
import { cleanValue, fits } from '@stoa/cms-model/fields/members.ts'
import { escapeLiteral } from 'pg'
import { fieldExpression, INDEXED_TEXT_LENGTH } from '../types/indexes.ts'
import type { DeliveredType } from './site.ts'
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
export const filterSql = ({ all, any }: Filter, values: Values, view: View, type: Doubted): string | null => {
  const parts = all.map((condition) => conditionSql(condition, values, view, type))
  if (any.length > 0) {
    const alternatives = any.map((group) =>
      group.map((condition) => conditionSql(condition, values, view, type)).join(' and '),
    )
    parts.push(`((${alternatives.join(') or (')}))`)
  }
  return parts.length === 0 ? null : parts.join(' and ')
}

const conditionSql = ({ operand, op, values: given }: Condition, values: Values, view: View, type: Doubted): string => {
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
      return fieldSql(operand, op, given, values, type)
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
const fieldSql = (
  { field, scalar }: FieldOperand,
  op: FilterOp,
  given: Given,
  values: Values,
  type: Doubted,
): string => {
  const short = shownSql(field, scalar, type)
  if (scalar === 'boolean') return booleanSql(short, op, given[0] === true)
  const isExact = op === 'eq' || op === 'in' || op === 'ne' || op === 'nin'
  const right = isExact ? storable(field, given) : given
  if (isExact && right.length === 0) return op === 'eq' || op === 'in' ? 'false' : 'true'
  return scalar === 'text'
    ? textSql(
        { short, whole: guarded(field, wholeText(field.key), type), empty: typeOf(field).empty(field) },
        op,
        right,
        values,
      )
    : compare(short, op, { given: right, values, as: castOf[scalar] })
}

/** A type with what is known of values that are not right any more. */
type Doubted = Pick<DeliveredType, 'misfits'>

/** The value of a field as it is shown, as SQL over `entry`: null where it is empty. */
export const shownSql = (field: Field, scalar: Scalar, type: Doubted): string =>
  guarded(field, fieldExpression(scalar, field.key), type)

/** Whether some stored values of the field may be shown as empty: its index does not tell which. */
export const isDoubted = ({ key }: Field, { misfits }: Doubted): boolean => misfits === null || misfits.includes(key)

const guarded = (field: Field, value: string, type: Doubted): string => {
  if (field.type === 'boolean' || !isDoubted(field, type)) return value
  const misfit = `exists (select from entry_search s where s.entry_id = id and ${escapeLiteral(field.key)} = any(s.misfits))`
  return `(case when ${[`not ${misfit}`, ...rightSql(field)].join(' and ')} then ${value} end)`
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

/** What can be asked of a stored value at once; the rest is known when all entries were looked through. */
const rightSql = (field: Field): string[] => {
  const within = (left: string, { min, max }: { min?: unknown; max?: unknown }): string[] => [
    ...(min === undefined ? [] : [`${left} >= ${escapeLiteral(String(min))}`]),
    ...(max === undefined ? [] : [`${left} <= ${escapeLiteral(String(max))}`]),
  ]
  const number = fieldExpression('number', field.key)
  const text = fieldExpression('date', field.key)
  switch (field.type) {
    case 'select':
      return [`${text} in (${field.options.map(({ value }) => escapeLiteral(value)).join(', ')})`]
    case 'color':
      return [`${text} ~ '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$'`]
    case 'number':
      return [...within(number, field), ...(field.integer ? [`${number} = trunc(${number})`] : [])]
    case 'date':
      return [`${text} ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'`, ...within(text, field)]
    case 'datetime':
      return [`${text} ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T.+Z$'`, ...within(text, asStored(field))]
    default:
      return []
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
  { short, whole, empty = '' }: { short: string; whole: string; empty?: unknown },
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
      // Empty text comes before every other; a choice that nobody made comes nowhere.
      return `(${compare(short, op, { given: texts, values, as: 'text' })}${empty === '' ? ` or ${short} is null` : ''})`
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
