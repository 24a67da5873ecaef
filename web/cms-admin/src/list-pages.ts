import type { List } from '@stoa/cms-model/lists.ts'
import { pagesOf } from '@stoa/ui/table/list-pages.ts'

type Shown = Pick<List<unknown>, 'meta'> & { items: readonly unknown[] }

/** The pages of a list of the service. */
export const pagerOf = ({ items, meta }: Shown, onPage: (page: number) => void) =>
  pagesOf({ ...meta, size: meta.limit, shown: items.length }, onPage)
