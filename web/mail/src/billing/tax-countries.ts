import type { SelectOption } from '@stoa/ui/select.tsx'

const EU = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ')

/** Of the countries whose numbers the service knows. */
const examples: Readonly<Record<string, string>> = {
  ...Object.fromEntries(EU.map((code) => [code, `${code}123456789`])),
  GR: 'EL123456789',
  AU: '12345678912',
  CA: '123456789',
  CH: 'CHE-123.456.789 MWST',
  GB: 'GB123456789',
  IN: '12ABCDE3456FGZH',
  NO: '123456789MVA',
  US: '12-3456789',
}

export const exampleIn = (country: string): string => examples[country] ?? 'DE123456789'

/** By their names in the person's language. */
export const taxCountries = (locale?: string): readonly SelectOption[] => {
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  return Object.keys(examples)
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .toSorted((a, b) => a.label.localeCompare(b.label, locale))
}
