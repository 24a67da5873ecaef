import { Field } from '@stoa/ui/form/field.tsx'
import type { ReactNode } from 'react'
import type { DefaultProps } from './field-view.ts'

export const DEFAULT_LABEL = 'Default value'
export const DEFAULT_HELP = 'Used for new entries'

type DraftInput<D> = (text: string, onText: (text: string) => void, options: D) => ReactNode

/** The form for a default that is one text; an empty one is none. */
export const defaultInput =
  <D,>(draw: DraftInput<D>) =>
  ({ options, value, onValue, error }: DefaultProps<D>) => {
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
    return (
      <Field label={DEFAULT_LABEL} optional help={DEFAULT_HELP} error={error}>
        {draw(text, (next) => onValue(next === '' ? null : next), options)}
      </Field>
    )
  }
