import type { ContentType } from '@stoa/cms-model/content-types.ts'
import { fieldTypes, isFieldType } from '@stoa/cms-model/fields/types/index.ts'
import type { Change } from '../../diff/changes.ts'
import { labelOf, typeOfMember } from './labels.ts'
import { changedMembers, type Member, type Values, valueAt } from './values.ts'

/** What is different between two states of a form, as they were typed: the service has not read them yet. */
export const changesBetween = (type: ContentType, before: Values, after: Values): Change[] =>
  changedMembers(after, before).map((member) => changeOf(type, member, valueAt(before, member), valueAt(after, member)))

export const changeOf = (type: ContentType, member: Member, before: unknown, after: unknown): Change => {
  const fieldType = typeOfMember(type, member)
  const isEmpty = (value: unknown) =>
    isFieldType(fieldType) ? fieldTypes[fieldType].isEmpty(value) : value === null || value === undefined
  const op = isEmpty(before) ? 'add' : isEmpty(after) ? 'remove' : 'change'
  return { path: member, label: labelOf(type, member), fieldType, op, before: before ?? null, after: after ?? null }
}
