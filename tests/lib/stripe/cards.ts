import { invalid, StripeFault } from './fault.ts'
import type { Customer, PaymentMethod } from './objects.ts'
import { base, find, newId, nowOf, type Store } from './store.ts'

/** Why a bank refuses: Stripe's `code`, and its `decline_code` when the code is `card_declined`. */
export type Decline = { code: string; declineCode: string; message: string }

/** A card's results: when it is attached, paid with by a person who is present, and charged later. */
export type CardBehaviour = {
  attach: Decline | null
  present: Decline | 'challenge' | null
  later: Decline | 'challenge' | null
  /** One confirmation by the person is enough for all that comes later. */
  remembersChallenge: boolean
}

const declined = (declineCode: string, message: string): Decline => ({ code: 'card_declined', declineCode, message })

export const DECLINES = {
  generic_decline: declined('generic_decline', 'Your card was declined.'),
  insufficient_funds: declined('insufficient_funds', 'Your card has insufficient funds.'),
  lost_card: declined('lost_card', 'Your card was declined.'),
  expired_card: { code: 'expired_card', declineCode: 'expired_card', message: 'Your card has expired.' },
  incorrect_cvc: {
    code: 'incorrect_cvc',
    declineCode: 'incorrect_cvc',
    message: "Your card's security code is incorrect.",
  },
  processing_error: {
    code: 'processing_error',
    declineCode: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
  },
} as const satisfies Record<string, Decline>
export type DeclineName = keyof typeof DECLINES

type TestCard = {
  /** Words on the hosted page. */
  label: string
  brand: string
  number: string
  /** Stripe's names for it in requests. */
  aliases: readonly string[]
  behaviour: CardBehaviour
}

const FINE: CardBehaviour = { attach: null, present: null, later: null, remembersChallenge: false }
const always = (decline: Decline): CardBehaviour => ({ ...FINE, attach: decline, present: decline, later: decline })

/** Stripe's test numbers and what they do. */
export const TEST_CARDS = {
  visa: card('Visa that works', 'visa', '4242424242424242', ['pm_card_visa', 'tok_visa'], FINE),
  mastercard: card(
    'Mastercard that works',
    'mastercard',
    '5555555555554444',
    ['pm_card_mastercard', 'tok_mastercard'],
    FINE,
  ),
  declined: card(
    'Card that is declined',
    'visa',
    '4000000000000002',
    ['pm_card_chargeDeclined', 'pm_card_visa_chargeDeclined', 'tok_chargeDeclined'],
    always(DECLINES.generic_decline),
  ),
  insufficientFunds: card(
    'Card without funds',
    'visa',
    '4000000000009995',
    ['pm_card_chargeDeclinedInsufficientFunds', 'pm_card_visa_chargeDeclinedInsufficientFunds'],
    always(DECLINES.insufficient_funds),
  ),
  expired: card(
    'Card that is expired',
    'visa',
    '4000000000000069',
    ['pm_card_chargeDeclinedExpiredCard', 'pm_card_visa_chargeDeclinedExpiredCard'],
    always(DECLINES.expired_card),
  ),
  /** Can be saved, and is declined whenever it is charged. */
  declinedLater: card(
    'Card that is declined after it was saved',
    'visa',
    '4000000000000341',
    ['pm_card_chargeCustomerFail'],
    {
      ...FINE,
      present: DECLINES.generic_decline,
      later: DECLINES.generic_decline,
    },
  ),
  /** Confirmed once by its owner, it pays; attached without that, it wants to be confirmed. */
  threeDSecure: card(
    'Card with 3-D Secure',
    'visa',
    '4000002500003155',
    ['pm_card_authenticationRequiredOnSetup', 'pm_card_threeDSecureRequired'],
    { ...FINE, present: 'challenge', later: 'challenge', remembersChallenge: true },
  ),
  threeDSecureAlways: card(
    'Card with 3-D Secure for every payment',
    'visa',
    '4000002760003184',
    ['pm_card_authenticationRequired'],
    { ...FINE, present: 'challenge', later: 'challenge' },
  ),
} as const satisfies Record<string, TestCard>
export type TestCardName = keyof typeof TEST_CARDS | 'sepaDebit' | 'sepaDebitFails'

