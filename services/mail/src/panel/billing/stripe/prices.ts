import type Stripe from 'stripe'
import type { PriceOffer } from '../../../hosting/plans/plans.ts'
import type { ProviderPrice } from '../provider.ts'
import { ask, idOf, withKey, withNewKey } from './client.ts'
import { isProblem } from './errors.ts'

const INTERVALS = ['month', 'year'] as const

const lookupKeyOf = (plan: string, interval: (typeof INTERVALS)[number]): string => `stoa_${plan}_${interval}`

/** Names the plan of a price, also when its lookup key has moved on to another price. */
const PLAN = 'stoa_plan'
/** Metadata of a price: the days of its free trial. */
const TRIAL_DAYS = 'trial_days'
const MAX_TRIAL_DAYS = 730

/** The plan of a price; null when it is none of ours. */
export const planOfPrice = ({ metadata, lookup_key }: Pick<Stripe.Price, 'metadata' | 'lookup_key'>): string | null =>
  metadata[PLAN] ?? /^stoa_(.+)_(?:month|year)$/.exec(lookup_key ?? '')?.[1] ?? null

export const readPrices = async (
  stripe: Stripe,
  offers: readonly PriceOffer[],
): Promise<{ prices: ProviderPrice[]; problems: string[] }> => {
  const found = await listPrices(stripe, offers)
  const results = await Promise.all(offers.map((offer) => readPrice(stripe, offer, found)))
  return {
    prices: results.filter((result) => typeof result !== 'string'),
    problems: results.filter((result) => typeof result === 'string'),
  }
}

/** Archived ones too: they keep their lookup key. */
const listPrices = async (stripe: Stripe, offers: readonly PriceOffer[]): Promise<Stripe.Price[]> => {
  const lookup_keys = offers.flatMap(({ plan }) => INTERVALS.map((interval) => lookupKeyOf(plan, interval)))
  // Each key is of one price at most, and 10 of them can be asked for at once.
  return (await ask(() => stripe.prices.list({ lookup_keys, limit: 100 }))).data
}

/** The price, or what is wrong with it. By the month when there are both. */
const readPrice = async (
  stripe: Stripe,
  offer: PriceOffer,
  found: readonly Stripe.Price[],
): Promise<ProviderPrice | string> => {
  const { plan } = offer
  const ofPlan = INTERVALS.flatMap((interval) =>
    found.filter((each) => each.lookup_key === lookupKeyOf(plan, interval)),
  )
  const price = ofPlan.find(({ active }) => active)
  if (!price && ofPlan[0]) return `The price ${ofPlan[0].lookup_key} is archived at Stripe.`
  return toPrice(plan, await markPlan(stripe, plan, price ?? (await createPrice(stripe, offer))))
}

const toPrice = (plan: string, price: Stripe.Price): ProviderPrice | string => {
  const { recurring, unit_amount } = price
  const interval = INTERVALS.find((each) => each === recurring?.interval)
  if (!interval || recurring?.interval_count !== 1 || recurring.usage_type !== 'licensed')
    return `The price ${price.lookup_key} must recur every month or every year.`
  if (unit_amount === null || price.billing_scheme !== 'per_unit' || unit_amount <= 0)
    return `The price ${price.lookup_key} must be one amount.`
  return {
    plan,
    reference: price.id,
    amountCents: unit_amount,
    currency: price.currency,
    interval,
    trialDays: trialDaysOf(price),
  }
}

const trialDaysOf = ({ metadata, recurring }: Stripe.Price): number => {
  const days = Number(metadata[TRIAL_DAYS] ?? recurring?.trial_period_days ?? 0)
  return Number.isInteger(days) && days > 0 ? Math.min(days, MAX_TRIAL_DAYS) : 0
}

/** A price that the host made is marked, so that its subscribers stay on their plan when another one takes its key. */
const markPlan = async (stripe: Stripe, plan: string, price: Stripe.Price): Promise<Stripe.Price> =>
  price.metadata[PLAN] === plan
    ? price
    : ask(() => stripe.prices.update(price.id, { metadata: { [PLAN]: plan } }, withNewKey()))

/** Several processes that find it missing create one: the id of the product and the lookup key are unique. */
const createPrice = async (stripe: Stripe, offer: PriceOffer): Promise<Stripe.Price> => {
  const { plan, name, amountCents, currency } = offer
  const lookup_key = lookupKeyOf(plan, 'month')
  const product = await createProduct(stripe, plan, name)
  const key = withKey(`stoa-price-${lookup_key}`, `${amountCents}-${currency}`)
  try {
    return await ask(() =>
      stripe.prices.create(
        {
          product,
          lookup_key,
          currency,
          unit_amount: amountCents,
          recurring: { interval: 'month' },
          metadata: { [PLAN]: plan },
        },
        key,
      ),
    )
  } catch (error) {
    const [existing] = isProblem(error, 'invalid') ? await listPrices(stripe, [offer]) : []
    if (existing) return existing
    throw error
  }
}

const createProduct = async (stripe: Stripe, plan: string, name: string): Promise<string> => {
  const id = `stoa_${plan}`
  try {
    return idOf(await ask(() => stripe.products.create({ id, name }, withKey(`stoa-product-${plan}`))))
  } catch (error) {
    if (isProblem(error, 'invalid') && (await exists(stripe, id))) return id
    throw error
  }
}

const exists = async (stripe: Stripe, product: string): Promise<boolean> =>
  ask(() => stripe.products.retrieve(product)).then(
    () => true,
    () => false,
  )
