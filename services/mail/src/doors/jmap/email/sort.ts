import type { SortKey } from '../../../store/store.ts'
import { type Args, failMethod } from '../method.ts'
import { type Comparator, readSort } from '../standard/query.ts'

/** What messages are sorted by (RFC 8621 §4.4.2): `emailQuerySortOptions` of the session. */
export const EMAIL_SORT_OPTIONS = [
  'receivedAt',
  'sentAt',
  'size',
  'from',
  'to',
  'subject',
  'hasKeyword',
  'allInThreadHaveKeyword',
  'someInThreadHaveKeyword',
] as const

/** The order of an Email/query as the store takes it. */
export const readEmailSort = (args: Args): SortKey[] => readSort(args, EMAIL_SORT_OPTIONS, ['keyword']).map(toKey)

const toKey = ({ property, isAscending: ascending, more }: Comparator): SortKey => {
  const by = EMAIL_SORT_OPTIONS.find((option) => option === property) ?? 'receivedAt'
  const { keyword } = more
  if (by === 'hasKeyword' || by === 'allInThreadHaveKeyword' || by === 'someInThreadHaveKeyword') {
    if (typeof keyword === 'string') return { by, keyword, ascending }
    return failMethod('invalidArguments', `To sort by ${by}, set a keyword.`, { arguments: ['sort'] })
  }
  if (keyword !== undefined)
    return failMethod('invalidArguments', `A keyword cannot be used when sorting by ${by}.`, { arguments: ['sort'] })
  return { by, ascending }
}

export const isMutableSort = (sort: readonly SortKey[]): boolean => sort.some((key) => 'keyword' in key)

export const sortsByThreads = (sort: readonly SortKey[]): boolean =>
  sort.some(({ by }) => by === 'allInThreadHaveKeyword' || by === 'someInThreadHaveKeyword')
