import type { FieldOf } from '@stoa/cms-model/fields/field.ts'
import { Input } from '@stoa/ui/input.tsx'
import type { EditorProps } from '../editor.ts'
import { textOf } from '../text-of.ts'

/** An address that mail can go to. As text: browsers rewrite what is typed into their own input for it. */
export const EmailEditor = ({ value, onChange, disabled }: EditorProps<FieldOf<'email'>>) => (
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
