import type {
  BillingPreview,
  billingProvider,
  checkoutSession,
  paymentMethod,
  TaxId,
  TaxIdInput,
  transaction,
} from '@stoa/mail-model/billing.ts'
import type { List } from '@stoa/mail-model/list.ts'
import type { Entitlement, Plan, Subscription } from '@stoa/mail-model/plans.ts'
import { appBase } from '@stoa/ui/request/request.ts'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
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

/** Whether this instance sells plans. Where it does not, no screen mentions money; undefined until it is known. */
export const useSellsPlans = (): boolean | undefined =>
  useQuery(plansQuery).data?.data.some(({ price_cents: price }) => price > 0)

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

/** The oldest invoice that waits to be paid, with the page where it is paid; null when there is none. */
export const openInvoiceQuery = queryOptions({
  queryKey: ['billing', 'open-invoice'],
  queryFn: async ({ signal }) => {
    const { data } = await sendSignedIn<List<Transaction>>('GET', `/api/billing/transactions?${ALL}`, { signal })
    return data.findLast(isOpenInvoice) ?? null
  },
})

export const isOpenInvoice = ({ type, status, invoice_url: url }: Transaction): boolean =>
  type === 'charge' && (status === 'pending' || status === 'failed') && url !== null

export const taxIdQuery = queryOptions({
  queryKey: ['billing', 'tax-id'],
  queryFn: ({ signal }) => sendSignedIn<TaxId>('GET', '/api/billing/tax-id', { signal }),
})

/** The amount due for a change, always fresh: an earlier amount may be wrong by now. */
export const previewQuery = (planId: string) =>
  queryOptions({
    queryKey: ['billing', 'preview', planId],
    queryFn: ({ signal }) =>
      sendSignedIn<BillingPreview>('POST', '/api/billing/preview', { body: { plan_id: planId }, signal }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })

export const subscribe = (planId: string) =>
  sendSignedIn<Subscription>('POST', '/api/subscription', { body: { plan_id: planId } })
export const cancelSubscription = () => sendSignedIn<Subscription>('POST', '/api/subscription/cancel')
export const saveTaxId = (body: Partial<TaxIdInput>) => sendSignedIn<TaxId>('PUT', '/api/billing/tax-id', { body })
export const makeDefault = (id: string) =>
  sendSignedIn<PaymentMethod>('POST', `/api/billing/payment-methods/${id}/default`)
export const removeMethod = (id: string) => sendSignedIn<unknown>('DELETE', `/api/billing/payment-methods/${id}`)
export const recordMethod = (checkoutId: string) =>
  sendSignedIn<PaymentMethod>('POST', '/api/billing/payment-methods', { body: { checkout_session_id: checkoutId } })

/** Plan and limits are shown on many screens. */
export const refreshBilling = (queryClient: QueryClient): Promise<unknown> =>
  Promise.all(
    [['billing'], ['me'], ['overview'], ['instance']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  )

type Checkout = z.infer<typeof checkoutSession>
const here = (path: string) => `${location.origin}${appBase()}${path}`

/** The provider's page, which comes back to the screen that waits for the plan. */
export const checkOutPlan = (planId: string) =>
  sendSignedIn<Checkout>('POST', '/api/billing/checkout/subscription', {
    body: {
      plan_id: planId,
      success_url: here(`/billing/return?plan=${planId}`),
      cancel_url: here('/billing/plans?cancelled=1'),
    },
  })

export const checkOutMethod = () =>
  sendSignedIn<Checkout>('POST', '/api/billing/checkout/setup', {
    body: { success_url: here('/billing/return'), cancel_url: here('/billing?cancelled=1') },
  })
