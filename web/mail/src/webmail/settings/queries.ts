import type { Session, SessionRevocation } from '@stoa/mail-model/accounts.ts'
import type { AppPassword, AppPasswordScope, CreatedAppPassword } from '@stoa/mail-model/app-passwords.ts'
import type { Contact } from '@stoa/mail-model/contacts.ts'
import type { Filter, FilterValidation } from '@stoa/mail-model/filters.ts'
import type { Identity } from '@stoa/mail-model/identities.ts'
import type { List } from '@stoa/mail-model/list.ts'
import type { MailboxSettings, MailboxSettingsInput } from '@stoa/mail-model/mailbox-settings.ts'
import type { Vacation } from '@stoa/mail-model/vacation.ts'
import type { Mailbox } from '@stoa/mail-model/webmail.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { ALL } from '../../api.ts'
import { sendMailbox } from '../api.ts'

export const changeSettings = (body: MailboxSettingsInput) =>
  sendMailbox<MailboxSettings>('PATCH', '/api/mail/settings', { body })

export type IdentityChange = {
  name?: string
  email?: string
  reply_to?: readonly string[]
  signature_html?: string
  signature_text?: string
  is_default?: boolean
}

export const createIdentity = (body: IdentityChange) => sendMailbox<Identity>('POST', '/api/mail/identities', { body })
export const changeIdentity = (id: string, body: IdentityChange) =>
  sendMailbox<Identity>('PATCH', `/api/mail/identities/${id}`, { body })
export const deleteIdentity = (id: string) => sendMailbox<unknown>('DELETE', `/api/mail/identities/${id}`)

export const vacationQuery = queryOptions({
  queryKey: ['webmail', 'vacation'],
  queryFn: ({ signal }) => sendMailbox<Vacation>('GET', '/api/mail/vacation', { signal }),
})
export const putVacation = (body: Omit<Vacation, 'object'>) =>
  sendMailbox<Vacation>('PUT', '/api/mail/vacation', { body })

export const mailboxFiltersQuery = queryOptions({
  queryKey: ['webmail', 'filters'],
  queryFn: ({ signal }) => sendMailbox<List<Filter>>('GET', `/api/mail/filters?${ALL}`, { signal }),
})

/** The filter API of one's own mailbox, for the filter form. */
export const mailboxFilterApi = {
  validate: (script: string, signal: AbortSignal) =>
    sendMailbox<FilterValidation>('POST', '/api/mail/filters/validate', { body: { script }, signal }),
  read: (id: string) => sendMailbox<Filter>('GET', `/api/mail/filters/${id}`),
  create: (body: FilterBody) => sendMailbox<Filter>('POST', '/api/mail/filters', { body }),
  update: (id: string, body: Partial<FilterBody> & { position?: number }) =>
    sendMailbox<Filter>('PATCH', `/api/mail/filters/${id}`, { body }),
}
type FilterBody = { name: string; script: string; enabled: boolean }
export const deleteFilter = (id: string) => sendMailbox<unknown>('DELETE', `/api/mail/filters/${id}`)

const CONTACTS_PER_PAGE = 25

export type ContactsRequest = { search: string; page: number; sort: string; direction: string }

export const contactsPageQuery = ({ search, page, sort, direction }: ContactsRequest) =>
  queryOptions({
    queryKey: ['webmail', 'contacts', 'page', search, page, sort, direction],
    queryFn: ({ signal }) => {
      const paging = { page: String(page), per_page: String(CONTACTS_PER_PAGE), sort, direction }
      const query = new URLSearchParams({ ...paging, ...(search ? { search } : {}) })
      return sendMailbox<List<Contact>>('GET', `/api/mail/contacts?${query}`, { signal })
    },
    placeholderData: keepPreviousData,
  })
export type ContactBody = { name: string; email: string; note: string }
export const createContact = (body: ContactBody) => sendMailbox<Contact>('POST', '/api/mail/contacts', { body })
export const changeContact = (id: string, body: Partial<ContactBody>) =>
  sendMailbox<Contact>('PATCH', `/api/mail/contacts/${id}`, { body })
export const deleteContact = (id: string) => sendMailbox<unknown>('DELETE', `/api/mail/contacts/${id}`)

export const ownAppPasswordsQuery = queryOptions({
  queryKey: ['webmail', 'app-passwords'],
  queryFn: ({ signal }) => sendMailbox<List<AppPassword>>('GET', `/api/mail/app-passwords?${ALL}`, { signal }),
})
export const createAppPassword = (body: {
  name: string
  scopes: readonly AppPasswordScope[]
  expires_at: string | null
}) => sendMailbox<CreatedAppPassword>('POST', '/api/mail/app-passwords', { body })
export const deleteAppPassword = (id: string) => sendMailbox<unknown>('DELETE', `/api/mail/app-passwords/${id}`)

export const mailboxSessionsQuery = queryOptions({
  queryKey: ['webmail', 'sessions'],
  queryFn: ({ signal }) => sendMailbox<List<Session>>('GET', `/api/mail/sessions?${ALL}`, { signal }),
})
export const endOtherSessions = () => sendMailbox<SessionRevocation>('POST', '/api/mail/sessions/revoke-others')
export const changePassword = (body: { current_password: string; password: string }) =>
  sendMailbox<Mailbox>('POST', '/api/mail/password', { body })
