import type { Database } from '@stoa/kit/db/database.ts'
import type { Tables } from '@stoa/mail/tables.ts'
import type { FakeStripe } from '../../lib/stripe/stripe.ts'
import type { Report } from '../outcomes.ts'
import type { Action } from './actions.ts'
import type { Payer } from './payers.ts'

type Books = { stripe: FakeStripe; database: Database<Tables> }
type Round = { payer: Payer; action: Action }

/** Compares what the provider has with what stands here, account by account. */
export const checkBooks = async ({ stripe, database }: Books, rounds: readonly Round[]): Promise<Report> => {
  const broken: string[] = []
  let taken = 0
  for (const { payer, action } of rounds) {
    const problems = [
      ...checkProvider(stripe, payer, action),
      ...(await checkHere({ stripe, database }, payer, action)),
    ]
    broken.push(...problems.map((problem) => `${action.name}: ${problem}`))
    taken += chargesOf(stripe, payer).reduce((sum, { amount }) => sum + amount, 0)
  }
  return { figures: { accounts: rounds.length, taken_cents: taken }, broken }
}

const customersOf = (stripe: FakeStripe, { id }: Payer) =>
  stripe.customers().filter(({ metadata }) => metadata.account_id === id)

const chargesOf = (stripe: FakeStripe, payer: Payer) => {
  const own = new Set(customersOf(stripe, payer).map(({ id }) => id))
  return stripe.charges().filter(({ customer }) => own.has(customer))
}

const subscriptionsOf = (stripe: FakeStripe, payer: Payer) => {
  const own = new Set(customersOf(stripe, payer).map(({ id }) => id))
  return stripe.subscriptions().filter(({ customer }) => own.has(customer))
}

/** One customer, one subscription, and no charge more than was asked for. */
const checkProvider = (stripe: FakeStripe, payer: Payer, action: Action): string[] => {
  const charges = chargesOf(stripe, payer).length
  const customers = customersOf(stripe, payer).length
  const subscriptions = subscriptionsOf(stripe, payer)
  const running = subscriptions.filter(({ ended_at }) => ended_at === null).length
  const wanted = action.plan === 'free' ? 0 : 1
  return [
    ...(customers === 1 ? [] : [`there are ${customers} customers`]),
    ...(subscriptions.length === 1 ? [] : [`there were ${subscriptions.length} subscriptions`]),
    ...(running === wanted ? [] : [`${running} subscriptions run`]),
    ...(charges === action.charges ? [] : [`it was charged ${charges} times`]),
  ]
}

/** What the tables say of the same. An account that was deleted is purged with them. */
const checkHere = async ({ stripe, database }: Books, payer: Payer, action: Action): Promise<string[]> => {
  if (action.plan === 'free') return []
  const { db } = database
  const rows = await db
    .selectFrom('payment_transaction')
    .select(['reference', 'amount_cents', 'status'])
    .where('account_id', '=', payer.id)
    .where('type', '=', 'charge')
    .execute()
  const account = await db.selectFrom('account').select('plan').where('id', '=', payer.id).executeTakeFirst()
  const here = rows.map(({ reference, amount_cents, status }) => `${reference} ${amount_cents} ${status}`).sort()
  const there = chargesOf(stripe, payer)
    .map(({ invoice, amount }) => `${invoice} ${amount} paid`)
    .sort()
  const [running] = subscriptionsOf(stripe, payer).filter(({ ended_at }) => ended_at === null)
  const bought = running?.items.data[0]?.price.lookup_key?.split('_')[1]
  const [mirror] = await db
    .selectFrom('subscription')
    .select(['reference', 'status', 'cancel_at_period_end', 'pending_plan'])
    .where('account_id', '=', payer.id)
    .where('ended_at', 'is', null)
    .execute()
  return [
    ...(here.join() === there.join() ? [] : [`${there.join()} was taken, and here stands ${here.join()}`]),
    ...(account?.plan === bought && bought === action.plan ? [] : [`it pays for ${bought} and has ${account?.plan}`]),
    ...(mirror?.reference === running?.id ? [] : ['another subscription stands here']),
    ...(mirror?.cancel_at_period_end === (action.name === 'cancel') ? [] : ['the cancellation does not stand here']),
    ...((mirror?.pending_plan ?? null) === (action.name === 'downgrade' ? 'starter' : null)
      ? []
      : [`the plan to come is ${mirror?.pending_plan}`]),
  ]
}
