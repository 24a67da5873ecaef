import type { OptionsProps } from '../field-view.ts'
import { ChoicesEditor } from './choices-editor.tsx'

export const ChoiceOptions = ({ field, onChange, problems }: OptionsProps) => (
  <ChoicesEditor choices={field.choices} onChoices={(choices) => onChange({ choices })} problems={problems} />
)
