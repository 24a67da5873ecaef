import type { Condition, Filter } from '@stoa/cms-model/delivery/filter.ts'
import type { ChoiceField, Leaf, Operand } from '@stoa/cms-model/delivery/operands.ts'
import type { Field, FieldOf } from '@stoa/cms-model/fields/field.ts'
import { escapeLiteral } from 'pg'
import { compare, fieldSql, guarded, textSql } from './fields.ts'
import { mediaSql, referenceSql, referredSql } from './links.ts'
import { affirmed, isDenial, type Question } from './question.ts'
import type { Scope, Values } from './scope.ts'
import { writingSql } from './writing.ts'

/** The filter as SQL over `entry`; null when it asks for nothing. Names in it come from the type, not from the query. */
export const filterSql = ({ all, any }: Filter, values: Values, scope: Scope): string | null => {
  const parts = all.map((condition) => conditionSql(condition, values, scope))
  if (any.length > 0) {
    const alternatives = any.map((group) =>
      group.map((condition) => conditionSql(condition, values, scope)).join(' and '),
    )
    parts.push(`((${alternatives.join(') or (')}))`)
  }
  return parts.length === 0 ? null : parts.join(' and ')
}

const conditionSql = ({ operand, op, values: given }: Condition, values: Values, scope: Scope): string => {
  const question = { op, values: given }
  if (operand.kind === 'rows' || operand.kind === 'through') return innerSql(operand, question, values, scope)
  return leafSql(operand, question, values, scope)
}

const columns = {
  id: 'id',
  translationOf: 'translation_of',
  title: 'title',
  slug: 'slug',
  locale: 'locale',
  publishedAt: 'published_at',
  createdAt: 'created_at',
} as const

/** The column of a member in this copy of the entries. */
export const columnOf = (name: keyof typeof columns | 'updatedAt', { copy }: Pick<Scope, 'copy'>): string =>
  name === 'updatedAt' ? copy.updatedAt : columns[name]

const leafSql = (leaf: Leaf, question: Question, values: Values, scope: Scope): string => {
  switch (leaf.kind) {
    case 'identity':
      return compare(columnOf(leaf.name, scope), question, values, 'uuid')
    case 'member': {
      const column = columnOf(leaf.name, scope)
      return leaf.scalar === 'text'
        ? textSql({ short: column, whole: column }, question, values)
        : compare(column, question, values, 'timestamptz')
    }
    case 'field':
      return fieldSql(leaf, question, values, scope)
    case 'writing':
      return writingSql(leaf.field, question, values, scope)
    case 'choices':
      return choicesSql(leaf.field, question, values)
    case 'reference':
      return referenceSql(leaf.field, question, values, scope)
    case 'media':
      return mediaSql(leaf.field, question, values, scope)
    case 'presence':
      return `${leaf.field.type === 'list' ? itemsSql(leaf.field, 'true') : documentSql(leaf.field, scope)} = ${question.values[0] === true}`
  }
}

const choicesSql = (field: ChoiceField, { op, values: given }: Question, values: Values): string => {
  const options = field.options.map(({ value }) => value)
  const asked = op === 'exists' ? options : given.map(String).filter((value) => options.includes(value))
  const key = escapeLiteral(field.key)
  const chosen = `case jsonb_typeof(data -> ${key}) when 'array' then data -> ${key} end`
  const hasAny = `coalesce((${chosen}) ?| ${values.add(asked)}::text[], false)`
  if (op === 'exists') return `${hasAny} = ${values.add(given[0])}::boolean`
  return op === 'nin' ? `not ${hasAny}` : hasAny
}

const documentSql = (field: Field, scope: Scope): string =>
  `(coalesce(${guarded(field, `data -> ${escapeLiteral(field.key)}`, scope)}, 'null'::jsonb) <> 'null'::jsonb)`

/** Some item of the list fulfils the test. The argument stands before the items are there: its `data` is that around them. */
const itemsSql = ({ key }: FieldOf<'list'>, test: string, name = 'item'): string => {
  const list = `data -> ${escapeLiteral(key)}`
  return `exists (select from jsonb_array_elements(case jsonb_typeof(${list}) when 'array' then ${list} end)
    with ordinality as ${name} (data, place) where jsonb_typeof(data) = 'object' and ${test})`
}

/**
 * One item, or one entry referred to, must fulfil it. What says that something is not so says it of all of them, like
 * everywhere else: `ne`, `nin` and `exists=false` hold where their opposite does not.
 */
const innerSql = (operand: Exclude<Operand, Leaf>, question: Question, values: Values, scope: Scope): string =>
  `${isDenial(question) ? 'not ' : ''}${foundSql(operand, affirmed(question), values, scope)}`

const foundSql = ({ kind, field, inner }: Exclude<Operand, Leaf>, question: Question, values: Values, scope: Scope) => {
  const test = (innerScope: Scope) => conditionSql({ key: '', operand: inner, ...question }, values, innerScope)
  if (kind === 'through') return referredSql(field, scope, test)
  const depth = (scope.item?.depth ?? 0) + 1
  const name = `item_${depth}`
  const item = {
    keys: `${scope.item?.keys ?? ''}${field.key}.`,
    sql: `${scope.item ? `${scope.item.sql} || ` : ''}${escapeLiteral(`${field.key}.`)} || (${name}.place - 1) || '.'`,
    depth,
  }
  return itemsSql(field, test({ ...scope, isRoot: false, item }), name)
}
