import type { List } from '@stoa/mail-model/list.ts'
import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { type UseQueryResult, useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { MESSAGES_PER_PAGE, type MessagesFilter, messagesQuery } from '../queries.ts'

export type RowIdentity = Pick<MessageItem, 'id' | 'thread_id'>

export type MessagePages = {
  /** Undefined until the first page is there. */
  total: number | undefined
  error: Error | null
  isFetching: boolean
  retry: () => void
  /** The row at a place of the list; undefined while its page is on its way. */
  at: (index: number) => MessageItem | undefined
  /** The key of a row: a conversation keeps its key when another message of it arrives. */
  keyOf: (row: RowIdentity) => string
  /** The index of a row, by its key or by the message that it shows, if it is loaded. */
  indexOf: (keyOrId: string) => number | undefined
  /** All rows that are there, with their places. */
  placed: () => readonly { index: number; item: MessageItem }[]
  /** The rows of the pages in sight. */
  inSight: () => readonly MessageItem[]
}

/** The messages of a list, as far as its pages are in sight. The first page is always there: it knows the total. */
export const useMessagePages = (filter: MessagesFilter, inSight: readonly number[]): MessagePages => {
  const pages = useMemo(() => [...new Set([1, ...inSight])], [inSight])
  const { lists, error, isFetching, retry } = useQueries({
    queries: pages.map((page) => messagesQuery(filter, page)),
    combine,
  })
  return useMemo(() => {
    const byPage = new Map(pages.map((page, index) => [page, lists[index]?.data]))
    const places = new Map<string, number>()
    const keyOf = filter.collapse_threads === '1' ? threadOf : idOf
    for (const [page, items] of byPage)
      for (const [offset, item] of items?.entries() ?? [])
        for (const key of [item.id, keyOf(item)]) places.set(key, (page - 1) * MESSAGES_PER_PAGE + offset)
    return {
      keyOf,
      total: lists[0]?.total,
      error: lists[0] === undefined ? error : null,
      isFetching,
      retry,
      at: (index) => byPage.get(Math.floor(index / MESSAGES_PER_PAGE) + 1)?.[index % MESSAGES_PER_PAGE],
      indexOf: (key) => places.get(key),
      placed: () =>
        [...byPage].flatMap(([page, items]) =>
          (items ?? []).map((item, offset) => ({ index: (page - 1) * MESSAGES_PER_PAGE + offset, item })),
        ),
      inSight: () => inSight.flatMap((page) => byPage.get(page) ?? []),
    }
  }, [filter, pages, inSight, lists, error, isFetching, retry])
}

const idOf = ({ id }: RowIdentity): string => id
const threadOf = ({ thread_id }: RowIdentity): string => thread_id

const combine = (results: UseQueryResult<List<MessageItem>>[]) => ({
  lists: results.map(({ data }) => data),
  error: results.find(({ error }) => error !== null)?.error ?? null,
  isFetching: results.some(({ isFetching }) => isFetching),
  retry: () => {
    for (const { refetch } of results) void refetch()
  },
})

/** While the scroll bar is pulled along, pages fly past: only so often one is asked for. */
const FAR_MS = 250

/** The pages to ask for: neighbors at once, those far away when the hand has come to rest a little. */
export const usePagesInSight = (filter: MessagesFilter, wanted: readonly number[]): readonly number[] => {
  const queryClient = useQueryClient()
  const [asked, setAsked] = useState(wanted)
  const last = useRef(0)
  const isNear = wanted.every(
    (page) =>
      asked.some((other) => Math.abs(other - page) <= 1) ||
      queryClient.getQueryData(messagesQuery(filter, page).queryKey) !== undefined,
  )
  const isSame = wanted.length === asked.length && wanted.every((page, index) => page === asked[index])
  if (isNear && !isSame) setAsked(wanted)
  useEffect(() => {
    if (isNear || isSame) return
    const timer = setTimeout(
      () => {
        last.current = performance.now()
        setAsked(wanted)
      },
      Math.max(0, FAR_MS - (performance.now() - last.current)),
    )
    return () => clearTimeout(timer)
  }, [isNear, isSame, wanted])
  return asked
}
