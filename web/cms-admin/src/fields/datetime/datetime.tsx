import { Input } from '@stoa/ui/form/input.tsx'
import { formatAbsolute } from '@stoa/ui/text/format.ts'
import { CalendarClock } from 'lucide-react'
import type { ComponentProps } from 'react'
import { PlainChange, wordOf } from '../../diff/diff-plain.tsx'
import { NOTHING } from '../cell-parts.tsx'
import { type BoundDraft, boundOptions } from '../date/bounds.tsx'
import { defaultInput } from '../default-input.tsx'
import type { FieldView } from '../field-view.ts'
import { DatetimeEditor } from './datetime-editor.tsx'

const moments = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A moment in the person's zone. */
const momentWord = (value: unknown): string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? formatAbsolute(new Date(value)) : wordOf(value)

const momentInput = (value: string, onValue: (value: string) => void) => (
  <LocalMomentInput value={value} onValue={onValue} />
)

export const datetime: FieldView<'datetime', BoundDraft> = {
  label: 'Date and time',
  line: 'A point in time, in any time zone',
  group: 'Values and choices',
  icon: CalendarClock,
  Editor: DatetimeEditor,
  frame: () => 'input',
  Cell: ({ value }) => (typeof value === 'string' ? moments.format(new Date(value)) : NOTHING),
  Change: ({ change }) => <PlainChange change={change} shown={momentWord} />,
  ...boundOptions(momentInput),
  Default: defaultInput(momentInput),
}

type LocalMomentInputProps = Omit<ComponentProps<typeof Input>, 'type' | 'value' | 'onChange'> & {
  /** ISO 8601, or empty. */
  value: string
  onValue: (value: string) => void
}

/** A moment, typed in the person's own time zone. */
const LocalMomentInput = ({ value, onValue, ...rest }: LocalMomentInputProps) => (
  <Input
    {...rest}
    type="datetime-local"
    value={toLocal(value)}
    onChange={({ target }) => onValue(target.value === '' ? '' : new Date(target.value).toISOString())}
  />
)

const toLocal = (iso: string): string => {
  const at = new Date(iso)
  if (iso === '' || Number.isNaN(at.getTime())) return ''
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`
}
