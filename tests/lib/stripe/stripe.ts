import { once } from 'node:events'
import { createServer } from 'node:http'
import { DECLINES, type DeclineName, makeMethod, TEST_CARDS, type TestCardName } from './cards.ts'
import { advanceClock } from './clock.ts'
import { type DeliverOptions, type Delivery, inOrder, payloadOf, sendEvent, type WebhookEndpoint } from './delivery.ts'
import { change, emit, type Signing, signatureOf } from './events.ts'
import { attach } from './methods.ts'
import type {
  Charge,
  Customer,
  Invoice,
  PaymentMethod,
  Session,
  StripeEvent,
  Subscription,
  TaxIdStatus,
} from './objects.ts'
import { handlePage, returnUrl } from './page.ts'
import { type Gate, handleApi, type StripeFailure, type StripeRequest } from './server.ts'
import { completeSession } from './sessions.ts'
import { add, all, base, get, nowOf, type Store, type StripeSettings } from './store.ts'
import { verifyTaxId } from './tax-ids.ts'

export type { DeclineName, TestCardName } from './cards.ts'
export type { DeliverOptions, Delivery, WebhookEndpoint } from './delivery.ts'
export type { StripeEvent } from './objects.ts'
export type { StripeFailure, StripeRequest } from './server.ts'
export type { StripeSettings } from './store.ts'

export type FakeStripeOptions = {
  secretKey?: string
  /** The API version that the SDK sends as `Stripe-Version`. */
  apiVersion?: string
  /** The real present; `advance` adds to it. */
  now?: () => Date
  settings?: Partial<StripeSettings>
  webhook?: WebhookEndpoint
  port?: number
}

/** Money that was really taken. */
export type TakenCharge = {
  id: string
  customer: string
  amount: number
  currency: string
  refunded: number
  /** The invoice that it paid. */
  invoice: string | null
}

export type FakeStripe = {
  /** For `STRIPE_API_BASE`. */
  readonly url: string
  readonly port: number
  readonly secretKey: string
  readonly settings: StripeSettings
  /** The requests so far, oldest first. */
  readonly requests: readonly StripeRequest[]
  /** Everything that happened, oldest first. */
  readonly events: readonly StripeEvent[]
  /** Events that have not been sent to an endpoint yet. */
  readonly pending: readonly StripeEvent[]
  customers(): Customer[]
  subscriptions(): Subscription[]
  invoices(): Invoice[]
  sessions(): Session[]
  charges(): TakenCharge[]
  now(): Date
  /** Lets time pass there: renewals, trials, retries, ends. */
  advance(ms: number): void
  fail(failure: StripeFailure): void
  /** Does what a person does on the hosted page; answers with the address that they are sent to. */
  completeCheckout(session: string, card?: TestCardName): string
  /** A method of a customer, as if it had been saved on the page. */
  addMethod(customer: string, card?: TestCardName): PaymentMethod
  /** From now on the bank refuses it, or wants 3-D Secure (`challenge`); null fixes it. */
  setDecline(method: string, decline: DeclineName | 'challenge' | null): void
  verifyTaxId(id: string, status: TaxIdStatus): void
  dispute(charge: string): void
  /** Moves all that one customer has to another, which never happens: code that goes by ids alone accepts it. */
  giveAll(from: string, to: string): void
  /** The endpoint that receives events; with `auto` each event is sent when it happens. */
  sendTo(endpoint: WebhookEndpoint, options?: { auto?: boolean }): void
  /** Sends what waits, one after the other. */
  deliver(options?: DeliverOptions): Promise<Delivery[]>
  /** Sends one again, or one that never happened. */
  redeliver(event: StripeEvent, options?: { at?: Date }): Promise<Delivery>
  /** Forgets what waits: it is lost. Answers with it. */
  lose(only?: (event: StripeEvent) => boolean): StripeEvent[]
  /** An event that waits, of any type and object. */
  makeEvent(type: string, object: Record<string, unknown>): StripeEvent
  payload(event: StripeEvent): string
  sign(payload: string | Buffer, options?: Partial<Signing>): string
  /** Until what `auto` began to send has arrived. */
  settled(): Promise<void>
  close(): Promise<void>
}

const SETTINGS: StripeSettings = {
  retryDays: [3, 5, 7],
  afterRetries: 'canceled',
  draftMs: 3_600_000,
  taxPercent: 19,
  debitMs: 3 * 86_400_000,
  taxIdStatus: () => 'verified',
  searchLagMs: 60_000,
}

/** The version that the installed SDK is made for. */
export const API_VERSION = '2026-09-30.endive'

