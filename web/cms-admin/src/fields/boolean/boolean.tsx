import type { FieldOf } from '@stoa/cms-model/fields/field.ts'
import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { Switch } from '@stoa/ui/form/switch.tsx'
import { Check, Minus, ToggleLeft } from 'lucide-react'
import { PlainChange } from '../../diff/diff-plain.tsx'
import type { EditorProps } from '../editor.ts'
import { useFieldControl } from '../field-frame.tsx'
import type { CellProps, DefaultProps, FieldView } from '../field-view.ts'

/** Yes or no. */
const BooleanEditor = ({ value, onChange, disabled }: EditorProps<FieldOf<'boolean'>>) => {
  const { 'aria-labelledby': _, ...control } = useFieldControl()
  return <Switch {...control} checked={value === true} disabled={disabled} onChecked={onChange} />
}

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

const DefaultSwitch = ({ value, onValue, error }: DefaultProps) => (
  <CheckboxField
    label="On by default"
    checked={value === true}
    onChecked={(checked) => onValue(checked ? true : null)}
    error={error}
  />
)

export const boolean: FieldView<'boolean'> = {
  label: 'Yes or no',
  line: 'A switch',
  group: 'Values and choices',
  icon: ToggleLeft,
  sketch: 'switch',
  Editor: BooleanEditor,
  frame: () => 'switch',
  Cell: YesNo,
  Change: ({ change }) => <PlainChange change={change} />,
  Default: DefaultSwitch,
}
