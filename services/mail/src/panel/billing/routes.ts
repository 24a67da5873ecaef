import { PUBLIC, reply } from '@stoa/kit/http/route.ts'
import {
  type BillingProvider,
  billingPreview,
  billingPreviewInput,
  billingProvider,
  checkoutSession,
  instanceSubscriptionList,
  instanceSubscriptionListQuery,
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
import { subscription, subscriptionInput } from '@stoa/mail-model/plans.ts'
import { z } from 'zod'
import { type Ctx, route } from '../../context.ts'
import { currencyOf } from '../../hosting/plans/plans.ts'
import { openSetupCheckout, openSubscriptionCheckout } from './checkouts.ts'
import { getInstanceSubscriptions } from './instance.ts'
import { getMethods, loadMethod, recordMethod, removeMethod, setDefaultMethod } from './methods.ts'
import { previewPlan } from './preview.ts'
import { cancelSubscription, subscribe } from './subscriptions.ts'
import { receiveCallback } from './sync/callback.ts'
import { getTaxId, setTaxId } from './tax-id.ts'
import { getTransactions, loadTransaction, transactionJson } from './transactions.ts'

const ofMethod = z.object({ method_id: z.uuid() })
const ofTransaction = z.object({ transaction_id: z.uuid() })

const getProvider = ({ parts: { payments, prices } }: Ctx): BillingProvider => ({
  object: 'billing_provider',
  provider: payments?.name ?? null,
  configured: payments !== null,
  publishable_key: payments?.publishableKey ?? null,
  currency: currencyOf(prices),
})

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
    run: getProvider,
  }),
  route({
    method: 'POST',
    path: '/api/billing/preview',
    summary: 'Preview the cost of a plan change',
    auth: ['session'],
    access: 'account',
    body: billingPreviewInput,
    output: billingPreview,
    run: (ctx, { body }) => previewPlan(ctx, body),
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
    run: (ctx, { body }) => openSubscriptionCheckout(ctx, body),
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
    run: (ctx, { body }) => openSetupCheckout(ctx, body),
  }),
  route({
    method: 'GET',
    path: '/api/billing/payment-methods',
    summary: 'List payment methods',
    auth: ['session'],
    access: 'account',
    query: paymentMethodListQuery,
    output: paymentMethodList,
    run: (ctx, { query }) => getMethods(ctx, query),
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
    run: (ctx, { body }) => recordMethod(ctx, body),
  }),
  route({
    method: 'POST',
    path: '/api/billing/payment-methods/:method_id/default',
    summary: 'Make a payment method the default',
    auth: ['session'],
    access: 'account',
    params: ofMethod,
    output: paymentMethod,
    load: (ctx, { params }) => loadMethod(ctx, params.method_id),
    run: (ctx, { loaded }) => setDefaultMethod(ctx, loaded),
  }),
  route({
    method: 'DELETE',
    path: '/api/billing/payment-methods/:method_id',
    summary: 'Remove a payment method',
    auth: ['session'],
    access: 'account',
    params: ofMethod,
    output: paymentMethodDeleted,
    load: (ctx, { params }) => loadMethod(ctx, params.method_id),
    run: (ctx, { loaded }) => removeMethod(ctx, loaded),
  }),
  route({
    method: 'GET',
    path: '/api/billing/transactions',
    summary: 'List transactions',
    auth: ['session'],
    access: 'account',
    query: transactionListQuery,
    output: transactionList,
    run: (ctx, { query }) => getTransactions(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/api/billing/transactions/:transaction_id',
    summary: 'Read a transaction',
    auth: ['session'],
    access: 'account',
    params: ofTransaction,
    output: transaction,
    load: (ctx, { params }) => loadTransaction(ctx, params.transaction_id),
    run: (_ctx, { loaded }) => transactionJson(loaded),
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
    method: 'GET',
    path: '/api/instance/subscriptions',
    summary: 'Subscriptions of all accounts, with totals',
    auth: ['session'],
    access: 'owner',
    query: instanceSubscriptionListQuery,
    output: instanceSubscriptionList,
    run: (ctx, { query }) => getInstanceSubscriptions(ctx, query),
  }),
  route({
    method: 'POST',
    path: '/api/webhooks/payments',
    summary: 'Settlement callback of the payment provider',
    auth: PUBLIC,
    access: 'anyone',
    // The provider's server sends it, and its signature proves that
    crossOrigin: true,
    form: z.looseObject({}),
    describes: { body: { 'application/json': null } },
    output: paymentsReceived,
    run: (ctx, { request }) => receiveCallback(ctx, request),
  }),
]
