import type { Field } from '@stoa/cms-model/fields/field.ts'
import { wordOf } from '../../diff/diff-plain.tsx'

/** The label of a choice, where the field is known. */
export const choiceWord =
  (field: Field | undefined) =>
  (value: unknown): string => {
    if (typeof value === 'boolean' || !field || !('options' in field)) return wordOf(value)
    return field.options.find((option) => option.value === value)?.label ?? String(value)
  }
