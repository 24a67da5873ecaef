import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import type { OptionsProps } from '../field-view.ts'
import { CountOptions, messageAt } from '../option-inputs.tsx'

export const ReferenceOptions = (props: OptionsProps) => {
  const { field, onChange, types } = props
  const isGone = field.to !== '' && !types.some(({ name }) => name === field.to)
  const known = [...types, ...(isGone ? [{ name: field.to, label: `${field.to} (deleted)` }] : [])]
  return (
    <>
      <Field label="Content type" error={messageAt(props, 'to')}>
        <Select
          value={field.to}
          placeholder="Choose a type"
          onValue={(to) => onChange({ to })}
          options={known.map(({ name, label }) => ({ value: name, label }))}
        />
      </Field>
      <CheckboxField
        label="Allow multiple entries"
        help="When off, it holds one entry"
        checked={field.multiple}
        onChecked={(multiple) => onChange({ multiple })}
        error={messageAt(props, 'multiple')}
      />
      {field.multiple ? <CountOptions {...props} /> : null}
    </>
  )
}
