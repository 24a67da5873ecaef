import type { Field } from './field.ts'
import { adoptedBy, isRecord, type Members, memberOf } from './members.ts'

/**
 * Stored members with the values of an earlier type turned into those of the present one, wherever nothing is lost; what
 * cannot be turned stays as it is. The very same object when there is nothing to turn.
 */
export const convertMembers = (fields: readonly Field[], stored: Members): Members => {
  const converted = fields.flatMap((field) => {
    const value = memberOf(stored, field.key)
    const next = value === undefined ? undefined : convertValue(field, value)
    return next === undefined || next === value ? [] : [[field.key, next] as const]
  })
  return converted.length === 0 ? stored : { ...stored, ...Object.fromEntries(converted) }
}

const convertValue = (field: Field, value: unknown): unknown => {
  if (field.type === 'list') return Array.isArray(value) ? convertItems(field.fields, value) : value
  return adoptedBy(field, value) ?? value
}

const convertItems = (fields: readonly Field[], items: readonly unknown[]): readonly unknown[] => {
  const converted = items.map((item) => (isRecord(item) ? convertMembers(fields, item) : item))
  return converted.some((item, index) => item !== items[index]) ? converted : items
}
