import {
  type DesignProperty,
  type DesignSurfaceRecord,
  type DesignValue,
  designValueProblem,
} from '@stoa/cms-model/design.ts'
import { designCss, type Overrides } from '@stoa/cms-model/design-css.ts'
import { sentence } from '@stoa/ui/request/request.ts'
import type { Draft, Stored, Values } from '../site/drafts.ts'
import { contrastOf, MIN_CONTRAST, textPairs } from './contrast.ts'

type PropertyRecord = DesignSurfaceRecord['properties'][number]

/** The stored values of a surface; null is the website's own value. */
export const storedSurface = ({ version, properties }: DesignSurfaceRecord): Stored => ({
  version,
  values: Object.fromEntries(properties.map(({ key, value, overridden }) => [key, overridden ? value : null])),
})

/** The value of a property as it was typed, which may be no right one; the website's own while nothing is set. */
export const shownValue = ({ key, default: original }: PropertyRecord, values: Values): DesignValue => {
  const value = values[key]
  return typeof value === 'string' || typeof value === 'number' ? value : original
}

export const isSet = (key: string, values: Values): boolean => values[key] !== null && values[key] !== undefined

/** The error in the value typed for a property. */
export const valueProblem = (property: PropertyRecord, values: Values): string | undefined => {
  if (!isSet(property.key, values)) return undefined
  const problem = designValueProblem(declaredOf(property), values[property.key])
  return problem === null ? undefined : sentence(problem)
}

/**
 * The rules that show drafts on a page which has the saved design already: what is set, and the website's own values in
 * place of what is saved but not set any more. `addressOf` is the address of a picture, once it is known.
 */
export const draftCss = (
  surfaces: readonly { record: DesignSurfaceRecord; draft: Draft }[],
  addressOf: (mediaId: string) => string | undefined,
): string =>
  designCss(
    surfaces.map(({ record: { id, label, selector, properties }, draft }) => ({
      surface: { id, label, selector, properties: properties.map(declaredOf) },
      overrides: overridesOf(properties, draft, addressOf),
    })),
  )

const overridesOf = (
  properties: readonly PropertyRecord[],
  { values, saved }: Draft,
  addressOf: (mediaId: string) => string | undefined,
): Overrides =>
  new Map(
    properties.flatMap((property) => {
      const { key, type } = property
      if (!isSet(key, values) && !isSet(key, saved)) return []
      const value = shownValue(property, values)
      const shown = type === 'media' && value !== null ? (addressOf(String(value)) ?? null) : value
      return [[key, shown] as const]
    }),
  )

/** The pictures that are saved but not set any more: the website's own are not known here. */
export const restoredPictures = (
  surfaces: readonly { record: DesignSurfaceRecord; draft: Draft }[],
): { selector: string; property: string }[] =>
  surfaces.flatMap(({ record: { selector, properties }, draft: { values, saved } }) =>
    properties.flatMap(({ key, type, css }) =>
      type === 'media' && isSet(key, saved) && !isSet(key, values) ? [{ selector, property: css }] : [],
    ),
  )

/** The pictures that are set on surfaces, by the ids of their files. */
export const picturesOf = (surfaces: readonly { record: DesignSurfaceRecord; draft: Draft }[]): string[] => [
  ...new Set(
    surfaces.flatMap(({ record, draft }) =>
      record.properties.flatMap(({ key, type }) => {
        const value = draft.values[key]
        return type === 'media' && typeof value === 'string' ? [value] : []
      }),
    ),
  ),
]

export type Faint = { text: string; background: string; ratio: number }

/** Texts of the surface that are hard to read, where a person set the text or its background. */
export const faintTexts = ({ properties }: DesignSurfaceRecord, values: Values): Faint[] =>
  textPairs(properties).flatMap(({ text, background }) => {
    if (!isSet(text.key, values) && !isSet(background.key, values)) return []
    const ratio = contrastOf(String(shownValue(text, values)), String(shownValue(background, values)))
    return ratio === null || ratio >= MIN_CONTRAST ? [] : [{ text: text.label, background: background.label, ratio }]
  })

/** 4.49 must not read as the 4.5 that it misses. */
export const ratioText = (ratio: number): string => `${(Math.floor(ratio * 10) / 10).toFixed(1)}:1`

export type Length = { amount: string; unit: string }

/** The parts of a length; what cannot be read is all amount. */
export const readLength = (value: DesignValue, units: readonly string[]): Length => {
  const [, amount, unit] = /^\s*(-?[\d.]*)\s*([a-z]+|%)?\s*$/i.exec(String(value ?? '')) ?? []
  if (amount === undefined) return { amount: String(value ?? ''), unit: units[0] ?? 'px' }
  return { amount, unit: unit ?? units[0] ?? 'px' }
}

/** Zero needs no unit, but keeps the chosen one. */
export const writeLength = ({ amount, unit }: Length): string => (amount.trim() === '' ? '' : `${amount.trim()}${unit}`)

/** A number as it was typed: text while it is none. */
export const readNumber = (text: string): DesignValue =>
  text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text

/** The record spells out what the declaration leaves out. */
const declaredOf = ({ key, label, type, css, default: original, options, min, max, units }: PropertyRecord) =>
  ({
    key,
    label,
    type,
    css,
    default: original,
    ...(options === null ? {} : { options }),
    ...(min === null ? {} : { min }),
    ...(max === null ? {} : { max }),
    ...(units === null ? {} : { units: units as NonNullable<DesignProperty['units']> }),
  }) satisfies DesignProperty
