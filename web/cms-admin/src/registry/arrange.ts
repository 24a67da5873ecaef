import type { Permission } from '@stoa/cms-model/permissions.ts'

/** What all registered things have. */
export type Item = {
  id: string
  /** The lowest comes first; equal ones stay in the order of their list. */
  order: number
  /** Without it everybody has it. */
  needs?: Permission
}

/** What this person gets, in order. Of two with the same id the first stays: what comes at run time replaces nothing. */
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
