import { planIdOf } from '@stoa/mail/hosting/plans/offers.ts'
import { memberOf, type Outcome } from '../outcomes.ts'
import { type At, ask, type Needs, PASSWORD, sessionOf, subscribe } from './payers.ts'

/** Something that costs money, or stops doing so. It can be asked for again until it is answered. */
export type Action = {
  name: string
  needs: Needs
  run(at: At): Promise<Outcome>
  /** What follows once it was answered. */
  finish?(at: At): Promise<void>
  /** How often the account is charged in all, and what it has then. */
  charges: number
  plan: string
}

const SUBSCRIBED = { card: true, plan: 'starter' }

/** Asking for the plan that one has is a conflict: then it was done before. */
const isSubscribed = (outcome: Outcome): Outcome => (outcome.status === 409 ? { ...outcome, status: 200 } : outcome)

/** The page of the provider that is open, or a new one; it is paid on once. */
const payOnPage = async (at: At): Promise<void> => {
  const isPaid = at.stripe.subscriptions().some(({ metadata }) => metadata?.account_id === at.payer.id)
  if (isPaid) return
  const opened = await openCheckout(at)
  const session = sessionOf(at.stripe, memberOf(opened.body, 'id'))
  if (session?.status === 'open') at.stripe.completeCheckout(session.id)
}

const openCheckout = (at: At): Promise<Outcome> =>
  ask(at, 'POST', '/api/billing/checkout/subscription', { plan_id: planIdOf('starter') })

/** A refund that somebody makes on the provider's screens is read after its callback. */
const readByWorker = async (at: At): Promise<Outcome> => {
  const customer = at.stripe.customers().find(({ metadata }) => metadata.account_id === at.payer.id)
  if (customer) at.stripe.addMethod(customer.id)
  await at.stripe.deliver()
  return { status: 200, code: null, milliseconds: 0, body: null }
}

const removeAccount = async (at: At): Promise<Outcome> => {
  const outcome = await ask(at, 'DELETE', '/api/account', { password: PASSWORD })
  // The session went with it.
  return outcome.status === 401 ? { ...outcome, status: 200 } : outcome
}

export const ACTIONS: readonly [Action, ...Action[]] = [
  {
    name: 'subscribe',
    needs: { card: true, plan: null },
    run: async (at) => isSubscribed(await subscribe(at, 'starter')),
    charges: 1,
    plan: 'starter',
  },
  {
    name: 'upgrade',
    needs: SUBSCRIBED,
    run: async (at) => isSubscribed(await subscribe(at, 'pro')),
    charges: 2,
    plan: 'pro',
  },
  {
    name: 'delete the account',
    needs: SUBSCRIBED,
    run: removeAccount,
    charges: 1,
    plan: 'free',
  },
  {
    name: 'check out',
    needs: { card: false, plan: null },
    run: openCheckout,
    finish: payOnPage,
    charges: 1,
    plan: 'starter',
  },
  {
    name: 'downgrade',
    needs: { card: true, plan: 'pro' },
    run: async (at) => isSubscribed(await subscribe(at, 'starter')),
    charges: 1,
    plan: 'pro',
  },
  {
    name: 'cancel',
    needs: SUBSCRIBED,
    run: (at) => ask(at, 'POST', '/api/subscription/cancel'),
    charges: 1,
    plan: 'starter',
  },
  { name: 'callback', needs: SUBSCRIBED, run: readByWorker, charges: 1, plan: 'starter' },
]
