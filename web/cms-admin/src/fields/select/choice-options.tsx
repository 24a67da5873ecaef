import type { ChoiceDraft, FieldDraft } from '../../types/draft.ts'
import type { OptionsProps } from '../field-view.ts'
import { ChoicesEditor } from './choices-editor.tsx'

export const ChoiceOptions = ({ field, onChange, problems }: OptionsProps) => (
  <ChoicesEditor choices={field.choices} onChoices={(choices) => onChange({ choices })} problems={problems} />
)

/** The choices that have a value already, by their labels. */
export const choicesIn = ({ choices }: FieldDraft): ChoiceDraft[] =>
  choices.filter(({ value }) => value !== '').map(({ id, value, label }) => ({ id, value, label: label || value }))