/** A strict Stripe on loopback: the API, the pages that people see, events and a clock. */
export const startFakeStripe = async (options: FakeStripeOptions = {}): Promise<FakeStripe> => {
  const server = createServer((request, response) => {
    const handled = request.url?.startsWith('/v1/')
      ? handleApi(gate, request, response)
      : handlePage(gate.store, request, response)
    handled.catch((error: unknown) => {
      // A connection that is gone ends the reading of a body; anything else is a fault of the fake.
      if (!request.destroyed) console.error(error)
      request.destroy()
    })
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the fake Stripe has no port')
  const url = `http://127.0.0.1:${address.port}`
  const gate = createGate(options, url)
  return {
    url,
    port: address.port,
    secretKey: gate.secretKey,
    settings: gate.store.settings,
    requests: gate.requests,
    events: gate.store.events,
    fail: (failure) => gate.failures.push({ ...failure, left: failure.times ?? 1 }),
    ...looks(gate.store),
    ...controls(gate.store),
    ...webhooks(gate.store, options),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const createGate = (options: FakeStripeOptions, origin: string): Gate => {
  const now = options.now ?? (() => new Date())
  return {
    store: {
      origin,
      settings: { ...SETTINGS, ...options.settings },
      apiVersion: options.apiVersion ?? API_VERSION,
      clock: { now: () => now().getTime(), ahead: 0 },
      kinds: new Map(),
      deleted: new Map(),
      cards: new Map(),
      prorations: new Map(),
      checkouts: new Map(),
      events: [],
      onEvent: () => undefined,
      request: { id: null, idempotency_key: null },
    },
    secretKey: options.secretKey ?? 'sk_test_fake',
    requests: [],
    failures: [],
    answers: new Map(),
  }
}

const looks = (store: Store) => ({
  customers: () => all(store, 'customer'),
  subscriptions: () => all(store, 'subscription'),
  invoices: () => all(store, 'invoice'),
  sessions: () => all(store, 'checkout.session'),
  charges: () =>
    all(store, 'charge')
      .filter(({ status }) => status === 'succeeded')
      .map((charge) => taken(store, charge)),
  now: () => new Date(nowOf(store) * 1000),
})

const taken = (store: Store, charge: Charge): TakenCharge => ({
  id: charge.id,
  customer: charge.customer,
  amount: charge.amount,
  currency: charge.currency,
  refunded: charge.amount_refunded,
  invoice:
    all(store, 'invoice_payment').find(({ payment }) => payment.payment_intent === charge.payment_intent)?.invoice ??
    null,
})

const controls = (store: Store) => ({
  advance: (ms: number) => advanceClock(store, ms),
  completeCheckout: (id: string, card: TestCardName = 'visa') => {
    const session = get(store, 'checkout.session', id)
    completeSession(store, session, {
      method: makeMethod(store, card),
      challenged: true,
      ...(session.automatic_tax.enabled && { country: 'DE' }),
    })
    return returnUrl(session)
  },
  addMethod: (customer: string, card: TestCardName = 'visa') =>
    attach(store, add(store, makeMethod(store, card)), customer),
  setDecline: (method: string, decline: DeclineName | 'challenge' | null) => {
    get(store, 'payment_method', method)
    const wanted = decline === 'challenge' || decline === null ? decline : DECLINES[decline]
    store.cards.set(method, { ...TEST_CARDS.visa.behaviour, present: wanted, later: wanted })
  },
  verifyTaxId: (id: string, status: TaxIdStatus) => verifyTaxId(store, get(store, 'tax_id', id), status),
  giveAll: (from: string, to: string) => {
    for (const kind of store.kinds.values())
      for (const object of kind.values())
        if ('customer' in object && object.customer === from) Object.assign(object, { customer: to })
  },
  dispute: (id: string) => {
    const charge = get(store, 'charge', id)
    const dispute = add(store, {
      ...base(store, 'dispute', 'du', 24),
      amount: charge.amount,
      charge: charge.id,
      currency: charge.currency,
      payment_intent: charge.payment_intent,
      reason: 'fraudulent' as const,
      status: 'needs_response' as const,
    })
    change(store, 'charge.updated', charge, { disputed: true })
    emit(store, 'charge.dispute.created', dispute)
  },
})

const webhooks = (store: Store, options: FakeStripeOptions) => {
  const now = options.now ?? (() => new Date())
  let endpoint = options.webhook
  let isAuto = false
  let sending: Promise<unknown> = Promise.resolve()
  const pending: StripeEvent[] = []
  const target = (): WebhookEndpoint => {
    if (!endpoint) throw new Error('sendTo says where events go')
    return endpoint
  }
  const take = (only: (event: StripeEvent) => boolean): StripeEvent[] => {
    const wanted = pending.filter(only)
    pending.splice(0, pending.length, ...pending.filter((event) => !wanted.includes(event)))
    return wanted
  }
  store.onEvent = (event) => {
    if (!isAuto) return void pending.push(event)
    sending = sending.then(() => sendEvent(event, target(), now()))
  }
  return {
    pending,
    sendTo: (to: WebhookEndpoint, { auto = false } = {}) => {
      endpoint = to
      isAuto = auto
    },
    deliver: async ({ only = () => true, order, times = 1, at }: DeliverOptions = {}) => {
      const sent: Delivery[] = []
      const wanted = take(only).flatMap((event) => Array.from({ length: times }, () => event))
      for (const event of inOrder(wanted, order)) sent.push(await sendEvent(event, target(), at ?? now()))
      return sent
    },
    redeliver: (event: StripeEvent, { at = now() } = {}) => sendEvent(event, target(), at),
    lose: (only: (event: StripeEvent) => boolean = () => true) => take(only),
    makeEvent: (type: string, object: Record<string, unknown>) => emit(store, type, object),
    payload: payloadOf,
    sign: (payload: string | Buffer, { secrets = target().secrets, at = now() }: Partial<Signing> = {}) =>
      signatureOf(payload, { secrets, at }),
    settled: async () => void (await sending),
  }
}
