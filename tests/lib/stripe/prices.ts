import { z } from 'zod'
import { change, emit } from './events.ts'
import { invalid } from './fault.ts'
import { flag, integer, listParams, mergeMetadata, metadata, oneOf, params, text, unsettable } from './form.ts'
import type { Interval, Price, Product } from './objects.ts'
import { route } from './route.ts'
import { add, all, base, find, get, nowOf, pageOf, type Store } from './store.ts'

const productShape = params({
  name: text,
  active: flag.optional(),
  description: text.optional(),
  id: text.optional(),
  metadata: metadata.optional(),
  statement_descriptor: text.optional(),
  tax_code: text.optional(),
  url: text.optional(),
})
const productUpdate = params({
  name: text.optional(),
  active: flag.optional(),
  description: unsettable.optional(),
  metadata: metadata.optional(),
  default_price: text.optional(),
  tax_code: text.optional(),
})

const createProduct = (
  store: Store,
  given: Pick<z.output<typeof productShape>, 'name'> & Partial<z.output<typeof productShape>>,
): Product => {
  if (given.id && find(store, 'product', given.id)) {
    throw invalid(`Product already exists with id: ${given.id}.`, { code: 'resource_already_exists', param: 'id' })
  }
  const fresh = base(store, 'product', 'prod')
  const product = add(store, {
    ...fresh,
    id: given.id ?? fresh.id,
    active: given.active ?? true,
    default_price: null,
    description: given.description ?? null,
    images: [],
    marketing_features: [] as [],
    metadata: mergeMetadata({}, given.metadata),
    name: given.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: given.tax_code ?? null,
    tax_details: null,
    type: 'service' as const,
    unit_label: null,
    updated: fresh.created,
    url: null,
  })
  emit(store, 'product.created', product)
  return product
}

const priceShape = params({
  currency: text,
  active: flag.optional(),
  lookup_key: text.max(200).optional(),
  metadata: metadata.optional(),
  nickname: text.optional(),
  product: text.optional(),
  product_data: z
    .strictObject({ name: text, active: flag.optional(), metadata: metadata.optional(), tax_code: text.optional() })
    .optional(),
  recurring: z
    .strictObject({ interval: oneOf('day', 'week', 'month', 'year'), interval_count: integer.optional() })
    .optional(),
  tax_behavior: oneOf('exclusive', 'inclusive', 'unspecified').optional(),
  transfer_lookup_key: flag.optional(),
  unit_amount: integer.optional(),
})

const createPrice = (store: Store, given: z.output<typeof priceShape>): Price => {
  if (!/^[a-zA-Z]{3}$/.test(given.currency)) throw invalid(`Invalid currency: ${given.currency}`, { param: 'currency' })
  if (given.unit_amount === undefined) {
    throw invalid('Missing required param: unit_amount.', { code: 'parameter_missing', param: 'unit_amount' })
  }
  if (given.unit_amount < 0) {
    throw invalid('This value must be greater than or equal to 0.', {
      code: 'parameter_invalid_integer',
      param: 'unit_amount',
    })
  }
  if ((given.product === undefined) === (given.product_data === undefined)) {
    throw invalid('You must pass one of `product` or `product_data`.', { code: 'parameter_missing', param: 'product' })
  }
  if (given.product) get(store, 'product', given.product, 'product')
  takeLookupKey(store, given.lookup_key, given.transfer_lookup_key)
  const product = given.product ?? createProduct(store, given.product_data ?? { name: '' }).id
  const price = add(store, {
    ...base(store, 'price', 'price', 24),
    active: given.active ?? true,
    billing_scheme: 'per_unit' as const,
    currency: given.currency.toLowerCase(),
    custom_unit_amount: null,
    lookup_key: given.lookup_key ?? null,
    metadata: mergeMetadata({}, given.metadata),
    nickname: given.nickname ?? null,
    product,
    recurring: given.recurring ? recurring(given.recurring.interval, given.recurring.interval_count ?? 1) : null,
    tax_behavior: given.tax_behavior ?? ('unspecified' as const),
    tiers_mode: null,
    transform_quantity: null,
    type: given.recurring ? ('recurring' as const) : ('one_time' as const),
    unit_amount: given.unit_amount,
    unit_amount_decimal: String(given.unit_amount),
  })
  emit(store, 'price.created', price)
  return price
}

