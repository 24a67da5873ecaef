import type { Permission } from '@stoa/cms-model/permissions.ts'

/** The members of every registered item. */
export type Item = {
  id: string
  /** The lowest comes first; equal ones stay in the order of their list. */
  order: number
  /** Without it everybody has it. */
  needs?: Permission
}

/** The items for this person, in order. The first of two with the same id wins: items added at run time replace nothing. */
export const arrange = <T extends Item>(items: readonly T[], permissions: readonly Permission[]): readonly T[] => {
  const known = new Set<string>()
  return items
    .filter(({ id, needs }) => {
      if (known.has(id) || (needs !== undefined && !permissions.includes(needs))) return false
      known.add(id)
      return true
    })
    .toSorted((a, b) => a.order - b.order)
}
