import type { CreateUserInput, UpdateUserInput, User } from '@stoa/cms-model/accounts.ts'
import type { CreateInvitationInput, Invitation, IssuedInvitation } from '@stoa/cms-model/invitations.ts'
import type { AgentKey } from '@stoa/cms-model/keys.ts'
import type { List } from '@stoa/cms-model/lists.ts'
import { messageOf, ProblemError } from '@stoa/ui/request/problem.ts'
import { queryOptions } from '@tanstack/react-query'
import { agentKeysKey } from '../accounts/queries.ts'
import { ALL, hasCode, ifMatch, sendSignedIn } from '../api.ts'

const PEOPLE_PER_PAGE = 25

export type PeopleFilter = { q: string; sort: string; page: number }

/** The common prefix of the query keys of all lists of people. */
export const peopleKey = ['people'] as const

export const peopleQuery = ({ q, sort, page }: PeopleFilter) =>
  queryOptions({
    queryKey: [...peopleKey, { q, sort, page }],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ sort, page: String(page), limit: String(PEOPLE_PER_PAGE) })
      if (q !== '') query.set('q', q)
      return sendSignedIn<List<User>>('GET', `/api/users?${query}`, { signal })
    },
    placeholderData: (before) => before,
  })

/** Everybody, for a choice. */
export const everybodyQuery = queryOptions({
  queryKey: [...peopleKey, 'all'],
  queryFn: ({ signal }) => sendSignedIn<List<User>>('GET', `/api/users?${ALL}`, { signal }),
})

/** The agent keys of one person, or of everybody: `all`. */
export const everyAgentKeyQuery = ({ account, page }: { account: string; page: number }) =>
  queryOptions({
    queryKey: [...agentKeysKey, { account, page }],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ account, page: String(page), limit: String(PEOPLE_PER_PAGE) })
      return sendSignedIn<List<AgentKey>>('GET', `/api/agent-keys?${query}`, { signal })
    },
    placeholderData: (before) => before,
  })

const pathOf = (id: string) => `/api/users/${encodeURIComponent(id)}`

export const personQuery = (id: string) =>
  queryOptions({
    queryKey: [...peopleKey, 'one', id],
    queryFn: ({ signal }) => sendSignedIn<User>('GET', pathOf(id), { signal }),
  })

export const readPerson = (id: string) => sendSignedIn<User>('GET', pathOf(id))

export const createPerson = (body: CreateUserInput) =>
  sendSignedIn<User>('POST', '/api/users', { body }).catch(blameEmail)

export const updatePerson = (id: string, body: UpdateUserInput, version: number | 'any') =>
  sendSignedIn<User>('PUT', pathOf(id), { body, headers: ifMatch(version) }).catch(blameEmail)

export const deactivatePerson = (id: string) => sendSignedIn<undefined>('DELETE', pathOf(id), { body: {} })

/** The common prefix of the query keys of all lists of invitations. */
export const invitationsKey = ['invitations'] as const

export const invitationsQuery = (page: number) =>
  queryOptions({
    queryKey: [...invitationsKey, { page }],
    queryFn: ({ signal }) =>
      sendSignedIn<List<Invitation>>('GET', `/api/invitations?page=${page}&limit=${PEOPLE_PER_PAGE}`, { signal }),
    placeholderData: (before) => before,
  })

const invitationPath = (id: string) => `/api/invitations/${encodeURIComponent(id)}`

export const invite = (body: CreateInvitationInput) =>
  sendSignedIn<IssuedInvitation>('POST', '/api/invitations', { body }).catch(blameInvited)

export const renewInvitation = ({ id, version }: Invitation) =>
  sendSignedIn<IssuedInvitation>('POST', `${invitationPath(id)}/renew`, { body: {}, headers: ifMatch(version) })

export const withdrawInvitation = ({ id, version }: Invitation) =>
  sendSignedIn<undefined>('DELETE', invitationPath(id), { body: {}, headers: ifMatch(version) })

const blameInvited = (error: unknown): never => {
  if (!hasCode(error, 'EMAIL_TAKEN')) throw error
  const message = 'This person already has an account or an open invitation.'
  throw new ProblemError(messageOf(error), [{ key: 'email', message }])
}

const blameEmail = (error: unknown): never => {
  if (!hasCode(error, 'EMAIL_TAKEN')) throw error
  throw new ProblemError(messageOf(error), [{ key: 'email', message: 'Someone already uses this email.' }])
}
