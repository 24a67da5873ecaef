import type { FieldOf } from '@stoa/cms-model/fields/field.ts'
import { Textarea } from '@stoa/ui/textarea.tsx'
import type { EditorProps } from '../editor.ts'
import { Counter } from './counter.tsx'
import { textOf } from './text-of.ts'

/** Plain text over several lines; the box grows with it. */
export const TextareaEditor = ({ field, value, onChange, disabled }: EditorProps<FieldOf<'textarea'>>) => {
  const text = textOf(value)
  return (
    <>
      <Textarea value={text} disabled={disabled} onChange={(event) => onChange(event.target.value)} />
      <Counter length={text.length} min={field.minLength} max={field.maxLength} />
    </>
  )
}
