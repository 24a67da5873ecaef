import type { FieldOf } from '@stoa/cms-model/fields/field.ts'
import { Textarea } from '@stoa/ui/textarea.tsx'
import { useRef } from 'react'
import type { EditorProps } from '../editor.ts'
import { partOf, useFieldSelection } from '../field-selection.ts'
import { Counter } from '../text/counter.tsx'
import { textOf } from '../text-of.ts'

/** Plain text over several lines; the box grows with it. */
export const TextareaEditor = ({ field, value, onChange, disabled }: EditorProps<FieldOf<'textarea'>>) => {
  const text = textOf(value)
  const input = useRef<HTMLTextAreaElement>(null)
  useFieldSelection(() => input.current && partOf(text, input.current.selectionStart, input.current.selectionEnd))
  return (
    <>
      <Textarea ref={input} value={text} disabled={disabled} onChange={(event) => onChange(event.target.value)} />
      <Counter length={text.length} min={field.minLength} max={field.maxLength} />
    </>
  )
}
