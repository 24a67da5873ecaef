import type {
  billingProvider,
  checkoutSession,
  paymentMethod,
  TaxId,
  TaxIdInput,
  transaction,
} from '@stoa/mail-model/billing.ts'
import type { List } from '@stoa/mail-model/list.ts'
import type { Entitlement, Plan, Subscription } from '@stoa/mail-model/plans.ts'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { ALL, sendSignedIn } from '../api.ts'

export type BillingProvider = z.infer<typeof billingProvider>
export type PaymentMethod = z.infer<typeof paymentMethod>
export type Transaction = z.infer<typeof transaction>

export const entitlementQuery = queryOptions({
  queryKey: ['billing', 'entitlement'],
  queryFn: ({ signal }) => sendSignedIn<Entitlement>('GET', '/api/entitlement', { signal }),
})

export const plansQuery = queryOptions({
  queryKey: ['billing', 'plans'],
  queryFn: ({ signal }) => sendSignedIn<List<Plan>>('GET', `/api/plans?${ALL}`, { signal }),
})

export const providerQuery = queryOptions({
  queryKey: ['billing', 'provider'],
  queryFn: ({ signal }) => sendSignedIn<BillingProvider>('GET', '/api/billing/provider', { signal }),
})

export const paymentMethodsQuery = queryOptions({
  queryKey: ['billing', 'payment-methods'],
  queryFn: ({ signal }) => sendSignedIn<List<PaymentMethod>>('GET', `/api/billing/payment-methods?${ALL}`, { signal }),
})

export const transactionsQuery = (page: number) =>
  queryOptions({
    queryKey: ['billing', 'transactions', page],
    queryFn: ({ signal }) =>
      sendSignedIn<List<Transaction>>('GET', `/api/billing/transactions?page=${page}&per_page=10`, { signal }),
  })

export const taxIdQuery = queryOptions({
  queryKey: ['billing', 'tax-id'],
  queryFn: ({ signal }) => sendSignedIn<TaxId>('GET', '/api/billing/tax-id', { signal }),
})

export const subscribe = (planId: string) =>
  sendSignedIn<Subscription>('POST', '/api/subscription', { body: { plan_id: planId } })
export const cancelSubscription = () => sendSignedIn<Subscription>('POST', '/api/subscription/cancel')
export const saveTaxId = (body: Partial<TaxIdInput>) => sendSignedIn<TaxId>('PUT', '/api/billing/tax-id', { body })
export const makeDefault = (id: string) =>
  sendSignedIn<PaymentMethod>('POST', `/api/billing/payment-methods/${id}/default`)
export const removeMethod = (id: string) => sendSignedIn<unknown>('DELETE', `/api/billing/payment-methods/${id}`)

type Checkout = z.infer<typeof checkoutSession>
const returning = () => {
  const here = `${location.origin}/billing`
  return { success_url: `${here}?paid=1`, cancel_url: here }
}
export const checkOutPlan = (planId: string) =>
  sendSignedIn<Checkout>('POST', '/api/billing/checkout/subscription', { body: { plan_id: planId, ...returning() } })
export const checkOutMethod = () => sendSignedIn<Checkout>('POST', '/api/billing/checkout/setup', { body: returning() })
