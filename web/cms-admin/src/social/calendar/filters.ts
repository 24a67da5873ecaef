import type { PostOwner } from '../queries.ts'
import type { CalendarItem, SocialStatus } from '../wire.ts'

/** What the calendar is narrowed to; an empty text narrows nothing. */
export type CalendarFilter = { network: string; account: string; status: string; author: string }

/** Only these two are not in what the calendar says by itself. */
export const needsOwners = ({ account, author }: CalendarFilter): boolean => account !== '' || author !== ''

type Filterable = { id: string; status: SocialStatus; networks: readonly string[] }

export const matches = (
  { id, status, networks }: Filterable,
  filter: CalendarFilter,
  owners: ReadonlyMap<string, PostOwner> | undefined,
): boolean => {
  const owner = owners?.get(id)
  return (
    (filter.network === '' || networks.includes(filter.network)) &&
    (filter.status === '' || status === filter.status) &&
    (filter.account === '' || owner?.accountIds.includes(filter.account) === true) &&
    (filter.author === '' || owner?.authorId === filter.author)
  )
}

export const filteredItems = (
  items: readonly CalendarItem[],
  filter: CalendarFilter,
  owners: ReadonlyMap<string, PostOwner> | undefined,
): readonly CalendarItem[] => items.filter((item) => matches({ ...item, id: item.postId }, filter, owners))
