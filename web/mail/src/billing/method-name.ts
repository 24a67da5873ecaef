import type { PaymentMethod } from './queries.ts'

const kinds: Record<PaymentMethod['type'], string> = {
  card: 'Card',
  sepa_debit: 'SEPA debit',
  paypal: 'PayPal',
  link: 'Link',
}

/** The provider writes brands in small letters. */
const brands: Readonly<Record<string, string>> = {
  amex: 'American Express',
  cartes_bancaires: 'Cartes Bancaires',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
}

/** "Visa ending in 4242". */
export const methodName = ({ type, brand, last4 }: Pick<PaymentMethod, 'type' | 'brand' | 'last4'>): string => {
  const kind = brand === null ? kinds[type] : (brands[brand.toLowerCase()] ?? capital(brand))
  return last4 === null ? kind : `${kind} ending in ${last4}`
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
