import type { ReferenceField } from '@stoa/cms-model/delivery/operands.ts'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import { typeOf } from '@stoa/cms-model/fields/types/index.ts'
import { escapeLiteral } from 'pg'
import { isDenial, type Question } from './question.ts'
import type { Scope, Values } from './scope.ts'

/** A target that cannot be shown cannot be asked for either: to this reader, there is no reference. */
export const referenceSql = (field: ReferenceField, question: Question, values: Values, scope: Scope): string => {
  if (scope.misfitsOf(field.to) === undefined) return String(isDenial(question))
  return linkSql('entry', (test) => referredSql(field, scope, () => `entry.${test}`), question, { values, scope })
}

/** A file that was deleted is shown as none. */
export const mediaSql = (field: Field, question: Question, values: Values, scope: Scope): string =>
  linkSql('media', (test) => `exists (${targetsSql(field, 'media', `media.${test}`)})`, question, { values, scope })

/** An entry that the field refers to, and that can be seen, fulfils the test. */
export const referredSql = (field: ReferenceField, scope: Scope, test: (scope: Scope) => string): string => {
  const misfits = scope.misfitsOf(field.to)
  if (misfits === undefined) return 'false'
  const target = test({ ...scope, misfits, isRoot: false, item: null })
  const isOfType = `entry.type = ${escapeLiteral(field.to)}`
  return `exists (${targetsSql(field, `${scope.copy.table} as entry`, `${isOfType} and ${target}`)})`
}

/**
 * The records that the field holds the ids of. The argument of the function stands before the records are there, so that
 * its `data` is that around them.
 */
const targetsSql = (field: Field, table: string, test: string): string => {
  const value = `data -> ${escapeLiteral(field.key)}`
  const isSeveral = Array.isArray(typeOf(field).empty(field))
  const ids = isSeveral
    ? `case jsonb_typeof(${value}) when 'array' then ${value} end`
    : `case jsonb_typeof(${value}) when 'string' then jsonb_build_array(${value}) end`
  const name = 'to' in field ? 'entry' : table
  return `select from jsonb_array_elements_text(${ids}) as held (target)
    join ${table} on ${name}.id = case when held.target ~ '${ID}' then held.target::uuid end where ${test}`
}

const ID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'

/** `found`: that one of the records can be shown and fulfils a test. */
const linkSql = (
  kind: 'entry' | 'media',
  found: (test: string) => string,
  question: Question,
  { values, scope }: { values: Values; scope: Scope },
): string => {
  const denial = isDenial(question) ? 'not ' : ''
  if (question.op === 'exists') return `${denial}${found('id is not null')}`
  const ids = `${values.add(question.values.map(String))}::uuid[]`
  const isFound = found(`id = any(${ids})`)
  if (denial !== '') return denial + isFound
  // The links of an entry are indexed; which of its fields they are of, only the data says.
  return scope.isRoot
    ? `(id in (select l.entry_id from entry_link l where l.target_id = any(${ids}) and l.kind = '${kind}'
        and l.is_live = ${scope.copy.isLive}) and ${isFound})`
    : isFound
}
