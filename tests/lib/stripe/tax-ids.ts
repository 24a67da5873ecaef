import { change, emit } from './events.ts'
import { invalid, missing } from './fault.ts'
import { listParams, oneOf, params, text } from './form.ts'
import type { Customer, TaxId, TaxIdStatus } from './objects.ts'
import { route } from './route.ts'
import { add, all, base, get, pageOf, remove, type Store } from './store.ts'

export const taxIdTypes = ['eu_vat', 'gb_vat', 'ch_vat', 'no_vat', 'us_ein', 'au_abn', 'ca_bn', 'in_gst'] as const

const FORMS: Readonly<Record<(typeof taxIdTypes)[number], RegExp>> = {
  eu_vat: /^[A-Z]{2}[A-Z0-9+*.]{2,12}$/,
  gb_vat: /^(GB)?(\d{9}|\d{12}|(GD|HA)\d{3})$/,
  ch_vat: /^CHE-?\d{3}\.?\d{3}\.?\d{3} ?(MWST|TVA|IVA)$/,
  no_vat: /^\d{9}MVA$/,
  us_ein: /^\d{2}-?\d{7}$/,
  au_abn: /^\d{11}$/,
  ca_bn: /^\d{9}$/,
  in_gst: /^\d{2}[A-Z0-9]{13}$/,
}
/** Only these are looked up at an authority. */
const CHECKED = new Set<string>(['eu_vat', 'gb_vat', 'au_abn'])

export const createTaxId = (
  store: Store,
  customer: Customer,
  { type, value }: { type: (typeof taxIdTypes)[number]; value: string },
): TaxId => {
  if (!FORMS[type].test(value)) {
    throw invalid(`Invalid value for ${type}.`, { code: 'tax_id_invalid', param: 'value' })
  }
  const status: TaxIdStatus = CHECKED.has(type) ? 'pending' : 'unavailable'
  const taxId = add(store, {
    ...base(store, 'tax_id', 'txi', 24),
    country: type === 'eu_vat' ? value.slice(0, 2) : type.slice(0, 2).toUpperCase(),
    customer: customer.id,
    owner: { type: 'customer' as const, customer: customer.id },
    type,
    value,
    verification: { status, verified_address: null, verified_name: null },
  })
  emit(store, 'customer.tax_id.created', taxId)
  return taxId
}

export const verifyTaxId = (store: Store, taxId: TaxId, status: TaxIdStatus): void => {
  const isVerified = status === 'verified'
  change(store, 'customer.tax_id.updated', taxId, {
    verification: {
      status,
      verified_address: isVerified ? 'Teststr. 1, Berlin' : null,
      verified_name: isVerified ? 'Test GmbH' : null,
    },
  })
}

const own = (store: Store, customer: string, id: string): TaxId => {
  const taxId = get(store, 'tax_id', id)
  if (taxId.customer !== customer) throw missing('tax_id', id)
  return taxId
}

export const taxIdRoutes = [
  route('POST', '/v1/customers/:/tax_ids', params({ type: oneOf(...taxIdTypes), value: text }), (store, given, id) =>
    createTaxId(store, get(store, 'customer', id), given),
  ),
  route('GET', '/v1/customers/:/tax_ids', listParams({}), (store, page, id) => {
    get(store, 'customer', id)
    const found = all(store, 'tax_id').filter(({ customer }) => customer === id)
    return pageOf(found, page, `/v1/customers/${id}/tax_ids`)
  }),
  route('GET', '/v1/customers/:/tax_ids/:', params({}), (store, _, customer, id) => own(store, customer, id)),
  route('DELETE', '/v1/customers/:/tax_ids/:', params({}), (store, _, customer, id) => {
    const taxId = own(store, customer, id)
    remove(store, taxId)
    emit(store, 'customer.tax_id.deleted', taxId)
    return { id, object: 'tax_id', deleted: true }
  }),
]
