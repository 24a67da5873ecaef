import type { FieldOf } from '@stoa/cms-model/fields/field.ts'
import { Switch } from '@stoa/ui/switch.tsx'
import type { EditorProps } from '../editor.ts'
import { useFieldControl } from '../field-frame.tsx'

/** Yes or no. */
export const BooleanEditor = ({ value, onChange, disabled }: EditorProps<FieldOf<'boolean'>>) => {
  const { 'aria-labelledby': _, ...control } = useFieldControl()
  return <Switch {...control} checked={value === true} disabled={disabled} onChecked={onChange} />
}
