import type { Ctx } from '../../context.ts'
import { lockPlan } from '../../hosting/plans/plans.ts'
import { sessionOf } from '../../principal.ts'
import type { BillingAttempt } from './lock.ts'
import { findCustomer, insertCustomer } from './payment-queries.ts'
import { type PaymentProvider, ProviderError } from './provider.ts'
import type { PaidParts } from './sync/sync.ts'

/** The customer of the caller's account. */
export const customerOf = (ctx: Ctx, payments: PaymentProvider, turn: BillingAttempt): Promise<string> =>
  customerFor({ ...ctx.parts, payments }, sessionOf(ctx).account, turn)

type Payer = { id: string; email: string; name: string | null }

/**
 * An account at the provider, made when it is first needed. One whose creation was not answered is found again: by its
 * key, and later by the account's id.
 */
export const customerFor = async (
  { database, clock, payments }: Pick<PaidParts, 'database' | 'clock' | 'payments'>,
  account: Payer,
  turn: BillingAttempt,
): Promise<string> => {
  const { id } = account
  const known = await findCustomer(database.db, id)
  if (known) return known.reference
  const found = await payments.findCustomer(id).catch(withoutSearch)
  const reference = found ?? (await create(payments, account, turn))
  return database.tx(async (tx) => {
    await lockPlan(tx, id)
    return insertCustomer(tx, { account_id: id, reference, created_at: clock.now() })
  })
}

const create = async (payments: PaymentProvider, { id, email, name }: Payer, turn: BillingAttempt): Promise<string> => {
  const key = await turn.begin('customer')
  const reference = await payments.createCustomer({ accountId: id, email, name, key }).catch(awaitFirst)
  await turn.settle()
  return reference
}

/** The provider does not search in every country: there, only its key finds a customer again. */
const withoutSearch = (error: unknown): undefined => {
  if (error instanceof ProviderError && (error.problem === 'not_found' || error.problem === 'invalid')) return
  throw error
}

/** The key was used with the address that the account had then: that customer is found in a while. */
const awaitFirst = (error: unknown): never => {
  if (error instanceof ProviderError && error.problem === 'invalid')
    throw new ProviderError('unavailable', error.message)
  throw error
}
