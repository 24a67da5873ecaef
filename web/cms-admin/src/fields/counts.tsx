import type { OptionsProps } from './field-view.ts'
import { NumberInput, Pair } from './option-inputs.tsx'
import { typedNumber } from './typed-options.ts'

/** How many items a value has at least and at most. */
export type CountDraft = { minItems: string; maxItems: string }

export const countDraft = { minItems: typedNumber, maxItems: typedNumber }

export const countWords = { minItems: 'more items', maxItems: 'fewer items' }

export const CountOptions = (props: OptionsProps<CountDraft>) => (
  <Pair>
    <NumberInput {...props} name="minItems" label="Minimum items" />
    <NumberInput {...props} name="maxItems" label="Maximum items" />
  </Pair>
)
