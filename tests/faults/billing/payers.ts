import { hashPassword } from '@stoa/kit/crypto/password.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { createSessionTokens, openSession, SESSION_COOKIE } from '@stoa/mail/hosting/access/access.ts'
import { plantAccount } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { planIdOf } from '@stoa/mail/hosting/plans/offers.ts'
import type { Tables } from '@stoa/mail/tables.ts'
import type { FakeStripe } from '../../lib/stripe/stripe.ts'
import { call, memberOf, must, type Outcome } from '../outcomes.ts'
import { SECRET } from '../service-process.ts'

export type Payer = { id: string; cookie: string }
/** What a payer needs. */
export type At = { url: string; stripe: FakeStripe; payer: Payer }

export const PASSWORD = 'the pass phrase of a payer'

/** So many accounts, with a session each. */
export const payersOf = async (database: Database<Tables>, count: number): Promise<Payer[]> => {
  const password_hash = await hashPassword(PASSWORD)
  const ctx = {
    config: { environment: 'test', publicUrl: 'http://127.0.0.1' },
    now: () => new Date(),
    sessionTokens: createSessionTokens(new Secret(SECRET)),
  }
  await plantAccount(database, { role: 'owner' })
  const payers: Payer[] = []
  for (let made = 0; made < count; made += 1) {
    const { id } = await plantAccount(database, { plan: 'free' })
    await database.tx((tx) => tx.updateTable('account').set({ password_hash }).where('id', '=', id).execute())
    const session = await database.tx((tx) =>
      openSession(ctx as Parameters<typeof openSession>[0], tx, id, { ip: '192.0.2.1', userAgent: 'faults' }),
    )
    payers.push({ id, cookie: `${SESSION_COOKIE}=${session.value}` })
  }
  return payers
}

/** A request of the payer. */
export const ask = ({ url, payer }: At, method: string, path: string, body?: unknown): Promise<Outcome> =>
  call(`${url}${path}`, { method, headers: { cookie: payer.cookie }, ...(body !== undefined && { body }) })

const mustAsk = ({ url, payer }: At, path: string, body: unknown): Promise<unknown> =>
  must(`${url}${path}`, { method: 'POST', headers: { cookie: payer.cookie }, body })

export const subscribe = (at: At, plan: string): Promise<Outcome> =>
  ask(at, 'POST', '/api/subscription', { plan_id: planIdOf(plan) })

export const sessionOf = (stripe: FakeStripe, checkoutId: string) =>
  stripe.sessions().find(({ metadata }) => metadata?.checkout_id === checkoutId)

export type Needs = { card: boolean; plan: string | null }

/** Before anything goes wrong: a card, and a plan that is paid for. */
export const openPayer = async (at: At, { card, plan }: Needs): Promise<void> => {
  if (!card) return
  const id = memberOf(await mustAsk(at, '/api/billing/checkout/setup', {}), 'id')
  const session = sessionOf(at.stripe, id)
  if (!session) throw new Error('the checkout is not at the provider')
  at.stripe.completeCheckout(session.id)
  await mustAsk(at, '/api/billing/payment-methods', { checkout_session_id: id })
  if (plan !== null) await mustAsk(at, '/api/subscription', { plan_id: planIdOf(plan) })
}
