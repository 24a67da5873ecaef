import type { FieldOf } from '@stoa/cms-model/fields/field.ts'
import type { EditorProps } from '../editor.ts'
import { textOf } from '../text-of.ts'
import { MomentInput } from './moment-input.tsx'

/** A day of the calendar, the same in every time zone. */
export const DateEditor = ({ field, value, onChange, disabled }: EditorProps<FieldOf<'date'>>) => (
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
