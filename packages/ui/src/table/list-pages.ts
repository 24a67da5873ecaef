import type { UrlState } from '../navigation/url-state.ts'
import type { PagerProps } from './table-parts.tsx'

type Pages = {
  page: number
  pages: number
  /** How many rows a page has, and how many this one shows. */
  size: number
  shown: number
  total: number
}

/** The pages of a list, for its pager. */
export const pagesOf = ({ page, pages, size, shown, total }: Pages, onPage: (page: number) => void) => {
  const first = (page - 1) * size
  return {
    from: first + 1,
    to: first + shown,
    total,
    onPrevious: page > 1 ? () => onPage(page - 1) : undefined,
    onNext: page < pages ? () => onPage(page + 1) : undefined,
  } satisfies PagerProps
}

/** Turns to a page by the address; the first one needs no word there. */
export const turnIn =
  (url: UrlState) =>
  (page: number): void =>
    url.set({ page: page === 1 ? '' : String(page) })
