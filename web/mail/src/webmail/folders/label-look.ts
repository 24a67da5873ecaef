import { type LabelColor, labelColors } from '@stoa/mail-model/labels.ts'
import type { CSSProperties } from 'react'

/** Hues for which the design system has tones with enough contrast in light and dark; gray has none. */
const HUES: Readonly<Record<Exclude<LabelColor, 'gray'>, number>> = {
  red: 15,
  orange: 45,
  yellow: 105,
  green: 135,
  teal: 195,
  blue: 255,
  indigo: 285,
  purple: 315,
  pink: 345,
}

type Look = { chip: string; mark: string; style: CSSProperties }

const GRAY: Look = { chip: 'bg-neutral-soft text-neutral-ink', mark: 'bg-neutral-mark', style: {} }

const hued = (hue: number): Look => ({
  chip: 'person-hue',
  mark: 'hue-mark',
  style: { '--person-hue': hue } as CSSProperties,
})

/** A color that somebody chose elsewhere shows as a dot; words on it might not be read. */
const own = (color: string): Look => ({
  chip: 'bg-neutral-soft text-neutral-ink',
  mark: 'bg-(--label-color)',
  style: { '--label-color': color } as CSSProperties,
})

/** Classes and variables of a label; without a color of its own its name decides, the same everywhere. */
export const lookOf = (color: string | null, name: string): Look => {
  const known = labelColors.find((each) => each === color) ?? (color === null ? colorOf(name) : undefined)
  if (known === undefined) return own(color ?? '')
  return known === 'gray' ? GRAY : hued(HUES[known])
}

/** Whether only a dot can show it. */
export const isOwnColor = (color: string | null): boolean =>
  color !== null && !labelColors.some((each) => each === color)

export const colorOf = (name: string): LabelColor => {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997
  return labelColors[sum % labelColors.length] ?? 'gray'
}
