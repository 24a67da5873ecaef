import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Hash } from 'lucide-react'
import { PlainChange } from '../../diff/diff-plain.tsx'
import { NOTHING } from '../cell-parts.tsx'
import { defaultInput } from '../default-input.tsx'
import type { FieldView, OptionsProps } from '../field-view.ts'
import { numberHint } from '../hints.ts'
import { messageAt, NumberInput, Pair } from '../option-inputs.tsx'
import { ticked, typedNumber } from '../typed-options.ts'
import { NumberEditor } from './number-editor.tsx'

const numbers = new Intl.NumberFormat(undefined, { maximumFractionDigits: 10 })

type NumberDraft = { min: string; max: string; step: string; integer: boolean }

const NumberOptions = (props: OptionsProps<NumberDraft>) => (
  <>
    <Pair>
      <NumberInput {...props} name="min" label="Minimum" numeric="decimal" />
      <NumberInput {...props} name="max" label="Maximum" numeric="decimal" />
      <NumberInput {...props} name="step" label="Step" numeric="decimal" />
    </Pair>
    <CheckboxField
      label="Whole numbers only"
      checked={props.options.integer}
      onChecked={(integer) => props.onChange({ integer })}
      error={messageAt(props, 'integer')}
    />
  </>
)

export const number: FieldView<'number', NumberDraft> = {
  label: 'Number',
  line: 'A price, a rating, an amount',
  group: 'Values and choices',
  icon: Hash,
  Editor: NumberEditor,
  frame: () => 'input',
  hint: numberHint,
  Cell: ({ value }) => (typeof value === 'number' ? numbers.format(value) : NOTHING),
  align: 'end',
  Change: ({ change }) => <PlainChange change={change} />,
  draft: {
    min: { ...typedNumber, startsAnew: true },
    max: { ...typedNumber, startsAnew: true },
    step: typedNumber,
    integer: ticked,
  },
  Options: NumberOptions,
  stricter: {
    min: 'a higher minimum',
    max: 'a lower maximum',
    step: 'a different step',
    integer: 'whole numbers only',
  },
  Default: defaultInput((value, onText) => (
    <Input value={value} onChange={({ target }) => onText(target.value)} inputMode="decimal" />
  )),
}
