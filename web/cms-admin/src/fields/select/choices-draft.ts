import type { Choice } from '@stoa/cms-model/fields/choices.ts'
import type { OptionDraft } from '../field-view.ts'

/** A choice with an identity of its own: its value and label may be half-typed, or the same as those of another. */
export type ChoiceDraft = { id: string; value: string; label: string }

export type ChoicesDraft = { options: readonly ChoiceDraft[] }

const options: OptionDraft<readonly ChoiceDraft[], Choice[]> = {
  blank: [],
  read: (stored) => stored.map(({ value, label }, index) => ({ id: `saved ${index}`, value, label })),
  write: (choices) => choices.map(({ value, label }) => ({ value, label })),
  problem: (choices) => (choices.length === 0 ? 'Add at least one choice.' : undefined),
}

export const choicesDraft = { options }

export const choicesWords = { options: 'fewer choices' }

/** The choices that have a value already, by their labels. */
export const choicesIn = ({ options }: ChoicesDraft): ChoiceDraft[] =>
  options.filter(({ value }) => value !== '').map(({ id, value, label }) => ({ id, value, label: label || value }))