function card(
  label: string,
  brand: string,
  number: string,
  aliases: readonly string[],
  behaviour: CardBehaviour,
): TestCard {
  return { label, brand, number, aliases, behaviour }
}

/** Debits of these accounts come through, or come back after days. */
export const TEST_IBANS: Readonly<Record<'sepaDebit' | 'sepaDebitFails', { label: string; iban: string }>> = {
  sepaDebit: { label: 'Bank account (SEPA)', iban: 'DE89370400440532013000' },
  sepaDebitFails: { label: 'Bank account whose debit comes back', iban: 'DE62370400440532013001' },
}

const NOBODY = { address: null, email: null, name: null, phone: null, tax_id: null }

/** A method that belongs to nobody yet. */
export const makeMethod = (store: Store, name: TestCardName): PaymentMethod => {
  if (name === 'sepaDebit' || name === 'sepaDebitFails') return makeDebit(store, TEST_IBANS[name].iban)
  const { brand, number, behaviour } = TEST_CARDS[name]
  const method: PaymentMethod = {
    ...base(store, 'payment_method', 'pm', 24),
    allow_redisplay: 'unspecified',
    billing_details: NOBODY,
    customer: null,
    metadata: {},
    type: 'card',
    card: {
      brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'DE',
      display_brand: brand,
      exp_month: 12,
      exp_year: new Date(nowOf(store) * 1000).getUTCFullYear() + 3,
      fingerprint: newId('fp', 12).slice(3),
      funding: 'credit',
      generated_from: null,
      last4: number.slice(-4),
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
  }
  store.cards.set(method.id, { ...behaviour })
  return method
}

export const makeDebit = (
  store: Store,
  iban: string,
  holder: { name?: string; email?: string } = {},
): PaymentMethod => {
  const method: PaymentMethod = {
    ...base(store, 'payment_method', 'pm', 24),
    allow_redisplay: 'unspecified',
    billing_details: { ...NOBODY, name: holder.name ?? null, email: holder.email ?? null },
    customer: null,
    metadata: {},
    type: 'sepa_debit',
    sepa_debit: {
      bank_code: iban.slice(4, 12),
      branch_code: '',
      country: iban.slice(0, 2),
      fingerprint: newId('fp', 12).slice(3),
      generated_from: null,
      last4: iban.slice(-4),
    },
  }
  const fails = iban === TEST_IBANS.sepaDebitFails.iban ? DECLINES.insufficient_funds : null
  store.cards.set(method.id, { ...FINE, present: fails, later: fails })
  return method
}

/** Stripe's names for test methods make a new one each time. */
export const testMethod = (store: Store, alias: string): PaymentMethod | undefined => {
  const entry = Object.entries(TEST_CARDS).find(([, { aliases }]) => (aliases as readonly string[]).includes(alias))
  return entry && makeMethod(store, entry[0] as TestCardName)
}

export const cardFault = (decline: Decline, more: Record<string, unknown> = {}): StripeFault =>
  new StripeFault(402, {
    type: 'card_error',
    code: decline.code,
    decline_code: decline.declineCode,
    message: decline.message,
    ...more,
  })

/** A method that belongs to the customer; anything else is refused as Stripe does. */
export const ownMethod = (store: Store, customer: Customer, id: string, param: string): PaymentMethod => {
  const method = find(store, 'payment_method', id)
  if (!method || method.customer !== customer.id) {
    throw invalid(
      `No such PaymentMethod: '${id}'; It's possible that this PaymentMethod exists on another customer or is not attached.`,
      { code: 'resource_missing', param },
    )
  }
  return method
}
