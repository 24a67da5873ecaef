/** To make a formatter costs a hundred times what it does: each is made once. */
export const dateFormat = (locale: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  keep(`${locale} ${JSON.stringify(options)}`, dates, () => new Intl.DateTimeFormat(locale, options))

export const numberFormat = (locale: string | undefined, maximumFractionDigits: number): Intl.NumberFormat =>
  keep(`${locale} ${maximumFractionDigits}`, numbers, () => new Intl.NumberFormat(locale, { maximumFractionDigits }))

export const relativeFormat = (locale: string | undefined): Intl.RelativeTimeFormat =>
  keep(`${locale}`, relatives, () => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))

const dates = new Map<string, Intl.DateTimeFormat>()
const numbers = new Map<string, Intl.NumberFormat>()
const relatives = new Map<string, Intl.RelativeTimeFormat>()

const keep = <F>(key: string, known: Map<string, F>, make: () => F): F => {
  const formatter = known.get(key) ?? make()
  known.set(key, formatter)
  return formatter
}
