import type { Settings, UpdateSettingsInput } from '@stoa/cms-model/settings.ts'
import { differs } from '@stoa/ui/form/form-errors.ts'

/** The settings as they are typed: an empty number means "no limit". */
export type SettingsValues = {
  title: string
  tagline: string
  description: string
  url: string
  /** The id of a picture; empty: none. */
  logoId: string
  socialImageId: string
  locale: string
  locales: string[]
  imageSizes: string
  stripLocation: boolean
  timezone: string
  revisionLimit: string
  trashDays: string
  deliveryRatePerMinute: string
}

export const valuesOf = (settings: Settings): SettingsValues => ({
  title: settings.title,
  tagline: settings.tagline,
  description: settings.description,
  url: settings.url ?? '',
  logoId: settings.logoId ?? '',
  socialImageId: settings.socialImageId ?? '',
  locale: settings.locale,
  locales: settings.locales,
  imageSizes: settings.imageSizes.join(', '),
  stripLocation: settings.stripLocation,
  timezone: settings.timezone,
  revisionLimit: settings.revisionLimit === 0 ? '' : String(settings.revisionLimit),
  trashDays: settings.trashDays === null ? '' : String(settings.trashDays),
  deliveryRatePerMinute: settings.deliveryRatePerMinute === null ? '' : String(settings.deliveryRatePerMinute),
})

const isWhole = (text: string): boolean => /^\d{1,9}$/.test(text.trim())
const numberOr = <E>(text: string, empty: E): number | E => (text.trim() === '' ? empty : Number(text))
const sizesOf = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)

/** Mistakes that the browser can find; the service checks the rest. */
export const problemsOf = (values: SettingsValues): Partial<Record<keyof SettingsValues, string>> => {
  const wrong = (['revisionLimit', 'trashDays', 'deliveryRatePerMinute'] as const).filter(
    (name) => values[name].trim() !== '' && !isWhole(values[name]),
  )
  return {
    ...Object.fromEntries(wrong.map((name) => [name, 'Enter a whole number, or leave it empty.'])),
    ...(sizesOf(values.imageSizes).every(isWhole)
      ? {}
      : { imageSizes: 'Enter whole numbers, with commas between them.' }),
  }
}

/** The members that differ from what is saved. */
export const changesOf = (saved: Settings, values: SettingsValues): UpdateSettingsInput => {
  const before = valuesOf(saved)
  const all: UpdateSettingsInput = {
    title: values.title,
    tagline: values.tagline,
    description: values.description,
    url: values.url.trim() === '' ? null : values.url,
    logoId: values.logoId || null,
    socialImageId: values.socialImageId || null,
    locale: values.locale,
    locales: values.locales,
    imageSizes: sizesOf(values.imageSizes).map(Number),
    stripLocation: values.stripLocation,
    timezone: values.timezone,
    revisionLimit: numberOr(values.revisionLimit, 0),
    trashDays: numberOr(values.trashDays, null),
    deliveryRatePerMinute: numberOr(values.deliveryRatePerMinute, null),
  }
  const changed = new Set<string>(
    Object.entries(values).flatMap(([name, value]) => (differs(value, Reflect.get(before, name)) ? [name] : [])),
  )
  return Object.fromEntries(Object.entries(all).filter(([name]) => changed.has(name)))
}

/** A language tag in its one spelling; undefined when it is none. */
export const readLocale = (text: string): string | undefined => {
  try {
    return Intl.getCanonicalLocales(text.trim())[0]
  } catch {
    return undefined
  }
}

/** "German (Germany)": the language in words, where the browser knows it. */
export const nameOfLocale = (tag: string): string => {
  try {
    return new Intl.DisplayNames(['en'], { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}
