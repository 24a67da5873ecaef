import { readStored, writeStored } from '@stoa/ui/browser/stored.ts'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { labelsQuery, mailboxQuery } from '../queries.ts'
import { labelsOf } from './labels.ts'

/** Of those that this browser remembers; nobody chooses among more. */
const MAX_REMEMBERED = 200

/** The labels of this mailbox: those that messages have, and those that were made here, in order. */
export const useKnownLabels = ({ enabled = true }: { enabled?: boolean } = {}): readonly string[] => {
  const queryClient = useQueryClient()
  const { data } = useQuery({ ...labelsQuery, enabled })
  const made = useSyncExternalStore(subscribe, () => rememberedBy(queryClient))
  return [...new Set([...labelsOf(data?.data.map(({ name }) => name) ?? []), ...made])].toSorted()
}

/** Offers a label from now on, also when no message has it. */
export const rememberLabels = (queryClient: QueryClient, labels: readonly string[]): void => {
  const key = storedKey(queryClient)
  if (key === undefined || labels.length === 0) return
  const before = rememberedBy(queryClient)
  if (labels.every((label) => before.includes(label))) return
  keep(key, [...new Set([...labels, ...before])].slice(0, MAX_REMEMBERED))
}

/** Takes a label off the offers; those that messages still have stay. */
export const forgetLabel = (queryClient: QueryClient, label: string): void => {
  const key = storedKey(queryClient)
  if (key === undefined) return
  keep(
    key,
    rememberedBy(queryClient).filter((other) => other !== label),
  )
  void queryClient.invalidateQueries(labelsQuery)
}

const storedKey = (queryClient: QueryClient): string | undefined => {
  const mailbox = queryClient.getQueryData(mailboxQuery.queryKey)
  return mailbox && `webmail-labels:${mailbox.id}`
}

const NONE: readonly string[] = []
/** The same list until it changes, so that nothing is drawn anew meanwhile. */
let remembered: { key: string; labels: readonly string[] } | undefined

const rememberedBy = (queryClient: QueryClient): readonly string[] => {
  const key = storedKey(queryClient)
  if (key === undefined) return NONE
  if (remembered?.key !== key) remembered = { key, labels: readLabels(key) }
  return remembered.labels
}

const readLabels = (key: string): string[] => {
  const stored = readStored(key)
  return Array.isArray(stored) ? labelsOf(stored.filter((label) => typeof label === 'string')) : []
}

const listeners = new Set<() => void>()

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const keep = (key: string, labels: readonly string[]): void => {
  writeStored(key, labels)
  remembered = { key, labels }
  for (const listener of listeners) listener()
}
