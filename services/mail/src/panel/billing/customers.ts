import type { Ctx } from '../../context.ts'
import { lockPlan } from '../../hosting/plans/plans.ts'
import { sessionOf } from '../../principal.ts'
import type { Turn } from './lock.ts'
import { findCustomer, insertCustomer } from './payment-queries.ts'
import { type PaymentProvider, ProviderError } from './provider.ts'

/**
 * The account at the provider, made when it is first needed. One whose creation was not answered is found again: by its
 * key, and later by the account's id.
 */
export const customerOf = async (ctx: Ctx, payments: PaymentProvider, turn: Turn): Promise<string> => {
  const { id } = sessionOf(ctx).account
  const known = await findCustomer(ctx.db, id)
  if (known) return known.reference
  const found = await payments.findCustomer(id).catch(withoutSearch)
  const reference = found ?? (await create(ctx, payments, turn))
  return ctx.tx(async (tx) => {
    await lockPlan(tx, id)
    return insertCustomer(tx, { account_id: id, reference, created_at: ctx.now() })
  })
}

const create = async (ctx: Ctx, payments: PaymentProvider, turn: Turn): Promise<string> => {
  const { id: accountId, email, name } = sessionOf(ctx).account
  const key = await turn.begin('customer')
  const reference = await payments.createCustomer({ accountId, email, name, key }).catch(awaitFirst)
  await turn.settle()
  return reference
}

/** The provider does not search in every country: there, only its key finds a customer again. */
export const withoutSearch = (error: unknown): undefined => {
  if (error instanceof ProviderError && (error.problem === 'not_found' || error.problem === 'invalid')) return
  throw error
}

/** The key was used with the address that the account had then: that customer is found in a while. */
const awaitFirst = (error: unknown): never => {
  if (error instanceof ProviderError && error.problem === 'invalid')
    throw new ProviderError('unavailable', error.message)
  throw error
}
