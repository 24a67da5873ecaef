import type { FieldOf } from '@stoa/cms-model/fields/field.ts'
import { formatNumber } from '@stoa/ui/text/format.ts'

/** "In the form [A-Z]{3}", unless the help says it better. */
export const patternHint = ({ pattern, help }: { pattern?: string | undefined; help: string }): string =>
  pattern !== undefined && help === '' ? `Format: ${pattern}` : ''

export const numberHint = (field: FieldOf<'number'>): string => {
  const steps = field.step === undefined ? '' : `in steps of ${field.step}`
  const whole = field.integer && field.step === undefined ? 'a whole number' : ''
  const parts = [whole, rangeWords(field.min, field.max), steps].filter((part) => part !== '')
  return asSentence(parts.join(', '))
}

/** "2026-01-31 or earlier." */
export const rangeHint = ({ min, max }: FieldOf<'date'>): string => asSentence(rangeWords(min, max))

const rangeWords = (min: number | string | undefined, max: number | string | undefined): string => {
  if (min !== undefined && max !== undefined) return `${min} to ${max}`
  if (min !== undefined) return typeof min === 'number' ? `${min} or more` : `${min} or later`
  if (max !== undefined) return typeof max === 'number' ? `${max} or less` : `${max} or earlier`
  return ''
}

type Counts = { minItems?: number | undefined; maxItems?: number | undefined }

/** "2 to 5 items." */
export const countHint = ({ minItems, maxItems }: Counts): string => {
  const min = minItems === 0 ? undefined : minItems
  if (min !== undefined && min === maxItems) return `${itemsOf(min)}.`
  if (min !== undefined && maxItems !== undefined) return `${formatNumber(min)} to ${itemsOf(maxItems)}.`
  if (min !== undefined) return `${itemsOf(min)} or more.`
  return maxItems === undefined ? '' : `At most ${itemsOf(maxItems)}.`
}

/** A list shows by itself how many of the most there are. */
export const listHint = (field: FieldOf<'list'>): string => (field.minItems ? countHint(field) : '')

export const referenceHint = (field: FieldOf<'reference'>): string => (field.multiple ? countHint(field) : '')

const itemsOf = (count: number): string => `${formatNumber(count)} ${count === 1 ? 'item' : 'items'}`

const asSentence = (text: string): string => (text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`)
