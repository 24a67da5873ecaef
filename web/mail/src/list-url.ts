import type { List } from '@stoa/mail-model/list.ts'
import type { UrlState } from '@stoa/ui/navigation/url-state.ts'
import type { Sort } from '@stoa/ui/table/data-table.tsx'
import { pagesOf, turnIn } from '@stoa/ui/table/list-pages.ts'
import type { Selection } from '@stoa/ui/table/selection.ts'

/** The order that the address asks for. */
export const sortOf = (url: UrlState, fallback: Sort): Sort => {
  const direction = url.get('direction')
  return {
    by: url.get('sort') || fallback.by,
    direction: direction === 'asc' || direction === 'desc' ? direction : fallback.direction,
  }
}

/** The pages of a list of the service; which one is shown stands in the address. */
export const pagerOf = (list: Omit<List<unknown>, 'object' | 'data'> & { data: readonly unknown[] }, url: UrlState) => {
  const { data, page, per_page: size, pages, total } = list
  return pagesOf({ page, pages, size, shown: data.length, total }, turnIn(url))
}

/** Only what is on this page: an action must not reach rows that nobody sees any more. */
export const selectionAmong = (selection: Selection, rows: readonly { id: string }[] = []): Selection => ({
  ...selection,
  keys: new Set(rows.flatMap(({ id }) => (selection.keys.has(id) ? [id] : []))),
})
