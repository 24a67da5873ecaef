import type { ComponentProps } from 'react'
import { Input } from './input.tsx'

type MomentInputProps = Omit<ComponentProps<typeof Input>, 'type' | 'value' | 'onChange' | 'min' | 'max'> & {
  /** ISO 8601, or empty. */
  value: string
  onValue: (value: string) => void
  min?: Date
  max?: Date
}

/** A moment, typed in the person's own time zone. The browser's own input: every keyboard, reader and phone knows it. */
export const MomentInput = ({ value, onValue, min, max, ...rest }: MomentInputProps) => (
  <Input
    {...rest}
    type="datetime-local"
    min={min && localMoment(min)}
    max={max ? localMoment(max) : LAST}
    value={value === '' ? '' : localMoment(new Date(value))}
    onChange={({ target }) => onValue(target.value === '' ? '' : new Date(target.value).toISOString())}
  />
)

// Without it browsers take years of six digits
const LAST = '9999-12-31T23:59'

/** A moment as clocks here show it, `YYYY-MM-DDTHH:mm`. */
const localMoment = (at: Date): string => {
  if (Number.isNaN(at.getTime())) return ''
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** "GMT+2 (Europe/Athens)": where those clocks are. */
export const localZone = (at: Date = new Date()): string => {
  const name = Intl.DateTimeFormat().resolvedOptions().timeZone
  const offset = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value
  return offset === undefined ? name : `${offset} (${name})`
}
