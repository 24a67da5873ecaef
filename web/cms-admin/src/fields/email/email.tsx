import { Input } from '@stoa/ui/input.tsx'
import { AtSign } from 'lucide-react'
import { excerptOf } from '../../entries/list/values.ts'
import { TextCell } from '../cell-parts.tsx'
import { defaultInput } from '../default-input.tsx'
import type { FieldView } from '../field-view.ts'
import { ChangedText } from '../text/text-change.tsx'
import { EmailEditor } from './email-editor.tsx'

export const email: FieldView<'email'> = {
  label: 'Email',
  line: 'An email address',
  group: 'Text',
  icon: AtSign,
  Editor: EmailEditor,
  frame: () => 'input',
  Cell: ({ value }) => <TextCell>{excerptOf(value)}</TextCell>,
  Change: ChangedText,
  Default: defaultInput((value, onText) => (
    <Input
      value={value}
      onChange={({ target }) => onText(target.value)}
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
    />
  )),
}
