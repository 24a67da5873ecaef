import { formatDate } from '@stoa/ui/format.ts'
import { Input } from '@stoa/ui/input.tsx'
import { Calendar } from 'lucide-react'
import { PlainChange } from '../../diff/diff-plain.tsx'
import { NOTHING } from '../cell-parts.tsx'
import { defaultInput } from '../default-input.tsx'
import type { FieldView } from '../field-view.ts'
import { rangeHint } from '../hints.ts'
import { boundOptions } from './bounds.tsx'
import { DateEditor } from './date-editor.tsx'

const dayInput = (value: string, onValue: (value: string) => void) => (
  <Input type="date" value={value} onChange={({ target }) => onValue(target.value)} />
)

export const date: FieldView<'date'> = {
  label: 'Date',
  line: 'A calendar day',
  group: 'Values and choices',
  icon: Calendar,
  Editor: DateEditor,
  frame: () => 'input',
  hint: rangeHint,
  Cell: ({ value }) => (typeof value === 'string' ? formatDate(new Date(`${value}T00:00:00`), new Date()) : NOTHING),
  Change: ({ change }) => <PlainChange change={change} />,
  Options: boundOptions(dayInput),
  Default: defaultInput(dayInput),
}
