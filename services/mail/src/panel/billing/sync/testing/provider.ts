import type {
  PaymentProvider,
  ProviderCustomer,
  ProviderMethod,
  ProviderSubscription,
  ProviderTransaction,
} from '../../provider.ts'

export const DAY_MS = 86_400_000
export const after = (moment: Date, days: number): Date => new Date(moment.getTime() + days * DAY_MS)

export const NOBODY: ProviderCustomer = {
  balanceCents: 0,
  subscription: null,
  otherSubscriptions: [],
  methods: [],
  transactions: [],
  taxId: null,
}

export const subscriptionOf = (
  now: Date,
  change: Partial<ProviderSubscription> & { reference: string },
): ProviderSubscription => ({
  price: 'price_starter',
  pendingPrice: null,
  plan: 'starter',
  pendingPlan: null,
  priceCents: 500,
  currency: 'eur',
  status: 'active',
  cancelAtPeriodEnd: false,
  periodStart: now,
  periodEnd: after(now, 31),
  trialEnd: null,
  cancelledAt: null,
  endedAt: null,
  pastDueAt: null,
  endedUnpaid: false,
  createdAt: now,
  ...change,
})

export const chargeOf = (
  now: Date,
  change: Partial<ProviderTransaction> & { reference: string },
): ProviderTransaction => ({
  type: 'charge',
  status: 'paid',
  amount_cents: 500,
  tax_cents: 0,
  currency: 'eur',
  description: 'Starter',
  number: null,
  invoice_url: null,
  period_start: now,
  period_end: after(now, 31),
  created_at: now,
  settled_at: now,
  ...change,
})

export const cardOf = (now: Date, change: Partial<ProviderMethod> & { reference: string }): ProviderMethod => ({
  type: 'card',
  brand: 'visa',
  last4: '4242',
  exp_month: 12,
  exp_year: 2030,
  is_default: true,
  created_at: now,
  ...change,
})

export type ScriptedProvider = PaymentProvider & {
  /** By reference; one that is missing was deleted. */
  readonly customers: Map<string, ProviderCustomer>
  /** What was asked for besides readings: `cancelNow sub_1`. */
  readonly calls: string[]
  /** Runs before each reading answers; what it throws is the answer. */
  onRead: (reference: string) => Promise<void> | void
}

/** A provider whose truth a test writes, for orders of events that a server cannot be brought to. */
export const scriptedProvider = (): ScriptedProvider => {
  const customers = new Map<string, ProviderCustomer>()
  const calls: string[] = []
  const credits = new Map<string, string>()
  const unexpected = (name: string) => (): never => {
    throw new Error(`${name} was not expected`)
  }
  const endOne = (reference: string): void => {
    calls.push(`cancelNow ${reference}`)
    for (const [id, customer] of customers) {
      const { subscription, otherSubscriptions } = customer
      const others = otherSubscriptions.filter((other) => other !== reference)
      const isIt = subscription?.reference === reference
      const ended = isIt ? { ...subscription, status: 'cancelled' as const, endedAt: new Date() } : subscription
      customers.set(id, { ...customer, subscription: ended, otherSubscriptions: others })
    }
  }
  const provider: ScriptedProvider = {
    name: 'stripe',
    publishableKey: null,
    signatureHeader: 'signature',
    customers,
    calls,
    onRead: () => undefined,
    async readCustomer(reference) {
      const read = customers.get(reference)
      await provider.onRead(reference)
      return read
    },
    async createCustomer({ accountId }) {
      calls.push(`createCustomer ${accountId}`)
      customers.set(`cus_${accountId}`, NOBODY)
      return `cus_${accountId}`
    },
    findCustomer: async () => undefined,
    async cancelNow({ subscription }) {
      endOne(subscription)
    },
    async expireCheckout(reference) {
      calls.push(`expireCheckout ${reference}`)
    },
    async credit({ customer, amountCents, key }) {
      calls.push(`credit ${customer} ${amountCents}`)
      const reference = credits.get(key) ?? `cbtxn_${credits.size}`
      credits.set(key, reference)
      return reference
    },
    readEvent: (raw, signature) => (signature === 'right' ? JSON.parse(raw.toString()) : undefined),
    prices: unexpected('prices'),
    openCheckout: unexpected('openCheckout'),
    readCheckout: unexpected('readCheckout'),
    attachMethod: unexpected('attachMethod'),
    setDefaultMethod: unexpected('setDefaultMethod'),
    detachMethod: unexpected('detachMethod'),
    subscribe: unexpected('subscribe'),
    changeNow: unexpected('changeNow'),
    changeLater: unexpected('changeLater'),
    keepPlan: unexpected('keepPlan'),
    cancelAtPeriodEnd: unexpected('cancelAtPeriodEnd'),
    preview: unexpected('preview'),
    setTaxId: unexpected('setTaxId'),
  }
  return provider
}
