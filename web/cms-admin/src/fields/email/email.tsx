import type { FieldOf } from '@stoa/cms-model/fields/field.ts'
import { Input } from '@stoa/ui/form/input.tsx'
import { AtSign } from 'lucide-react'
import { excerptOf } from '../../entries/list/values.ts'
import { TextCell } from '../cell-parts.tsx'
import { defaultInput } from '../default-input.tsx'
import type { EditorProps } from '../editor.ts'
import type { FieldView } from '../field-view.ts'
import { ChangedText } from '../text/text-change.tsx'
import { textOf } from '../text-of.ts'

/** An address that mail can go to. As text: browsers rewrite what is typed into their own input for it. */
const EmailEditor = ({ value, onChange, disabled }: EditorProps<FieldOf<'email'>>) => (
  <Input
    inputMode="email"
    autoCapitalize="none"
    autoComplete="off"
    spellCheck={false}
    placeholder="name@example.com"
    value={textOf(value)}
    disabled={disabled}
    onChange={(event) => onChange(event.target.value)}
  />
)

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
