import { CheckboxField } from '@stoa/ui/checkbox.tsx'
import { ChoiceGroup } from '@stoa/ui/choice-group.tsx'
import { Field } from '@stoa/ui/field.tsx'
import { Input } from '@stoa/ui/input.tsx'
import { Select } from '@stoa/ui/select.tsx'
import { Textarea } from '@stoa/ui/textarea.tsx'
import type { ChoiceDraft, FieldDraft } from './draft.ts'
import { MomentInput } from './moment-input.tsx'

type DefaultEditorProps = {
  field: FieldDraft
  /** Null for nothing. */
  onValue: (value: unknown) => void
  error: string | undefined
}

const LABEL = 'Default value'
const HELP = 'What a new entry starts with.'

/** What a new entry starts with, for types whose value is a simple one. */
export const DefaultEditor = ({ field, onValue, error }: DefaultEditorProps) => {
  if (field.type === 'boolean')
    return (
      <CheckboxField
        label="On in a new entry"
        checked={field.default === true}
        onChecked={(checked) => onValue(checked ? true : null)}
        error={error}
      />
    )
  if (field.type === 'multiselect') return <DefaultChoices field={field} onValue={onValue} error={error} />
  const input = inputOf(field, (text) => onValue(text === '' ? null : text))
  if (input === null) return null
  return (
    <Field label={LABEL} optional help={HELP} error={error}>
      {input}
    </Field>
  )
}

const inputOf = (field: FieldDraft, onText: (value: unknown) => void) => {
  const text = typeof field.default === 'string' || typeof field.default === 'number' ? String(field.default) : ''
  const wiring = { value: text, onChange: ({ target }: { target: { value: string } }) => onText(target.value) }
  switch (field.type) {
    case 'text':
      return <Input {...wiring} />
    case 'url':
      return <Input {...wiring} inputMode="url" autoCapitalize="none" spellCheck={false} />
    case 'email':
      return <Input {...wiring} inputMode="email" autoCapitalize="none" spellCheck={false} />
    case 'color':
      return <Input {...wiring} placeholder="#1d4ed8" autoCapitalize="none" spellCheck={false} className="font-mono" />
    case 'textarea':
    case 'markdown':
      return <Textarea {...wiring} />
    case 'number':
      return <Input {...wiring} inputMode="decimal" />
    case 'date':
      return <Input {...wiring} type="date" />
    case 'datetime':
      return <MomentInput value={text} onValue={onText} />
    case 'select':
      return <Select value={text} onValue={onText} options={[{ value: '', label: 'Nothing' }, ...optionsOf(field)]} />
    default:
      return null
  }
}

const optionsOf = ({ choices }: FieldDraft) =>
  choices.filter(({ value }) => value !== '').map(({ value, label }) => ({ value, label: label || value }))

const DefaultChoices = ({ field, onValue, error }: DefaultEditorProps) => {
  const chosen: unknown[] = Array.isArray(field.default) ? field.default : []
  const toggle = ({ value }: ChoiceDraft, on: boolean) => {
    const next = on ? [...chosen, value] : chosen.filter((other) => other !== value)
    onValue(next.length === 0 ? null : next)
  }
  const choices = field.choices.filter(({ value }) => value !== '')
  if (choices.length === 0) return null
  return (
    <ChoiceGroup label={LABEL} help={HELP} error={error}>
      {choices.map((choice) => (
        <CheckboxField
          key={choice.id}
          label={choice.label || choice.value}
          checked={chosen.includes(choice.value)}
          onChecked={(on) => toggle(choice, on)}
        />
      ))}
    </ChoiceGroup>
  )
}
