import { newId } from '@stoa/kit/ids.ts'
import type { TestCardName } from '@stoa/tests/lib/stripe/stripe.ts'
import type Stripe from 'stripe'
import { hostOf } from '../../stripe/testing/ground.ts'
import { type Payer, type PayingGround, startPaying } from '../../testing/paying.ts'
import { type PaidParts, syncAccount } from '../sync.ts'

/** An account with a customer at Stripe, and the card that it pays with there. */
export type Customer = Payer & { reference: string; method: string }

type Terms = Omit<Partial<Stripe.SubscriptionCreateParams>, 'customer' | 'items'>
type CustomerRow = { sync_due_at: Date | null; sync_attempts: number; sync_error: string | null }

export type BillingGround = PayingGround & {
  parts: PaidParts
  /** What the host does on Stripe's own screens. */
  host: Stripe
  /** A customer of whom nothing was read yet. */
  customer(card?: TestCardName): Promise<Customer>
  /** Makes a customer at Stripe for an account. */
  adopt(account: Payer, card?: TestCardName): Promise<Customer>
  /** A subscription that began there, without our knowing. */
  start(customer: Customer, plan: string, terms?: Terms): Promise<Stripe.Subscription>
  /** One who subscribed there, without our knowing. */
  subscribed(plan: string, terms?: Terms): Promise<Customer & { subscription: string }>
  /** Refuses the card from now on, and lets time pass until the renewal has failed. */
  fallDue(customer: Customer): void
  /** Pays what is owed, with the card that works again. */
  pay(customer: Customer): Promise<void>
  /** The invoice that is owed. */
  openInvoice(customer: Customer): string
  priceOf(plan: string): string
  sync(customer: Customer): Promise<void>
  /** Holds the next reading of the customer after it has read the subscription, until it is let go. */
  holdReading(customer: Customer): { begun: Promise<void>; letGo: () => void }
  /** The customers whose reading has begun since it was asked last. */
  takeReadings(): string[]
  planOf(customer: Payer): Promise<string>
  row(customer: Payer): Promise<CustomerRow | undefined>
}

/** The service and a strict Stripe, where things happen that the service was not notified of. */
export const startBillingGround = async (env: Record<string, string> = {}): Promise<BillingGround> => {
  const paying = await startPaying(env)
  const { mail, stripe } = paying
  const payments = mail.parts.payments ?? fail('there is no provider')
  const host = hostOf(stripe)
  const { db } = mail.database
  let seen = 0
  const openInvoice: BillingGround['openInvoice'] = ({ reference }) =>
    stripe.invoices().find(({ customer, status }) => customer === reference && status === 'open')?.id ??
    fail('nothing is owed')
  const ground: BillingGround = {
    ...paying,
    parts: { ...mail.parts, payments },
    host,
    customer: async (card) => ground.adopt(await mail.signUp(), card),
    async adopt(account, card) {
      const { id, email } = account
      const reference = await payments.createCustomer({ accountId: id, email, name: null, key: newId() })
      const { id: method } = stripe.addMethod(reference, card)
      await host.customers.update(reference, { invoice_settings: { default_payment_method: method } })
      await mail.database.tx((tx) =>
        tx.insertInto('billing_customer').values({ account_id: id, reference, created_at: mail.clock.now() }).execute(),
      )
      return { ...account, reference, method }
    },
    start: ({ reference }, plan, terms = {}) =>
      host.subscriptions.create({ customer: reference, items: [{ price: ground.priceOf(plan) }], ...terms }),
    async subscribed(plan, terms) {
      const customer = await ground.customer()
      const { id } = await ground.start(customer, plan, terms)
      return { ...customer, subscription: id }
    },
    fallDue(customer) {
      stripe.setDecline(customer.method, 'generic_decline')
      const isPaid = () => paying.runningOf(customer).every(({ status }) => status === 'active')
      for (let days = 0; isPaid(); days += 1) {
        if (days > MAX_MONTH) fail('nothing falls due')
        paying.pass(1)
      }
    },
    async pay(customer) {
      stripe.setDecline(customer.method, null)
      await host.invoices.pay(openInvoice(customer), { payment_method: customer.method })
    },
    openInvoice,
    priceOf: (plan) => mail.parts.prices.get(plan)?.reference ?? fail(`there is no price of ${plan}`),
    sync: ({ id }) => syncAccount(ground.parts, id),
    holdReading({ reference }) {
      const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      stripe.fail({
        match: ({ path, params }) => path === '/v1/invoices' && params.customer === reference,
        answerUntil: () => {
          begun.resolve()
          return held.promise
        },
      })
      return { begun: begun.promise, letGo: held.resolve }
    },
    takeReadings() {
      const asked = stripe.requests.slice(seen)
      seen = stripe.requests.length
      return asked.flatMap(({ method, path }) => (method === 'GET' && READING.exec(path)?.[1]) || [])
    },
    planOf: async ({ id }) =>
      (await db.selectFrom('account').select('plan').where('id', '=', id).executeTakeFirstOrThrow()).plan,
    row: ({ id }) =>
      db
        .selectFrom('billing_customer')
        .select(['sync_due_at', 'sync_attempts', 'sync_error'])
        .where('account_id', '=', id)
        .executeTakeFirst(),
  }
  return ground
}

const MAX_MONTH = 32
/** Each reading begins with the customer itself. */
const READING = /^\/v1\/customers\/(cus_\w+)$/

const fail = (message: string): never => {
  throw new Error(message)
}
