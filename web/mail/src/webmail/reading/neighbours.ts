import type { List } from '@stoa/mail-model/list.ts'
import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

export type Neighbours = { newer: string | undefined; older: string | undefined }

type Page = { page: number; ids: readonly string[] }

/** The messages above and below one in the list that it was opened from, as far as its pages are here. */
export const neighboursIn = (pages: readonly Page[], id: string): Neighbours => {
  const ids = pages.toSorted((a, b) => a.page - b.page)
  const at = ids.findIndex((page) => page.ids.includes(id))
  const page = ids[at]
  if (!page) return { newer: undefined, older: undefined }
  const index = page.ids.indexOf(id)
  const next = (other: number): readonly string[] => ids.find((each) => each.page === other)?.ids ?? []
  return {
    newer: page.ids[index - 1] ?? (index === 0 ? next(page.page - 1).at(-1) : undefined),
    older: page.ids[index + 1] ?? next(page.page + 1)[0],
  }
}

/** The neighbors of a message in the lists on the screen. */
export const useNeighbours = (id: string): Neighbours => {
  const queryClient = useQueryClient()
  const key = useSyncExternalStore(
    (listener) => queryClient.getQueryCache().subscribe(listener),
    () => keyOf(queryClient, id),
  )
  const [newer, older] = key.split(' ')
  return { newer: newer || undefined, older: older || undefined }
}

// One text, so that nothing is drawn anew while it stays the same
const keyOf = (queryClient: QueryClient, id: string): string => {
  const lists = new Map<string, Page[]>()
  for (const query of queryClient.getQueryCache().findAll({ queryKey: ['webmail', 'messages'], type: 'active' })) {
    const data = queryClient.getQueryData<List<MessageItem>>(query.queryKey)
    const filter = JSON.stringify(query.queryKey[2])
    if (data)
      lists.set(filter, [...(lists.get(filter) ?? []), { page: data.page, ids: data.data.map((item) => item.id) }])
  }
  const found = [...lists.values()].find((pages) => pages.some(({ ids }) => ids.includes(id)))
  const { newer = '', older = '' } = found ? neighboursIn(found, id) : {}
  return `${newer} ${older}`
}
