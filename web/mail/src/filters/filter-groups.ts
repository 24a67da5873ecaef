import type { Filter } from '@stoa/mail-model/filters.ts'
import { formatCount } from '@stoa/ui/text/format.ts'
import { readSieve } from './read-sieve.ts'
import { describeRule } from './rule-words.ts'

/** Filters that run one after the other for the same mail. An empty id: that of all addresses. */
export type FilterGroup = { addressId: string; filters: readonly Filter[] }

/** Account-wide filters first, as they run first; then the filters of each address, by its name. */
export const groupFilters = (filters: readonly Filter[], nameOf: (addressId: string) => string): FilterGroup[] =>
  [...Map.groupBy(filters, ({ address_id: id }) => id ?? '')]
    .map(([addressId, members]) => ({ addressId, filters: members }))
    .toSorted((a, b) => order(a.addressId, b.addressId, nameOf))

const order = (a: string, b: string, nameOf: (addressId: string) => string): number => {
  if (a === '' || b === '') return a === '' ? -1 : 1
  return nameOf(a).localeCompare(nameOf(b))
}

/** The groups that mail to an address goes through. */
export const groupsFor = (groups: readonly FilterGroup[], addressId: string): readonly FilterGroup[] =>
  addressId === '' ? groups : groups.filter((group) => group.addressId === '' || group.addressId === addressId)

/**
 * The place among all filters of the account that puts one where another of its group is now. Taking it out and
 * putting it in there leaves it before the other on the way up, and after it on the way down.
 */
export const positionFor = ({ filters }: FilterGroup, to: number): number | undefined => filters[to]?.position

const MAX_RULES = 2

/** A filter in words; a script that rules cannot show is just named as one. */
export const describeScript = (script: string): { words: string; isText: boolean } => {
  const { rules } = readSieve(script)
  if (!rules)
    return { words: `Sieve script, ${formatCount(script.split('\n').length, 'line', 'lines')}.`, isText: true }
  if (rules.length === 0) return { words: 'No rules yet.', isText: false }
  const more = rules.length - MAX_RULES
  const first = rules.slice(0, MAX_RULES).map(describeRule).join(' ')
  return { words: more > 0 ? `${first} And ${formatCount(more, 'more rule', 'more rules')}.` : first, isText: false }
}
