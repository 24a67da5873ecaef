import { CheckboxField } from '@stoa/ui/checkbox.tsx'
import { Check, Minus, ToggleLeft } from 'lucide-react'
import { PlainChange } from '../../diff/diff-plain.tsx'
import type { CellProps, DefaultProps, FieldView } from '../field-view.ts'
import { BooleanEditor } from './boolean-editor.tsx'

const YesNo = ({ value }: CellProps) => {
  const isYes = value === true
  const Icon = isYes ? Check : Minus
  return (
    <span className="inline-flex items-center gap-1.5">
      <Icon aria-hidden className={isYes ? 'size-3.5 text-live-mark' : 'size-3.5 text-faint'} />
      {isYes ? 'Yes' : 'No'}
    </span>
  )
}

const DefaultSwitch = ({ field, onValue, error }: DefaultProps) => (
  <CheckboxField
    label="On by default"
    checked={field.default === true}
    onChecked={(checked) => onValue(checked ? true : null)}
    error={error}
  />
)

export const boolean: FieldView<'boolean'> = {
  label: 'Yes or no',
  line: 'A switch',
  group: 'Values and choices',
  icon: ToggleLeft,
  Editor: BooleanEditor,
  frame: () => 'switch',
  Cell: YesNo,
  Change: ({ change }) => <PlainChange change={change} />,
  Default: DefaultSwitch,
}
