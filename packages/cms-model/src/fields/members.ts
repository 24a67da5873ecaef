import { problem } from './checks.ts'
import type { Links, Problem, Site } from './define.ts'
import type { Field } from './field.ts'
import { typeOf } from './types/index.ts'

/** Values by field key: the data of an entry, or one item of a list. */
export type Members = Record<string, unknown>

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The member, or undefined: what every object has is not one. */
export const memberOf = (members: Members, key: string): unknown =>
  Object.hasOwn(members, key) ? members[key] : undefined

/** What is stored of a value that was sent; null clears the field. */
export const cleanValue = (field: Field, value: unknown, site: Site): unknown => {
  const type = typeOf(field)
  if (value === null) return type.empty(field)
  return type.clean ? type.clean(value, field, site) : value
}

/** True when a stored value is right for the field as it is now. */
export const fits = (field: Field, value: unknown): boolean => typeOf(field).check(value, field, field.key).length === 0

/** What is stored of the members that were sent. Unknown ones stay for the check to refuse. */
export const cleanMembers = (fields: readonly Field[], members: Members, site: Site): Members => {
  const known = new Map(fields.map((field) => [field.key, field]))
  return Object.fromEntries(
    Object.entries(members)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => {
        const field = known.get(key)
        return [key, field ? cleanValue(field, value, site) : value]
      }),
  )
}

/** Everything wrong with the members. `prefix` comes before their keys, with its dot. */
export const checkMembers = (fields: readonly Field[], members: Members, prefix: string): Problem[] => {
  const known = new Map(fields.map((field) => [field.key, field]))
  return Object.entries(members).flatMap(([key, value]) => {
    const field = known.get(key)
    return field ? typeOf(field).check(value, field, prefix + key) : refuseUnknown(key, prefix)
  })
}

/** Keys of strangers may be of any length. */
const refuseUnknown = (key: string, prefix: string): Problem[] =>
  problem(prefix + key.slice(0, 100), "isn't a field of this type")

/** The required fields that are empty, also inside of lists. */
export const missingIn = (fields: readonly Field[], members: Members, prefix: string): Problem[] =>
  fields.flatMap((field) => {
    const type = typeOf(field)
    const value = memberOf(members, field.key)
    const path = prefix + field.key
    if (field.required && type.isEmpty(readValue(field, value, 'all'))) return problem(path, 'is required')
    return type.missing?.(value, field, path) ?? []
  })

/** A value for each field: what is stored if it is right, else the empty value. Other keys are left out. */
export const readMembers = (fields: readonly Field[], members: Members, seen: 'all' | 'visible'): Members =>
  Object.fromEntries(
    fields
      .filter((field) => seen === 'all' || !field.hidden)
      .map((field) => [field.key, readValue(field, memberOf(members, field.key), seen)]),
  )

const readValue = (field: Field, value: unknown, seen: 'all' | 'visible'): unknown => {
  const type = typeOf(field)
  if (value === undefined) return type.empty(field)
  if (type.read) return type.read(value, field, seen)
  if (fits(field, value)) return value
  const adopted = adoptedBy(field, value)
  return adopted === undefined ? type.empty(field) : adopted
}

/** What a value of another type becomes in the field where nothing of it is lost; undefined for all others. */
export const adoptedBy = (field: Field, value: unknown): unknown => {
  const adopted = typeOf(field).adopt?.(value, field)
  return adopted !== undefined && fits(field, adopted) ? adopted : undefined
}

/** The records that the members mention, each once. */
export const linksIn = (fields: readonly Field[], members: Members): Links => {
  const found = fields.map((field) => typeOf(field).links(memberOf(members, field.key), field))
  return joinLinks(found)
}

/** Merges links, each record once. */
export const joinLinks = (found: readonly Partial<Links>[]): Links => {
  const once = (name: 'media' | 'addressed' | 'linked') => [...new Set(found.flatMap((links) => links[name] ?? []))]
  const entries = found.flatMap((links) => links.entries ?? [])
  return {
    media: once('media'),
    addressed: once('addressed'),
    entries: [...new Map(entries.map((entry) => [`${entry.to} ${entry.id}`, entry])).values()],
    linked: once('linked'),
  }
}

/** The words of the members. */
export const textIn = (fields: readonly Field[], members: Members): string =>
  fields
    .map((field) => typeOf(field).text(memberOf(members, field.key), field))
    .filter((text) => text !== '')
    .join(' ')
