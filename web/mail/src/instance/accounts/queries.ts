import type { InstanceAccount } from '@stoa/mail-model/instance-accounts.ts'
import type { List } from '@stoa/mail-model/list.ts'
import type { LimitName } from '@stoa/mail-model/plans.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { sendSignedIn } from '../../api.ts'

export const ACCOUNTS = ['instance', 'accounts'] as const

type AccountFilter = { search: string; sort: string; direction: string }

export const accountsQuery = (filter: AccountFilter, page: number) =>
  queryOptions({
    queryKey: [...ACCOUNTS, 'list', filter, page],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ ...filter, page: String(page), per_page: '25' })
      return sendSignedIn<List<InstanceAccount>>('GET', `/api/instance/accounts?${query}`, { signal })
    },
    placeholderData: keepPreviousData,
  })

const pathOf = (id: string) => `/api/instance/accounts/${encodeURIComponent(id)}`

export const accountQuery = (id: string) =>
  queryOptions({
    queryKey: [...ACCOUNTS, 'one', id],
    queryFn: ({ signal }) => sendSignedIn<InstanceAccount>('GET', pathOf(id), { signal }),
  })

export type AccountChange = { plan_id?: string; limits?: Partial<Record<LimitName, number | null>> }

export const saveAccount = (id: string, body: AccountChange) =>
  sendSignedIn<InstanceAccount>('PATCH', pathOf(id), { body })

export const suspendAccount = (id: string, reason: string) =>
  sendSignedIn<InstanceAccount>('POST', `${pathOf(id)}/suspend`, { body: { reason } })

export const resumeAccount = (id: string) => sendSignedIn<InstanceAccount>('POST', `${pathOf(id)}/resume`, { body: {} })

export const resetSignIn = (id: string, totp: boolean) =>
  sendSignedIn<InstanceAccount>('POST', `${pathOf(id)}/reset-sign-in`, { body: { totp } })
