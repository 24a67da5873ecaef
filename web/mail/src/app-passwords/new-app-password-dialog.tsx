import type { AppPasswordScope, CreatedAppPassword } from '@stoa/mail-model/app-passwords.ts'
import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { ChoiceGroup } from '@stoa/ui/form/choice-group.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { endOf } from '../days.ts'

export type NewAppPassword = { name: string; scopes: readonly AppPasswordScope[]; expires_at: string | null }

const scopes: readonly { scope: AppPasswordScope; label: string; help: string }[] = [
  { scope: 'imap', label: 'IMAP', help: 'Read and organize mail' },
  { scope: 'smtp', label: 'SMTP', help: 'Send mail' },
  { scope: 'jmap', label: 'JMAP', help: 'Read and send, in newer apps' },
  { scope: 'pop3', label: 'POP3', help: 'Download mail, in older apps' },
  { scope: 'managesieve', label: 'ManageSieve', help: 'Edit filters' },
]

/** What an app password is for, in words. */
export const scopeWords = (given: readonly string[]): readonly string[] =>
  given.length >= scopes.length
    ? ['Everything']
    : scopes.flatMap(({ scope, label }) => (given.includes(scope) ? [label] : []))

const DAY_MS = 86_400_000
const terms = [
  { value: '', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'day', label: 'Custom date…' },
]

type Values = { name: string; scopes: readonly AppPasswordScope[]; ends: string; expires_at: string }

const validate = (values: Values): Partial<Record<keyof Values, string>> => ({
  ...(values.name.trim() ? {} : { name: 'Enter a name.' }),
  ...(values.scopes.length > 0 ? {} : { scopes: 'Choose at least one.' }),
  ...(values.ends === 'day' && !values.expires_at ? { expires_at: 'Choose a date.' } : {}),
})

const momentOf = ({ ends, expires_at: day }: Values): string | null => {
  if (ends === '') return null
  if (ends === 'day') return endOf(day)?.toISOString() ?? null
  return new Date(Date.now() + Number(ends) * DAY_MS).toISOString()
}

type NewAppPasswordProps = {
  email: string
  create: (password: NewAppPassword) => Promise<CreatedAppPassword>
  onClose: () => void
  onCreated: (created: CreatedAppPassword) => void
}

export const NewAppPasswordDialog = ({ email, create, onClose, onCreated }: NewAppPasswordProps) => {
  const form = useForm<Values>({
    initial: { name: '', scopes: ['imap', 'smtp'], ends: '', expires_at: '' },
    validate,
    onSubmit: async (values) => {
      onCreated(await create({ name: values.name.trim(), scopes: values.scopes, expires_at: momentOf(values) }))
      return undefined
    },
  })
  const chosen = form.values.scopes
  const toggle = (scope: AppPasswordScope, on: boolean) =>
    form.set({ scopes: on ? [...chosen, scope] : chosen.filter((one) => one !== scope) })
  return (
    <FormDialog
      title="New app password"
      description={`For one app or device that uses ${email}.`}
      form={form}
      submitLabel="Create app password"
      allowUnchanged
      onClose={onClose}
    >
      <Field label="Name" help="Helps you recognize it later." error={form.errors.name}>
        <Input {...form.text('name')} autoComplete="off" placeholder="Mail on my phone" />
      </Field>
      <ChoiceGroup label="Access" error={form.errors.scopes} className="desk:grid! desk:grid-cols-2">
        {scopes.map(({ scope, label, help }) => (
          <CheckboxField
            key={scope}
            label={label}
            help={help}
            checked={chosen.includes(scope)}
            onChecked={(on) => toggle(scope, on)}
          />
        ))}
      </ChoiceGroup>
      <div className="grid gap-4 desk:grid-cols-2">
        <Field label="Expires">
          <Select {...form.choice('ends')} options={terms} />
        </Field>
        {form.values.ends === 'day' ? (
          <Field label="Expires on" error={form.errors.expires_at}>
            <Input {...form.text('expires_at')} type="date" />
          </Field>
        ) : null}
      </div>
    </FormDialog>
  )
}