const recurring = (interval: Interval, interval_count: number) => ({
  interval,
  interval_count,
  meter: null,
  trial_period_days: null,
  usage_type: 'licensed' as const,
})

const takeLookupKey = (store: Store, key: string | undefined, transfer = false, self?: string): void => {
  const holder = key && all(store, 'price').find(({ id, lookup_key }) => lookup_key === key && id !== self)
  if (!holder) return
  if (!transfer) {
    throw invalid(
      `A price (\`${holder.id}\`) already uses that lookup key. To transfer it, set \`transfer_lookup_key\` to \`true\`.`,
      { code: 'resource_already_exists', param: 'lookup_key' },
    )
  }
  change(store, 'price.updated', holder, { lookup_key: null })
}

const updateShape = params({
  active: flag.optional(),
  lookup_key: text.max(200).optional(),
  metadata: metadata.optional(),
  nickname: text.optional(),
  tax_behavior: oneOf('exclusive', 'inclusive', 'unspecified').optional(),
  transfer_lookup_key: flag.optional(),
})

const updatePrice = (store: Store, given: z.output<typeof updateShape>, id: string): Price => {
  const price = get(store, 'price', id)
  takeLookupKey(store, given.lookup_key, given.transfer_lookup_key, id)
  return change(store, 'price.updated', price, {
    ...(given.active !== undefined && { active: given.active }),
    ...(given.lookup_key && { lookup_key: given.lookup_key }),
    ...(given.nickname && { nickname: given.nickname }),
    ...(given.tax_behavior && { tax_behavior: given.tax_behavior }),
    metadata: mergeMetadata(price.metadata, given.metadata),
  })
}

const priceList = listParams({
  active: flag.optional(),
  currency: text.optional(),
  lookup_keys: z.array(text).max(10).optional(),
  product: text.optional(),
  recurring: z.strictObject({ interval: oneOf('day', 'week', 'month', 'year').optional() }).optional(),
  type: oneOf('one_time', 'recurring').optional(),
})

export const priceRoutes = [
  route('POST', '/v1/products', productShape, createProduct),
  route('GET', '/v1/products', listParams({ active: flag.optional(), ids: z.array(text).optional() }), (store, page) =>
    pageOf(
      all(store, 'product').filter(
        ({ active, id }) =>
          (page.active === undefined || active === page.active) && (page.ids === undefined || page.ids.includes(id)),
      ),
      page,
      '/v1/products',
    ),
  ),
  route('GET', '/v1/products/:', params({}), (store, _, id) => get(store, 'product', id)),
  route('POST', '/v1/products/:', productUpdate, (store, given, id) => {
    const product = get(store, 'product', id)
    return change(store, 'product.updated', product, {
      ...(given.name && { name: given.name }),
      ...(given.active !== undefined && { active: given.active }),
      ...(given.description !== undefined && { description: given.description }),
      ...(given.default_price && { default_price: get(store, 'price', given.default_price, 'default_price').id }),
      metadata: mergeMetadata(product.metadata, given.metadata),
      updated: nowOf(store),
    })
  }),
  route('POST', '/v1/prices', priceShape, createPrice),
  route('GET', '/v1/prices', priceList, (store, page) =>
    pageOf(
      all(store, 'price').filter(
        (price) =>
          (page.active === undefined || price.active === page.active) &&
          (page.currency === undefined || price.currency === page.currency) &&
          (page.lookup_keys === undefined || page.lookup_keys.includes(price.lookup_key ?? '')) &&
          (page.product === undefined || price.product === page.product) &&
          (page.recurring?.interval === undefined || price.recurring?.interval === page.recurring.interval) &&
          (page.type === undefined || price.type === page.type),
      ),
      page,
      '/v1/prices',
    ),
  ),
  route('GET', '/v1/prices/:', params({}), (store, _, id) => get(store, 'price', id)),
  route('POST', '/v1/prices/:', updateShape, updatePrice),
]
