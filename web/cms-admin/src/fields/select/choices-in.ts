import type { ChoiceDraft, FieldDraft } from '../../types/draft.ts'

/** The choices that have a value already, by their labels. */
export const choicesIn = ({ choices }: FieldDraft): ChoiceDraft[] =>
  choices.filter(({ value }) => value !== '').map(({ id, value, label }) => ({ id, value, label: label || value }))
