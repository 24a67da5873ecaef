import { Textarea } from '@stoa/ui/textarea.tsx'
import { AlignLeft } from 'lucide-react'
import { excerptOf } from '../../entries/list/values.ts'
import { TextCell } from '../cell-parts.tsx'
import { defaultInput } from '../default-input.tsx'
import type { FieldView } from '../field-view.ts'
import { patternHint } from '../hints.ts'
import { ChangedText } from '../text/text-change.tsx'
import { TextOptions } from '../text/text-options.tsx'
import { TextareaEditor } from './textarea-editor.tsx'

export const textarea: FieldView<'textarea'> = {
  label: 'Long text',
  line: 'Several lines of plain text',
  group: 'Text',
  icon: AlignLeft,
  Editor: TextareaEditor,
  frame: () => 'input',
  hint: patternHint,
  Cell: ({ value }) => <TextCell>{excerptOf(value)}</TextCell>,
  Change: ChangedText,
  Options: TextOptions,
  Default: defaultInput((value, onText) => <Textarea value={value} onChange={({ target }) => onText(target.value)} />),
}
