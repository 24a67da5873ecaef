import type { SocialStatus } from '../wire.ts'

/** What the calendar is narrowed to; an empty text narrows nothing. */
export type CalendarFilter = { network: string; account: string; status: string; author: string }

type Filterable = {
  status: SocialStatus
  networks: readonly string[]
  accountIds: readonly string[]
  authorId: string | null
}

export const matches = (post: Filterable, filter: CalendarFilter): boolean =>
  (filter.network === '' || post.networks.includes(filter.network)) &&
  (filter.status === '' || post.status === filter.status) &&
  (filter.account === '' || post.accountIds.includes(filter.account)) &&
  (filter.author === '' || post.authorId === filter.author)
