import type { Domain } from '@stoa/mail-model/domains.ts'
import type { CancelledEmail, Email, EmailList, RescheduledEmail } from '@stoa/mail-model/emails.ts'
import type { List } from '@stoa/mail-model/list.ts'
import { queryOptions } from '@tanstack/react-query'
import { ALL, sendSignedIn } from '../api.ts'

export const EMAILS_PER_PAGE = 25

/** Empty members narrow nothing; at most one of `after` (older than this) and `before` (newer) is given. */
export type EmailsFilter = {
  search: string
  status: string
  domain_id: string
  tag: string
  after: string
  before: string
}

/** Everything that is known about the mails of programs; what is below is refreshed when one of them changes. */
export const EMAILS = ['emails'] as const

export const emailsQuery = (filter: EmailsFilter) =>
  queryOptions({
    queryKey: [...EMAILS, 'list', filter],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ limit: String(EMAILS_PER_PAGE) })
      for (const [name, value] of Object.entries(filter)) if (value !== '') query.set(name, value)
      return sendSignedIn<EmailList>('GET', `/api/emails?${query}`, { signal })
    },
    placeholderData: (before) => before,
  })

const pathOf = (id: string) => `/api/emails/${encodeURIComponent(id)}`

export const emailQuery = (id: string) =>
  queryOptions({
    queryKey: [...EMAILS, 'one', id],
    queryFn: ({ signal }) => sendSignedIn<Email>('GET', pathOf(id), { signal }),
  })

/** The page that shows a mail inside a frame. */
export const viewPath = (id: string): string => `${pathOf(id)}/view`

export const rescheduleEmail = (id: string, scheduledAt: string) =>
  sendSignedIn<RescheduledEmail>('PATCH', pathOf(id), { body: { scheduled_at: scheduledAt } })

export const cancelEmail = (id: string) => sendSignedIn<CancelledEmail>('POST', `${pathOf(id)}/cancel`)

/** The account's domains, for choices. */
export const domainChoicesQuery = queryOptions({
  queryKey: ['domains', 'choices'],
  queryFn: ({ signal }) => sendSignedIn<List<Domain>>('GET', `/api/domains?${ALL}`, { signal }),
})
