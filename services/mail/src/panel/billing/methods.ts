import type { PaymentMethod, PaymentMethodInput, PaymentMethodListRequest } from '@stoa/mail-model/billing.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import type { Ctx } from '../../context.ts'
import { fail, failMember } from '../../errors.ts'
import { sessionOf } from '../../principal.ts'
import { findCheckout, updateCheckout } from './checkout-queries.ts'
import { customerOf } from './customers.ts'
import { type BillingAttempt, inTurn } from './lock.ts'
import {
  findCustomer,
  findDefaultMethod,
  findMethod,
  findMethodByReference,
  listMethods,
  type MethodRow,
} from './payment-queries.ts'
import { paid } from './plan-change.ts'
import { type PaymentProvider, ProviderError } from './provider.ts'
import { findSubscription } from './queries.ts'
import { atProvider, failUnknown, requirePayments } from './refusals.ts'
import { expectChange, syncAccount } from './sync/sync.ts'

export const getMethods = async (ctx: Ctx, list: PaymentMethodListRequest): Promise<List<PaymentMethod>> => {
  const { rows, total } = await listMethods(ctx.db, sessionOf(ctx).account.id, list)
  return toList(list, total, rows.map(methodJson))
}

/** Finds a payment method of the account itself. */
export const loadMethod = async (ctx: Ctx, id: string): Promise<MethodRow> =>
  (await findMethod(ctx.db, { accountId: sessionOf(ctx).account.id, id })) ?? failUnknown('payment method')

/** Records a method that was given to the provider, by its reference there or by the checkout that it was added on. */
export const recordMethod = (ctx: Ctx, body: PaymentMethodInput): Promise<PaymentMethod> => {
  const payments = requirePayments(ctx)
  const { reference, checkout_session_id: checkoutId } = body
  if (!reference && !checkoutId) fail('missing_required_field', { message: 'Missing `reference` field.' })
  if (reference && checkoutId) failMember('reference', 'must not be given together with `checkout_session_id`')
  return inTurn(ctx, (turn) =>
    atProvider(async () => {
      const given = checkoutId
        ? await methodOfCheckout(ctx, payments, checkoutId)
        : await attach(ctx, { payments, turn, reference })
      return methodJson(await adopt(ctx, payments, given))
    }, REFUSALS),
  )
}

/** The error must not reveal whether the reference exists for another customer. */
const failReference = (): never => failMember('reference', "this payment method can't be added")
const REFUSALS = {
  invalid: failReference,
  not_found: failReference,
  declined: (problem: ProviderError) => failMember('reference', `it was declined: ${problem.message}`),
  needs_action: () =>
    failMember('reference', 'it needs a confirmation: add it through POST /api/billing/checkout/setup'),
}

/** An id of the provider has no other signs, and cannot lead elsewhere. */
const REFERENCE = /^[A-Za-z0-9_]+$/

const attach = async (
  ctx: Ctx,
  {
    payments,
    turn,
    reference,
  }: { payments: PaymentProvider; turn: BillingAttempt; reference: string | null | undefined },
): Promise<string> => {
  if (!reference || !REFERENCE.test(reference)) return failReference()
  const known = await findMethodByReference(ctx.db, { accountId: sessionOf(ctx).account.id, reference })
  if (known) return reference
  const customer = await customerOf(ctx, payments, turn)
  await expectChange(ctx.parts, sessionOf(ctx).account.id)
  return payments.attachMethod({ customer, reference })
}

const methodOfCheckout = async (ctx: Ctx, payments: PaymentProvider, id: string): Promise<string> => {
  const accountId = sessionOf(ctx).account.id
  const row = (await findCheckout(ctx.db, { accountId, id, mode: 'setup' })) ?? failUnknown('checkout')
  const customer = await findCustomer(ctx.db, accountId)
  const found = row.reference === null ? undefined : await payments.readCheckout(row.reference)
  if (!found || !customer || found.customer !== customer.reference) return failUnknown('checkout')
  if (found.status !== row.status) await ctx.tx((tx) => updateCheckout(tx, row, { status: found.status }))
  if (found.status !== 'complete' || found.method === null)
    return failMember('checkout_session_id', "this checkout isn't complete")
  return found.method
}

/** The first one becomes the default. */
const adopt = async (ctx: Ctx, payments: PaymentProvider, reference: string): Promise<MethodRow> => {
  const accountId = sessionOf(ctx).account.id
  await syncAccount(ctx.parts, accountId)
  const customer = await findCustomer(ctx.db, accountId)
  if (customer && !(await findDefaultMethod(ctx.db, accountId))) {
    await payments.setDefaultMethod({ customer: customer.reference, reference })
    await syncAccount(ctx.parts, accountId)
  }
  return (await findMethodByReference(ctx.db, { accountId, reference })) ?? failUnknown('payment method')
}

export const setDefaultMethod = (ctx: Ctx, { id, reference }: MethodRow): Promise<PaymentMethod> => {
  const payments = requirePayments(ctx)
  return inTurn(ctx, (turn) =>
    atProvider(
      async () => {
        const accountId = sessionOf(ctx).account.id
        const customer = await customerOf(ctx, payments, turn)
        await expectChange(ctx.parts, accountId)
        await payments.setDefaultMethod({ customer, reference })
        await syncAccount(ctx.parts, accountId)
        return methodJson(await loadMethod(ctx, id))
      },
      { not_found: () => failUnknown('payment method'), invalid: () => failUnknown('payment method') },
    ),
  )
}

/** The default stays while something is paid with it. */
export const removeMethod = (ctx: Ctx, { id, reference }: MethodRow) => {
  const payments = requirePayments(ctx)
  return inTurn(ctx, () =>
    atProvider(async () => {
      const accountId = sessionOf(ctx).account.id
      await syncAccount(ctx.parts, accountId)
      const method = await findMethod(ctx.db, { accountId, id })
      if (method?.is_default && paid(await findSubscription(ctx.db, accountId)))
        fail('conflict', { message: 'Your subscription is paid with this method. Make another one the default first.' })
      await expectChange(ctx.parts, accountId)
      if (method) await payments.detachMethod(reference).catch(ignoreGone)
      await syncAccount(ctx.parts, accountId)
      return { object: 'payment_method', id, deleted: true } as const
    }),
  )
}

const ignoreGone = (problem: unknown): void => {
  if (!(problem instanceof ProviderError && problem.problem === 'not_found')) throw problem
}

/** The reference stays here: it is the provider's. */
const methodJson = (row: MethodRow): PaymentMethod => ({
  object: 'payment_method',
  id: row.id,
  type: row.type,
  brand: row.brand,
  last4: row.last4,
  exp_month: row.exp_month,
  exp_year: row.exp_year,
  is_default: row.is_default,
  created_at: row.created_at.toISOString(),
})
