import type { instanceSubscriptionList } from '@stoa/mail-model/billing.ts'
import type { Instance, InstanceInput } from '@stoa/mail-model/instance.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { sendSignedIn } from '../api.ts'

export const instanceQuery = queryOptions({
  queryKey: ['instance'],
  queryFn: ({ signal }) => sendSignedIn<Instance>('GET', '/api/instance', { signal }),
})

export const saveInstance = (body: InstanceInput) => sendSignedIn<Instance>('PATCH', '/api/instance', { body })

export type SubscriptionList = z.infer<typeof instanceSubscriptionList>
type SubscriptionFilter = { search: string; sort: string; direction: string }

export const subscriptionsQuery = (filter: SubscriptionFilter, page: number) =>
  queryOptions({
    queryKey: ['instance', 'subscriptions', filter, page],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ ...filter, page: String(page), per_page: '25' })
      return sendSignedIn<SubscriptionList>('GET', `/api/instance/subscriptions?${query}`, { signal })
    },
    placeholderData: keepPreviousData,
  })
