import type { Field } from '@stoa/cms-model/fields/field.ts'
import { formatNumber } from '@stoa/ui/format.ts'

/** The help of a field, and what its options ask for, in words. */
export const helpOf = (field: Field): string => [field.help, hintOf(field)].filter((text) => text !== '').join(' ')

const hintOf = (field: Field): string => {
  switch (field.type) {
    case 'text':
    case 'textarea':
      return field.pattern !== undefined && field.help === '' ? `In the form ${field.pattern}` : ''
    case 'number':
      return numberHint(field)
    case 'date':
      return rangeHint(field.min, field.max)
    case 'multiselect':
    case 'gallery':
      return countHint(field)
    case 'list':
      // It shows how many of the most there are
      return field.minItems ? countHint(field) : ''
    case 'reference':
      return field.multiple ? countHint(field) : ''
    default:
      return ''
  }
}

const numberHint = (field: Extract<Field, { type: 'number' }>): string => {
  const steps = field.step === undefined ? '' : `in steps of ${field.step}`
  const whole = field.integer && field.step === undefined ? 'a whole number' : ''
  const parts = [whole, rangeWords(field.min, field.max), steps].filter((part) => part !== '')
  return asSentence(parts.join(', '))
}

const rangeHint = (min: string | undefined, max: string | undefined): string => asSentence(rangeWords(min, max))

const rangeWords = (min: number | string | undefined, max: number | string | undefined): string => {
  if (min !== undefined && max !== undefined) return `${min} to ${max}`
  if (min !== undefined) return typeof min === 'number' ? `${min} or more` : `${min} or later`
  if (max !== undefined) return typeof max === 'number' ? `${max} or less` : `${max} or earlier`
  return ''
}

type Counts = { minItems?: number | undefined; maxItems?: number | undefined }

/** "2 to 5 items." */
const countHint = ({ minItems, maxItems }: Counts): string => {
  const min = minItems === 0 ? undefined : minItems
  if (min !== undefined && min === maxItems) return `${itemsOf(min)}.`
  if (min !== undefined && maxItems !== undefined) return `${formatNumber(min)} to ${itemsOf(maxItems)}.`
  if (min !== undefined) return `${itemsOf(min)} or more.`
  return maxItems === undefined ? '' : `${itemsOf(maxItems)} at most.`
}

const itemsOf = (count: number): string => `${formatNumber(count)} ${count === 1 ? 'item' : 'items'}`

const asSentence = (text: string): string => (text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`)
