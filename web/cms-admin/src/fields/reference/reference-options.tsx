import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { type CountDraft, CountOptions } from '../counts.tsx'
import type { OptionDraft, OptionsProps } from '../field-view.ts'
import { messageAt } from '../option-inputs.tsx'
import { asStored, typedNumber } from '../typed-options.ts'

export type ReferenceDraft = CountDraft & { to: string; multiple: boolean }

export const ReferenceOptions = (props: OptionsProps<ReferenceDraft>) => {
  const { options, onChange, types } = props
  const { to, multiple } = options
  const isGone = to !== '' && !types.some(({ name }) => name === to)
  const known = [...types, ...(isGone ? [{ name: to, label: `${to} (deleted)` }] : [])]
  return (
    <>
      <Field label="Content type" error={messageAt(props, 'to')}>
        <Select
          value={to}
          placeholder="Choose a type"
          onValue={(name) => onChange({ to: name })}
          options={known.map(({ name, label }) => ({ value: name, label }))}
        />
      </Field>
      <CheckboxField
        label="Allow multiple entries"
        help="When off, it holds one entry"
        checked={multiple}
        onChecked={(several) => onChange({ multiple: several })}
        error={messageAt(props, 'multiple')}
      />
      {multiple ? <CountOptions {...props} /> : null}
    </>
  )
}

/** One entry isn't counted. */
const countOfSeveral: OptionDraft<string, number | undefined, ReferenceDraft> = {
  ...typedNumber,
  write: (typed, { multiple }) => (multiple ? typedNumber.write(typed, {}) : undefined),
}

export const referenceDraft = {
  to: {
    ...asStored(''),
    problem: (to: string) => (to === '' ? 'Choose a content type.' : undefined),
  },
  multiple: asStored(true),
  minItems: countOfSeveral,
  maxItems: countOfSeveral,
}
