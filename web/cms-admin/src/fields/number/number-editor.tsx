import type { FieldOf } from '@stoa/cms-model/fields/field.ts'
import { readNumber } from '@stoa/cms-model/fields/number-text.ts'
import { Input } from '@stoa/ui/form/input.tsx'
import { type KeyboardEvent, useState } from 'react'
import type { EditorProps } from '../editor.ts'
import { shownNumber, stepNumber } from './number-text.ts'

/** A number as text, so that the browser never throws away what it cannot read. The arrow keys go in steps. */
export const NumberEditor = ({ field, value, onChange, disabled }: EditorProps<FieldOf<'number'>>) => {
  const [typed, setTyped] = useState('')
  const number = typeof value === 'number' ? value : undefined
  const step = (event: KeyboardEvent) => {
    const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : undefined
    if (direction === undefined || event.altKey || (value !== null && number === undefined)) return
    event.preventDefault()
    onChange(stepNumber(number ?? null, direction, field))
  }
  return (
    <Input
      role="spinbutton"
      inputMode={field.integer && (field.min ?? -1) >= 0 ? 'numeric' : 'decimal'}
      autoComplete="off"
      aria-valuenow={number}
      aria-valuemin={field.min}
      aria-valuemax={field.max}
      value={shownNumber(typed, value)}
      disabled={disabled}
      onChange={(event) => {
        setTyped(event.target.value)
        onChange(readNumber(event.target.value))
      }}
      onKeyDown={step}
      className="max-w-60 tabular-nums"
    />
  )
}
