import { Input } from '@stoa/ui/input.tsx'
import type { ComponentProps } from 'react'

type LocalMomentInputProps = Omit<ComponentProps<typeof Input>, 'type' | 'value' | 'onChange'> & {
  /** ISO 8601, or empty. */
  value: string
  onValue: (value: string) => void
}

/** A moment, typed in the person's own time zone. */
export const LocalMomentInput = ({ value, onValue, ...rest }: LocalMomentInputProps) => (
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
