import { Combobox } from './combobox.tsx'
import { needsSearch } from './options.ts'
import { Select, type SelectOption } from './select.tsx'

type OptionPickerProps = {
  value: string
  options: readonly SelectOption[]
  onValue: (value: string) => void
  disabled?: boolean
  className?: string
  'aria-label'?: string
}

/** One value of a list: a native select while all can be looked over, a combobox where there are more. */
export const OptionPicker = (props: OptionPickerProps) =>
  needsSearch(props.options) ? <Combobox {...props} /> : <Select {...props} />
