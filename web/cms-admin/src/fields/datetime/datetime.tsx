import { formatAbsolute } from '@stoa/ui/format.ts'
import { CalendarClock } from 'lucide-react'
import { PlainChange, wordOf } from '../../diff/diff-plain.tsx'
import { NOTHING } from '../cell-parts.tsx'
import { boundOptions } from '../date/bounds.tsx'
import { defaultInput } from '../default-input.tsx'
import type { FieldView } from '../field-view.ts'
import { DatetimeEditor } from './datetime-editor.tsx'
import { LocalMomentInput } from './local-moment-input.tsx'

const moments = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A moment in the person's zone. */
const momentWord = (value: unknown): string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? formatAbsolute(new Date(value)) : wordOf(value)

const momentInput = (value: string, onValue: (value: string) => void) => (
  <LocalMomentInput value={value} onValue={onValue} />
)

export const datetime: FieldView<'datetime'> = {
  label: 'Date and time',
  line: 'A point in time, in any time zone',
  group: 'Values and choices',
  icon: CalendarClock,
  Editor: DatetimeEditor,
  frame: () => 'input',
  Cell: ({ value }) => (typeof value === 'string' ? moments.format(new Date(value)) : NOTHING),
  Change: ({ change }) => <PlainChange change={change} shown={momentWord} />,
  Options: boundOptions(momentInput),
  Default: defaultInput(momentInput),
}
