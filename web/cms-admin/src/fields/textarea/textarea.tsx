import type { FieldOf } from '@stoa/cms-model/fields/field.ts'
import { Textarea } from '@stoa/ui/form/textarea.tsx'
import { AlignLeft } from 'lucide-react'
import { useRef } from 'react'
import { excerptOf } from '../../entries/list/values.ts'
import { TextCell } from '../cell-parts.tsx'
import { defaultInput } from '../default-input.tsx'
import type { EditorProps } from '../editor.ts'
import { partOf, useFieldSelection } from '../field-selection.ts'
import type { FieldView } from '../field-view.ts'
import { patternHint } from '../hints.ts'
import { Counter } from '../text/counter.tsx'
import { slugInText } from '../text/held-slug.ts'
import { ChangedText } from '../text/text-change.tsx'
import { type TextDraft, textOptions } from '../text/text-options.tsx'
import { useTextLanguage } from '../text-language.ts'
import { textOf } from '../text-of.ts'

/** Plain text over several lines; the box grows with it. */
const TextareaEditor = ({ field, value, onChange, disabled }: EditorProps<FieldOf<'textarea'>>) => {
  const text = textOf(value)
  const input = useRef<HTMLTextAreaElement>(null)
  useFieldSelection(() => input.current && partOf(text, input.current.selectionStart, input.current.selectionEnd))
  return (
    <>
      <Textarea
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

export const textarea: FieldView<'textarea', TextDraft> = {
  label: 'Long text',
  line: 'Several lines of plain text',
  group: 'Text',
  icon: AlignLeft,
  sketch: 'area',
  Editor: TextareaEditor,
  frame: () => 'input',
  hint: patternHint,
  slugs: slugInText,
  Cell: ({ value }) => <TextCell>{excerptOf(value)}</TextCell>,
  Change: ChangedText,
  ...textOptions,
  Default: defaultInput((value, onText) => <Textarea value={value} onChange={({ target }) => onText(target.value)} />),
}
