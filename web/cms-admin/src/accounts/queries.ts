import type { Me, UpdateMeInput } from '@stoa/cms-model/accounts.ts'
import type { AgentKey, CreateAgentKeyInput } from '@stoa/cms-model/keys.ts'
import type { List } from '@stoa/cms-model/lists.ts'
import type { RemoveTotpInput, TotpConfirmed, TotpEnrolment } from '@stoa/cms-model/two-factor.ts'
import { messageOf, ProblemError } from '@stoa/ui/request/problem.ts'
import { queryOptions } from '@tanstack/react-query'
import { ALL, hasCode, sendSignedIn } from '../api.ts'

export type MintedAgentKey = AgentKey & { key: string }

/** The common prefix of the query keys of all lists of agent keys. */
export const agentKeysKey = ['agent-keys'] as const

export const agentKeysQuery = queryOptions({
  queryKey: [...agentKeysKey, 'own'],
  queryFn: ({ signal }) => sendSignedIn<List<AgentKey>>('GET', `/api/agent-keys?${ALL}`, { signal }),
})

export const mintAgentKey = (body: CreateAgentKeyInput) =>
  sendSignedIn<MintedAgentKey>('POST', '/api/agent-keys', { body }).catch(blamePassword)

export const revokeAgentKey = (id: string) =>
  sendSignedIn<undefined>('DELETE', `/api/agent-keys/${encodeURIComponent(id)}`, { body: {} })

export const saveMe = (body: UpdateMeInput) => sendSignedIn<Me>('PUT', '/api/auth/me', { body })

export const beginTotp = () => sendSignedIn<TotpEnrolment>('POST', '/api/auth/totp')
export const confirmTotp = (code: string) =>
  sendSignedIn<TotpConfirmed>('POST', '/api/auth/totp/confirm', { body: { code } }).catch(blameCode)
export const removeTotp = (body: RemoveTotpInput) =>
  sendSignedIn<undefined>('DELETE', '/api/auth/totp', { body }).catch(blameCode).catch(blamePassword)

const blamePassword = (error: unknown): never => {
  if (!hasCode(error, 'REAUTH_REQUIRED')) throw error
  throw new ProblemError(messageOf(error), [{ key: 'password', message: 'Wrong password. Try again.' }])
}

const blameCode = (error: unknown): never => {
  if (!hasCode(error, 'TOTP_INVALID')) throw error
  throw new ProblemError(messageOf(error), [{ key: 'code', message: "That code isn't right. Try the current one." }])
}
