import type { FieldOf } from '@stoa/cms-model/fields/field.ts'
import { Input } from '@stoa/ui/input.tsx'
import { useRef } from 'react'
import type { EditorProps } from '../editor.ts'
import { partOf, useFieldSelection } from '../field-selection.ts'
import { textOf } from '../text-of.ts'
import { Counter } from './counter.tsx'

/** A single line. */
export const TextEditor = ({ field, value, onChange, disabled }: EditorProps<FieldOf<'text'>>) => {
  const text = textOf(value)
  const input = useRef<HTMLInputElement>(null)
  useFieldSelection(() => input.current && partOf(text, input.current.selectionStart, input.current.selectionEnd))
  return (
    <>
      <Input ref={input} value={text} disabled={disabled} onChange={(event) => onChange(event.target.value)} />
      <Counter length={text.length} min={field.minLength} max={field.maxLength} />
    </>
  )
}
