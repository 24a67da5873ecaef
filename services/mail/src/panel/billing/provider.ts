import type { TaxIdType } from '@stoa/mail-model/billing.ts'
import type { SubscriptionStatus } from '@stoa/mail-model/plans.ts'
import type { PriceOffer } from '../../hosting/plans/plans.ts'
import type { PaymentMethodTable, PaymentTransactionTable, TaxIdTable } from '../../tables/billing.ts'

/**
 * References are the provider's IDs. What must not happen twice takes an idempotency key, the same for each try; the
 * provider repeats its first answer to it for a day, also a refusal.
 */
export type PaymentProvider = {
  readonly name: 'stripe'
  readonly publishableKey: string | null
  /** The header that has the signature of a callback. */
  readonly signatureHeader: string
  /**
   * The price of each plan by its lookup key `stoa_<plan>_<interval>`; one that is missing is created with our own
   * amount. A plan whose price is archived, or cannot be subscribed to, is left out and named in `problems`.
   */
  prices: (offers: readonly PriceOffer[]) => Promise<{ prices: ProviderPrice[]; problems: string[] }>
  createCustomer: (customer: { accountId: string; email: string; name: string | null; key: string }) => Promise<string>
  /** The customer that was made for an account more than some minutes ago, when the key of the creation is forgotten. */
  findCustomer: (accountId: string) => Promise<string | undefined>
  /** All that the provider has of a customer; undefined when it was deleted there. */
  readCustomer: (customer: string) => Promise<ProviderCustomer | undefined>
  openCheckout: (checkout: CheckoutRequest) => Promise<{ reference: string; url: string; expiresAt: Date }>
  readCheckout: (reference: string) => Promise<ProviderCheckout | undefined>
  /** Has no effect on a checkout that is complete or expired: read it again. */
  expireCheckout: (reference: string) => Promise<void>
  /** Gives the reference that the method has at the customer: names of test methods stand for new ones. */
  attachMethod: (method: { customer: string; reference: string }) => Promise<string>
  /** Sets the default for the customer and for its subscription. */
  setDefaultMethod: (method: { customer: string; reference: string }) => Promise<void>
  detachMethod: (reference: string) => Promise<void>
  /** With the saved method, all or nothing: one that is declined or wants a confirmation leaves no subscription. */
  subscribe: (request: SubscribeRequest) => Promise<void>
  /** At once, with the difference charged now or not at all. What was to happen at the end of the period is dropped. */
  changeNow: (change: { subscription: string; price: string; key: string }) => Promise<void>
  /** From the end of the period on. A cancellation is taken back. */
  changeLater: (change: { subscription: string; price: string; key: string }) => Promise<void>
  /** Takes back `changeLater`. */
  keepPlan: (change: { subscription: string; key: string }) => Promise<void>
  cancelAtPeriodEnd: (change: { subscription: string; cancel: boolean; key: string }) => Promise<void>
  /** With `credit`, what was paid for the rest of the period lowers what the customer pays next. Can be repeated. */
  cancelNow: (change: { subscription: string; credit?: boolean; key: string }) => Promise<void>
  preview: (request: PreviewRequest) => Promise<ProviderPreview>
  /** Null removes it. */
  setTaxId: (
    request: { customer: string; type: TaxIdType; value: string; key: string } | { customer: string; type: null },
  ) => Promise<void>
  /** Lowers what the customer pays next. */
  credit: (request: {
    customer: string
    amountCents: number
    currency: string
    description: string
    key: string
  }) => Promise<string>
  /** Checks the signature over the raw bytes; undefined when it is not right or too old. */
  readEvent: (raw: Buffer, signature: string | undefined, now: Date) => ProviderEvent | undefined
}

declare module '../../context.ts' {
  interface Ports {
    /** Null: nothing can be paid here. */
    readonly payments: PaymentProvider | null
  }
}

export type ProviderPrice = {
  plan: string
  reference: string
  amountCents: number
  currency: string
  interval: 'month' | 'year'
  trialDays: number
}

/** A moment of truth: everything of one customer, of each kind the newest thousand. */
export type ProviderCustomer = {
  /** The customer's credit; negative when the customer owes something. */
  balanceCents: number
  /** The newest that has not ended, else the newest that has. */
  subscription: ProviderSubscription | null
  /** Further ones that have not ended: nobody means to pay twice. */
  otherSubscriptions: string[]
  methods: ProviderMethod[]
  transactions: ProviderTransaction[]
  taxId: { reference: string; type: string; value: string; country: string | null; status: TaxIdTable['status'] } | null
}

export type ProviderSubscription = {
  reference: string
  /** The price that is paid now, and that after the period when it is another one. */
  price: string
  pendingPrice: string | null
  /** The plans of these prices, also of prices that are not offered any more; null for one that is none of ours. */
  plan: string | null
  pendingPlan: string | null
  priceCents: number
  currency: string
  status: SubscriptionStatus
  cancelAtPeriodEnd: boolean
  periodStart: Date
  periodEnd: Date
  trialEnd: Date | null
  cancelledAt: Date | null
  endedAt: Date | null
  /**
   * Since when the oldest invoice is due that was not paid, as long as the provider counts it as unpaid; also after the
   * subscription has ended because nobody paid.
   */
  pastDueAt: Date | null
  createdAt: Date
}

export type ProviderMethod = Omit<PaymentMethodTable, 'account_id' | 'id' | 'created_at'> & { created_at: Date }
export type ProviderTransaction = Omit<PaymentTransactionTable, 'account_id' | 'id'>

export type CheckoutRequest = {
  customer: string
  accountId: string
  checkoutId: string
  successUrl: string
  cancelUrl: string
  key: string
  currency: string
} & ({ mode: 'subscription'; price: string; trialDays: number } | { mode: 'setup' })

export type ProviderCheckout = {
  status: 'open' | 'complete' | 'expired'
  customer: string | null
  /** The payment method of a completed set-up. */
  method: string | null
}

export type SubscribeRequest = {
  customer: string
  accountId: string
  price: string
  method: string
  trialDays: number
  key: string
}

export type PreviewRequest = { customer: string; price: string } & (
  | { subscription: string; later: boolean }
  | { subscription: null; trialDays: number }
)
/** The amount charged now, less any credit, and the next full invoice. */
export type ProviderPreview = { dueNowCents: number; currency: string; nextCents: number; nextAt: Date }

/** Only these members of a callback's body are trusted. */
export type ProviderEvent = { id: string; type: string; customer: string | null }

/** Why the provider did not do it. `unavailable` may have happened nevertheless: ask again before trying again. */
export type ProviderProblem = 'declined' | 'needs_action' | 'not_found' | 'invalid' | 'rate_limited' | 'unavailable'

export class ProviderError extends Error {
  readonly problem: ProviderProblem
  /** The provider's own error is dropped: it may hold secrets of a payment. */
  constructor(problem: ProviderProblem, message: string) {
    super(message)
    this.name = 'ProviderError'
    this.problem = problem
  }
}
