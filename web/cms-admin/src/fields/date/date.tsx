import type { FieldOf } from '@stoa/cms-model/fields/field.ts'
import { Input } from '@stoa/ui/form/input.tsx'
import { formatDate } from '@stoa/ui/text/format.ts'
import { Calendar } from 'lucide-react'
import { PlainChange } from '../../diff/diff-plain.tsx'
import { NOTHING } from '../cell-parts.tsx'
import { defaultInput } from '../default-input.tsx'
import type { EditorProps } from '../editor.ts'
import type { FieldView } from '../field-view.ts'
import { rangeHint } from '../hints.ts'
import { textOf } from '../text-of.ts'
import { type BoundDraft, boundOptions } from './bounds.tsx'
import { MomentInput } from './moment-input.tsx'

/** A day of the calendar, the same in every time zone. */
const DateEditor = ({ field, value, onChange, disabled }: EditorProps<FieldOf<'date'>>) => (
  <MomentInput
    type="date"
    label={field.label}
    min={field.min}
    max={field.max}
    value={textOf(value)}
    disabled={disabled}
    onValue={(day) => onChange(day === '' ? null : day)}
  />
)

const dayInput = (value: string, onValue: (value: string) => void) => (
  <Input type="date" value={value} onChange={({ target }) => onValue(target.value)} />
)

export const date: FieldView<'date', BoundDraft> = {
  label: 'Date',
  line: 'A calendar day',
  group: 'Values and choices',
  icon: Calendar,
  Editor: DateEditor,
  frame: () => 'input',
  hint: rangeHint,
  Cell: ({ value }) => (typeof value === 'string' ? formatDate(new Date(`${value}T00:00:00`), new Date()) : NOTHING),
  Change: ({ change }) => <PlainChange change={change} />,
  ...boundOptions(dayInput),
  Default: defaultInput(dayInput),
}
