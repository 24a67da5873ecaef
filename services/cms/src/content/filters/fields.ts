import type { Leaf } from '@stoa/cms-model/delivery/operands.ts'
import type { Scalar } from '@stoa/cms-model/fields/define.ts'
import { type Field, scalarOf } from '@stoa/cms-model/fields/field.ts'
import { cleanValue, fits } from '@stoa/cms-model/fields/members.ts'
import { typeOf } from '@stoa/cms-model/fields/types/index.ts'
import { escapeLiteral } from 'pg'
import { fieldExpression, INDEXED_TEXT_LENGTH } from '../types/types.ts'
import type { Question } from './question.ts'
import { mayMisfit, misfitSql, type Scope, type Values } from './scope.ts'

type Given = Question['values']

const operators = { eq: '=', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const

/** Values that have no other than themselves: ids, numbers, days and moments. */
export const compare = (left: string, { op, values: given }: Question, values: Values, as: string): string => {
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
      throw new Error(`${op} only works with text`)
    default:
      return `${left} ${operators[op]} ${values.add(first)}::${as}`
  }
}

const castOf = { number: 'numeric', boolean: 'boolean', date: 'text', datetime: 'text' } as const

/** A field is compared as it is shown: what is not right for it any more counts as empty, like what nobody filled in. */
export const fieldSql = (
  { field, scalar }: Extract<Leaf, { kind: 'field' }>,
  { op, values: given }: Question,
  values: Values,
  scope: Scope,
): string => {
  const short = shownSql(field, scalar, scope)
  if (scalar === 'boolean') return booleanSql(short, { op, values: given })
  const isExact = op === 'eq' || op === 'in' || op === 'ne' || op === 'nin'
  const right = isExact ? storable(field, given) : given
  if (isExact && right.length === 0) return op === 'eq' || op === 'in' ? 'false' : 'true'
  return scalar === 'text'
    ? textSql(
        { short, whole: guarded(field, wholeText(field.key), scope), empty: typeOf(field).empty(field) },
        { op, values: right },
        values,
      )
    : compare(short, { op, values: right }, values, castOf[scalar])
}

/** The value of a field as it is shown, as SQL: null where it is empty. */
export const shownSql = (field: Field, scalar: Scalar, scope: Scope): string =>
  guarded(field, fieldExpression(scalar, field.key), scope)

/** The value, unless it is shown as empty. */
export const guarded = (field: Field, value: string, scope: Scope): string => {
  if (scalarOf(field) === 'boolean' || !mayMisfit(field.key, scope)) return value
  return `(case when ${[`not ${misfitSql(field.key, scope)}`, ...rightSql(field)].join(' and ')} then ${value} end)`
}

/** The given values that a field can hold, as stored: a color in lower case, for example. */
const storable = (field: Field, given: Given): Given =>
  given
    .map((value) => cleanValue(field, value, { embedHosts: [] }))
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .filter((value) => fits(field, value))

/** There are two values only, and what is not true is false. */
const booleanSql = (left: string, { op, values: [first] }: Question): string => {
  if (op === 'exists') return String(first === true)
  return `${left} = ${(op === 'eq') === (first === true)}`
}

/** The checks that SQL can make of a stored value; the others are found by the scan of all entries. */
const rightSql = (field: Field): string[] => {
  const { pattern, oneOf, min, max, isInteger } = typeOf(field).storedRule?.(field) ?? {}
  // The date expression serves any text: both compare letter by letter.
  const value = fieldExpression(scalarOf(field) === 'number' ? 'number' : 'date', field.key)
  return [
    ...(oneOf === undefined ? [] : [`${value} in (${oneOf.map(escapeLiteral).join(', ')})`]),
    ...(pattern === undefined ? [] : [`${value} ~ ${escapeLiteral(pattern)}`]),
    ...(min === undefined ? [] : [`${value} >= ${escapeLiteral(String(min))}`]),
    ...(max === undefined ? [] : [`${value} <= ${escapeLiteral(String(max))}`]),
    ...(isInteger ? [`${value} = trunc(${value})`] : []),
  ]
}

export const wholeText = (key: string): string => {
  const name = escapeLiteral(key)
  return `(case jsonb_typeof(data -> ${name}) when 'string' then data ->> ${name} end)`
}

/** Indexes hold the beginning of a text: what must be equal is looked up by it, and then compared as a whole. */
export const textSql = (
  { short, whole, empty = '' }: { short: string; whole: string; empty?: unknown },
  { op, values: given }: Question,
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
      if (named.length > 0) tests.push(compare(whole, { op: 'nin', values: named }, values, 'text'))
      return tests.join(' and ')
    }
    case 'exists':
      return given[0] === true ? `${short} <> ''` : isEmpty
    case 'contains':
    case 'starts':
      return first === '' ? 'true' : patternSql(whole, { op, text: first }, values)
    case 'lt':
    case 'lte':
      // Empty text comes before every other; a choice that nobody made comes nowhere.
      return `(${compare(short, { op, values: texts }, values, 'text')}${empty === '' ? ` or ${short} is null` : ''})`
    default:
      return compare(short, { op, values: texts }, values, 'text')
  }
}

/** Ignores case. */
export const patternSql = (
  whole: string,
  { op, text }: { op: 'contains' | 'starts'; text: string },
  values: Values,
): string => `${whole} ilike ${values.add(`${op === 'contains' ? '%' : ''}${text.replace(/[\\%_]/g, '\\$&')}%`)}::text`

/** PostgreSQL counts characters, JavaScript halves of them. */
const beginningOf = (text: string): string =>
  text.length <= INDEXED_TEXT_LENGTH ? text : [...text].slice(0, INDEXED_TEXT_LENGTH).join('')
