import { Field } from '@stoa/ui/form/field.tsx'
import type { ReactNode } from 'react'
import type { FieldDraft } from '../types/draft.ts'
import type { DefaultProps } from './field-view.ts'

export const DEFAULT_LABEL = 'Default value'
export const DEFAULT_HELP = 'Used for new entries'

type DraftInput = (text: string, onText: (text: string) => void, field: FieldDraft) => ReactNode

/** The form for a default that is one text; an empty one is none. */
export const defaultInput =
  (draw: DraftInput) =>
  ({ field, onValue, error }: DefaultProps) => {
    const text = typeof field.default === 'string' || typeof field.default === 'number' ? String(field.default) : ''
    return (
      <Field label={DEFAULT_LABEL} optional help={DEFAULT_HELP} error={error}>
        {draw(text, (next) => onValue(next === '' ? null : next), field)}
      </Field>
    )
  }
