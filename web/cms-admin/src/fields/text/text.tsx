import { Input } from '@stoa/ui/input.tsx'
import { Type } from 'lucide-react'
import { excerptOf } from '../../entries/list/values.ts'
import { TextCell } from '../cell-parts.tsx'
import { defaultInput } from '../default-input.tsx'
import type { FieldView } from '../field-view.ts'
import { patternHint } from '../hints.ts'
import { ChangedText } from './text-change.tsx'
import { TextEditor } from './text-editor.tsx'
import { TextOptions } from './text-options.tsx'

export const text: FieldView<'text'> = {
  label: 'Text',
  line: 'One line, such as a subtitle or a code',
  group: 'Text',
  icon: Type,
  Editor: TextEditor,
  frame: () => 'input',
  hint: patternHint,
  Cell: ({ value }) => <TextCell>{excerptOf(value)}</TextCell>,
  Change: ChangedText,
  Options: TextOptions,
  Default: defaultInput((value, onText) => <Input value={value} onChange={({ target }) => onText(target.value)} />),
}
