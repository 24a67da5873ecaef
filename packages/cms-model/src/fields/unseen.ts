import type { Field } from './field.ts'
import { adoptedBy, fits, isRecord, type Members, memberOf, readMembers } from './members.ts'

/**
 * The members sent, with what their lists hold out of sight: values of fields that were removed from a list, and values
 * that do not fit their field any more and come back as the empty value they were read as. Lists are sent whole, and their
 * items have no names: an item is taken for the stored one that reads the same, else for the one it has most in common
 * with, else for the one in its place.
 */
export const keepUnseen = (fields: readonly Field[], stored: Members, sent: Members): Members => {
  const kept = fields.flatMap((field) => {
    const [before, after] = [memberOf(stored, field.key), memberOf(sent, field.key)]
    if (field.type !== 'list' || !Array.isArray(before) || !Array.isArray(after)) return []
    return [[field.key, keepInItems(field.fields, before, after)] as const]
  })
  return kept.length === 0 ? sent : { ...sent, ...Object.fromEntries(kept) }
}

const keepInItems = (fields: readonly Field[], before: readonly unknown[], after: readonly unknown[]): unknown[] => {
  const stored = before.map((item) => (isRecord(item) ? item : {}))
  if (!stored.some((item) => hasUnseen(fields, item))) return [...after]
  const partners = matchItems(
    stored.map((item) => readMembers(fields, item, 'all')),
    after.map((item) => (isRecord(item) ? readMembers(fields, item, 'all') : {})),
  )
  return after.map((item, index) => {
    const partner = stored[partners[index] ?? -1]
    return isRecord(item) && partner !== undefined ? keepInItem(fields, partner, item) : item
  })
}

const keepInItem = (fields: readonly Field[], stored: Members, sent: Members): Members => {
  const known = new Map(fields.map((field) => [field.key, field]))
  const read = readMembers(fields, stored, 'all')
  const unseen = Object.entries(stored).filter(([key, value]) => {
    const field = known.get(key)
    if (field === undefined) return true
    return isOutOfSight(field, value) && isSame(memberOf(sent, key) ?? read[key], read[key])
  })
  return { ...keepUnseen(fields, stored, sent), ...Object.fromEntries(unseen) }
}

const hasUnseen = (fields: readonly Field[], item: Members): boolean => {
  const known = new Map(fields.map((field) => [field.key, field]))
  return Object.entries(item).some(([key, value]) => {
    const field = known.get(key)
    if (field?.type !== 'list') return field === undefined || isOutOfSight(field, value)
    return Array.isArray(value) && value.some((inner) => isRecord(inner) && hasUnseen(field.fields, inner))
  })
}

/** True for a value that reads as empty; what lists hold is looked at item by item. */
const isOutOfSight = (field: Field, value: unknown): boolean =>
  field.type !== 'list' && !fits(field, value) && adoptedBy(field, value) === undefined

/** Comparing each with each takes a moment; longer lists are compared by place. */
const MAX_COMPARISONS = 10_000

/** For each item its partner among the stored ones, by index; each is the partner of one item at most. */
const matchItems = (stored: readonly Members[], sent: readonly Members[]): (number | undefined)[] => {
  const partners: (number | undefined)[] = sent.map(() => undefined)
  const free = new Map(stored.map((item, index) => [index, item]))
  const pair = (index: number, partner: number): void => {
    partners[index] = partner
    free.delete(partner)
  }
  const open = () => sent.flatMap((item, index) => (partners[index] === undefined ? [{ item, index }] : []))

  const byContent = Map.groupBy(stored.keys(), (index) => JSON.stringify(stored[index]))
  for (const { item, index } of open()) {
    const same = byContent.get(JSON.stringify(item))
    const partner = same?.shift()
    if (partner !== undefined) pair(index, partner)
  }
  if (open().length * free.size <= MAX_COMPARISONS)
    for (const { item, index } of open()) {
      const best = [...free]
        .map(([partner, other]) => ({ partner, common: commonMembers(item, other), far: Math.abs(partner - index) }))
        .filter(({ common }) => common > 0)
        .sort((one, other) => other.common - one.common || one.far - other.far)[0]
      if (best) pair(index, best.partner)
    }
  if (stored.length === sent.length) for (const { index } of open()) if (free.has(index)) pair(index, index)
  return partners
}

/** The number of members with the same, non-empty value. */
const commonMembers = (one: Members, other: Members): number =>
  Object.entries(one).filter(([key, value]) => isDistinctive(value) && isSame(value, other[key])).length

const isDistinctive = (value: unknown): boolean =>
  value !== null && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0)

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
