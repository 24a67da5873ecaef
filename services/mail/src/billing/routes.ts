import { leaveUnread } from '@stoa/kit/http/leave-unread.ts'
import { PUBLIC, reply } from '@stoa/kit/http/route.ts'
import {
  type BillingProvider,
  billingProvider,
  checkoutSession,
  paymentMethod,
  paymentMethodDeleted,
  paymentMethodInput,
  paymentMethodList,
  paymentMethodListQuery,
  paymentsReceived,
  setupCheckoutInput,
  subscriptionCheckoutInput,
  taxId,
  taxIdInput,
  transaction,
  transactionList,
  transactionListQuery,
} from '@stoa/mail-model/billing.ts'
import { toList } from '@stoa/mail-model/list.ts'
import { subscription, subscriptionInput } from '@stoa/mail-model/plans.ts'
import { z } from 'zod'
import { route } from '../context.ts'
import { fail } from '../errors.ts'
import { CURRENCY } from '../plans/offers.ts'
import { cancelSubscription, subscribe } from './subscriptions.ts'
import { getTaxId, setTaxId } from './tax-id.ts'

const ofMethod = z.object({ method_id: z.uuid() })
const ofTransaction = z.object({ transaction_id: z.uuid() })

/** A callback has a few kilobytes. */
const MAX_CALLBACK = 256 * 1024

const NO_PROVIDER: BillingProvider = {
  object: 'billing_provider',
  provider: null,
  configured: false,
  publishable_key: null,
  currency: CURRENCY,
}

const failNoProvider = (): never =>
  fail('validation_error', { message: 'This instance has no payment provider: nothing can be paid here.' })

/** No instance has any before it has a payment provider. */
const failNotFound = async (): Promise<never> => fail('not_found')

export const billingRoutes = [
  route({
    method: 'POST',
    path: '/api/subscription',
    summary: 'Subscribe to a plan',
    auth: ['session'],
    access: 'account',
    body: subscriptionInput,
    output: subscription,
    status: 201,
    run: async (ctx, { body }) => {
      const { subscription, isNew } = await subscribe(ctx, body)
      return reply(subscription, { status: isNew ? 201 : 200 })
    },
  }),
  route({
    method: 'POST',
    path: '/api/subscription/cancel',
    summary: 'Cancel at the end of the period',
    auth: ['session'],
    access: 'account',
    output: subscription,
    run: cancelSubscription,
  }),
  route({
    method: 'GET',
    path: '/api/billing/provider',
    summary: 'Which payment provider is configured',
    auth: ['session'],
    access: 'account',
    output: billingProvider,
    run: () => NO_PROVIDER,
  }),
  route({
    method: 'POST',
    path: '/api/billing/checkout/subscription',
    summary: 'Hosted checkout for a subscription',
    auth: ['session'],
    access: 'account',
    body: subscriptionCheckoutInput,
    output: checkoutSession,
    status: 201,
    run: failNoProvider,
  }),
  route({
    method: 'POST',
    path: '/api/billing/checkout/setup',
    summary: 'Hosted checkout to add a payment method',
    auth: ['session'],
    access: 'account',
    body: setupCheckoutInput,
    output: checkoutSession,
    status: 201,
    run: failNoProvider,
  }),
  route({
    method: 'GET',
    path: '/api/billing/payment-methods',
    summary: 'List payment methods',
    auth: ['session'],
    access: 'account',
    query: paymentMethodListQuery,
    output: paymentMethodList,
    run: (_ctx, { query }) => toList(query, 0, []),
  }),
  route({
    method: 'POST',
    path: '/api/billing/payment-methods',
    summary: 'Record a payment method',
    auth: ['session'],
    access: 'account',
    body: paymentMethodInput,
    output: paymentMethod,
    status: 201,
    run: failNoProvider,
  }),
  route({
    method: 'POST',
    path: '/api/billing/payment-methods/:method_id/default',
    summary: 'Make a payment method the default',
    auth: ['session'],
    access: 'account',
    params: ofMethod,
    output: paymentMethod,
    load: failNotFound,
    run: (_ctx, { loaded }) => loaded,
  }),
  route({
    method: 'DELETE',
    path: '/api/billing/payment-methods/:method_id',
    summary: 'Remove a payment method',
    auth: ['session'],
    access: 'account',
    params: ofMethod,
    output: paymentMethodDeleted,
    load: failNotFound,
    run: (_ctx, { loaded }) => loaded,
  }),
  route({
    method: 'GET',
    path: '/api/billing/transactions',
    summary: 'List transactions',
    auth: ['session'],
    access: 'account',
    query: transactionListQuery,
    output: transactionList,
    run: (_ctx, { query }) => toList(query, 0, []),
  }),
  route({
    method: 'GET',
    path: '/api/billing/transactions/:transaction_id',
    summary: 'Read a transaction',
    auth: ['session'],
    access: 'account',
    params: ofTransaction,
    output: transaction,
    load: failNotFound,
    run: (_ctx, { loaded }) => loaded,
  }),
  route({
    method: 'GET',
    path: '/api/billing/tax-id',
    summary: 'Read the tax id',
    auth: ['session'],
    access: 'account',
    output: taxId,
    run: getTaxId,
  }),
  route({
    method: 'PUT',
    path: '/api/billing/tax-id',
    summary: 'Set the tax id',
    auth: ['session'],
    access: 'account',
    body: taxIdInput,
    output: taxId,
    run: (ctx, { body }) => setTaxId(ctx, body),
  }),
  route({
    method: 'POST',
    path: '/api/webhooks/payments',
    summary: 'Settlement callback of the payment provider',
    auth: PUBLIC,
    access: 'anyone',
    // It is sent by the provider's server, and proved by its signature
    crossOrigin: true,
    form: z.looseObject({}),
    describes: { body: { 'application/json': null } },
    output: paymentsReceived,
    run: (_ctx, { request }) => {
      leaveUnread(request.raw, MAX_CALLBACK)
      return fail('validation_error', { message: 'No payment provider is configured: the signature is not known.' })
    },
  }),
]
