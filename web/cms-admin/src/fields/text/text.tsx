import type { FieldOf } from '@stoa/cms-model/fields/field.ts'
import { Input } from '@stoa/ui/form/input.tsx'
import { Type } from 'lucide-react'
import { useRef } from 'react'
import { excerptOf } from '../../entries/list/values.ts'
import { TextCell } from '../cell-parts.tsx'
import { defaultInput } from '../default-input.tsx'
import type { EditorProps } from '../editor.ts'
import { partOf, useFieldSelection } from '../field-selection.ts'
import type { FieldView } from '../field-view.ts'
import { patternHint } from '../hints.ts'
import { useTextLanguage } from '../text-language.ts'
import { textOf } from '../text-of.ts'
import { Counter } from './counter.tsx'
import { slugInText } from './held-slug.ts'
import { ChangedText } from './text-change.tsx'
import { type TextDraft, textOptions } from './text-options.tsx'

/** A single line. */
const TextEditor = ({ field, value, onChange, disabled }: EditorProps<FieldOf<'text'>>) => {
  const text = textOf(value)
  const input = useRef<HTMLInputElement>(null)
  useFieldSelection(() => input.current && partOf(text, input.current.selectionStart, input.current.selectionEnd))
  return (
    <>
      <Input
        ref={input}
        value={text}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value)}
        {...useTextLanguage()}
      />
      <Counter length={text.length} min={field.minLength} max={field.maxLength} />
    </>
  )
}

export const text: FieldView<'text', TextDraft> = {
  label: 'Text',
  line: 'One line, such as a subtitle or a code',
  group: 'Text',
  icon: Type,
  Editor: TextEditor,
  frame: () => 'input',
  hint: patternHint,
  slugs: slugInText,
  Cell: ({ value }) => <TextCell>{excerptOf(value)}</TextCell>,
  Change: ChangedText,
  ...textOptions,
  Default: defaultInput((value, onText) => <Input value={value} onChange={({ target }) => onText(target.value)} />),
}
