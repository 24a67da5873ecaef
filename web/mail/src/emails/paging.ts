/** A page of a list that is read behind or before one of its rows. */
type CursorPage = {
  ids: readonly string[]
  /** More in the direction in which it was read. */
  hasMore: boolean
  /** From 1, counted in pages of this size. */
  page: number
  after: string
  before: string
}

type Turn = { after: string; before: string }

const FIRST: Turn = { after: '', before: '' }

/** Cursors of the neighboring pages; undefined where there is none. */
export const turnsOf = ({ ids, hasMore, page, after, before }: CursorPage) => {
  const first = ids[0]
  const last = ids.at(-1)
  const isTop = after === '' && (before === '' || !hasMore)
  const isEnd = before === '' && !hasMore
  return {
    // The first page is always read from the top: what came meanwhile is on it
    previous: isTop || first === undefined ? undefined : page <= 2 ? FIRST : { after: '', before: first },
    next: isEnd || last === undefined ? undefined : { after: last, before: '' },
  }
}
