import type { OptionsProps } from '../field-view.ts'
import { CountOptions } from '../option-inputs.tsx'
import { ChoiceOptions } from '../select/choice-options.tsx'

export const MultiselectOptions = (props: OptionsProps) => (
  <>
    <ChoiceOptions {...props} />
    <CountOptions {...props} />
  </>
)
