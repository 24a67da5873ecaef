import type { TrashedEntry } from '@stoa/cms-model/entries.ts'
import { readPage, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import type { PagerProps } from '@stoa/ui/table/table-parts.tsx'
import { useQuery } from '@tanstack/react-query'
import { trashQuery } from '../queries.ts'

const PER_PAGE = 25

export type Trash = {
  q: string
  type: string
  rows: readonly TrashedEntry[] | undefined
  total: number
  error: unknown
  refetch: () => unknown
  pager: PagerProps | undefined
  /** A search or a filter is on. */
  narrowed: boolean
}

/** The trash as the address asks for it. */
export const useTrash = (): Trash => {
  const url = useUrlState()
  const q = url.get('q').trim()
  const type = url.get('type')
  const page = readPage(url.get('page'))
  const { data, error, refetch } = useQuery(trashQuery({ q, type, page, limit: PER_PAGE }))
  const first = (page - 1) * PER_PAGE
  const rows = data?.items
  const total = data?.meta.total ?? 0
  const turn = (to: number) => () => url.set({ page: to === 1 ? '' : String(to) })
  return {
    q,
    type,
    rows,
    total,
    error,
    refetch,
    pager: rows && {
      from: first + 1,
      to: first + rows.length,
      total,
      onPrevious: page > 1 ? turn(page - 1) : undefined,
      onNext: first + PER_PAGE < total ? turn(page + 1) : undefined,
    },
    narrowed: q !== '' || type !== '',
  }
}
