import type { Me } from '@stoa/cms-model/accounts.ts'
import type { Permission } from '@stoa/cms-model/permissions.ts'
import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { arrange, type Item } from './arrange.ts'

/** Things that only the running service knows: its content types, its plugins, whether a provider is connected. */
export type Source<T> = {
  /** Without this permission the service is not asked. */
  needs?: Permission
  useItems: (isAllowed: boolean) => readonly T[]
}

export type Registered<T> = T | Source<T>

type FromQuery<D, T> = { needs?: Permission; items: (data: D) => readonly T[] }

/** The things that an answer of the service asks for; none until it has come. `items` is a function with a fixed identity. */
export const fromQuery = <D, K extends QueryKey, T>(
  query: UseQueryOptions<D, Error, D, K>,
  { items, ...rest }: FromQuery<D, T>,
): Source<T> => ({
  ...rest,
  useItems: (isAllowed) => {
    const { data } = useQuery({ ...query, enabled: isAllowed })
    return useMemo(() => (data === undefined ? [] : items(data)), [data])
  },
})

/** What this person gets of a list. The list is the same as long as the app runs. */
export const useRegistered = <T extends Item>(list: readonly Registered<T>[], me: Me): readonly T[] => {
  const found = list.flatMap((one) => {
    if (!('useItems' in one)) return [one]
    // biome-ignore lint/correctness/useHookAtTopLevel: the same sources in the same order each time, as the list never changes
    return one.useItems(one.needs === undefined || me.permissions.includes(one.needs))
  })
  return useSame(arrange(found, me.permissions))
}

/** The list of before as long as the same things are in it, so that nothing is drawn again for it. */
const useSame = <T>(list: readonly T[]): readonly T[] => {
  const [kept, keep] = useState(list)
  const isSame = kept.length === list.length && kept.every((one, at) => one === list[at])
  if (!isSame) keep(list)
  return isSame ? kept : list
}
