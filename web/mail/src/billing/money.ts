/** A charged amount: always with all digits of its currency, in the person's language. */
export const formatAmount = (minor: number, currency: string, locale?: string): string =>
  format(minor, currency, locale)

/** The price of a plan: without digits that are zero. */
export const formatPrice = (minor: number, currency: string, locale?: string): string =>
  format(minor, currency, locale, 'stripIfInteger')

const format = (
  minor: number,
  currency: string,
  locale: string | undefined,
  trailingZeroDisplay: 'auto' | 'stripIfInteger' = 'auto',
): string => {
  const money = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: currency.toUpperCase(),
    trailingZeroDisplay,
  })
  // Some currencies have no cents, a few have thousandths
  const digits = money.resolvedOptions().maximumFractionDigits ?? 2
  return money.format(minor / 10 ** digits)
}
