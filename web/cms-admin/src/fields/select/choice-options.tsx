import type { OptionsProps } from '../field-view.ts'
import type { ChoicesDraft } from './choices-draft.ts'
import { ChoicesEditor } from './choices-editor.tsx'

export const ChoiceOptions = ({ options, onChange, problems, isNew }: OptionsProps<ChoicesDraft>) => (
  <ChoicesEditor
    choices={options.options}
    onChoices={(choices) => onChange({ options: choices })}
    problems={problems}
    isNew={isNew}
  />
)
