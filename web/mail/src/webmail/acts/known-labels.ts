import { readStored, writeStored } from '@stoa/ui/stored.ts'
import { type QueryClient, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { labelsQuery, mailboxQuery } from '../queries.ts'
import { labelsOf } from './labels.ts'
import { itemsIn } from './mail-cache.ts'

/** Of those that this browser remembers; nobody chooses among more. */
const MAX_REMEMBERED = 200

/** The labels of this mailbox: those that messages have, and those that were made here, in order. */
export const useKnownLabels = ({ enabled = true }: { enabled?: boolean } = {}): readonly string[] => {
  const queryClient = useQueryClient()
  // Whatever was read is looked through: not while nobody looks at the labels
  const subscribe = useCallback(
    (listener: () => void) => (enabled ? listen(queryClient, listener) : () => undefined),
    [queryClient, enabled],
  )
  const seen = useSyncExternalStore(subscribe, () => (enabled ? labelsKey(queryClient) : ''))
  const { data } = useQuery({ ...labelsQuery, enabled })
  const named = labelsOf(data?.data.map(({ name }) => name) ?? [])
  const labels = [...new Set([...named, ...(seen === '' ? [] : seen.split(' '))])].toSorted()
  // A label does not go because the last message with it is out of sight
  useEffect(() => rememberLabels(queryClient, seen === '' ? [] : seen.split(' ')), [queryClient, seen])
  return labels
}

/** Offers a label from now on, also when no message here has it. */
export const rememberLabels = (queryClient: QueryClient, labels: readonly string[]): void => {
  const key = storedKey(queryClient)
  if (key === undefined || labels.length === 0) return
  const before = readLabels(key)
  if (labels.every((label) => before.includes(label))) return
  const all = new Set([...labels, ...before])
  writeStored(key, [...all].slice(0, MAX_REMEMBERED))
  tellChange()
}

/** Takes a label off the offers. */
export const forgetLabel = (queryClient: QueryClient, label: string): void => {
  const key = storedKey(queryClient)
  if (key === undefined) return
  writeStored(
    key,
    readLabels(key).filter((other) => other !== label),
  )
  tellChange()
}

const storedKey = (queryClient: QueryClient): string | undefined => {
  const mailbox = queryClient.getQueryData(mailboxQuery.queryKey)
  return mailbox && `webmail-labels:${mailbox.id}`
}

const readLabels = (key: string): string[] => {
  const stored = readStored(key)
  return Array.isArray(stored) ? labelsOf(stored.filter((label) => typeof label === 'string')) : []
}

const listeners = new Set<() => void>()

const listen = (queryClient: QueryClient, listener: () => void): (() => void) => {
  const stop = queryClient.getQueryCache().subscribe(listener)
  listeners.add(listener)
  return () => {
    stop()
    listeners.delete(listener)
  }
}

const tellChange = (): void => {
  remembered = undefined
  for (const listener of listeners) listener()
}

let remembered: { key: string; labels: readonly string[] } | undefined

// One text, so that nothing is drawn anew while it stays the same
const labelsKey = (queryClient: QueryClient): string => {
  const key = storedKey(queryClient)
  if (key !== undefined && remembered?.key !== key) remembered = { key, labels: readLabels(key) }
  const found = new Set(remembered?.labels ?? [])
  for (const query of queryClient.getQueryCache().findAll({ queryKey: ['webmail'] }))
    for (const label of labelsIn(query.queryKey, query.state.data)) found.add(label)
  return [...found].toSorted().join(' ')
}

// Something changes in the cache all the time, but hardly ever more than one of its parts
const looked = new WeakMap<object, readonly string[]>()

const labelsIn = (key: QueryKey, data: unknown): readonly string[] => {
  if (typeof data !== 'object' || data === null) return []
  const known = looked.get(data) ?? [...new Set(itemsIn(key, data).flatMap(({ keywords }) => labelsOf(keywords)))]
  looked.set(data, known)
  return known
}
