import { type CountDraft, CountOptions } from '../counts.tsx'
import type { OptionsProps } from '../field-view.ts'
import { ChoiceOptions } from '../select/choice-options.tsx'
import type { ChoicesDraft } from '../select/choices-draft.ts'

export const MultiselectOptions = (props: OptionsProps<ChoicesDraft & CountDraft>) => (
  <>
    <ChoiceOptions {...props} />
    <CountOptions {...props} />
  </>
)
