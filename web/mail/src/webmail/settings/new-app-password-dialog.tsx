import type { AppPasswordScope, CreatedAppPassword } from '@stoa/mail-model/app-passwords.ts'
import { CheckboxField } from '@stoa/ui/checkbox.tsx'
import { ChoiceGroup } from '@stoa/ui/choice-group.tsx'
import { Field } from '@stoa/ui/field.tsx'
import { FormDialog } from '@stoa/ui/form-dialog.tsx'
import { Input } from '@stoa/ui/input.tsx'
import { Select } from '@stoa/ui/select.tsx'
import { useForm } from '@stoa/ui/use-form.ts'
import { useQueryClient } from '@tanstack/react-query'
import { createAppPassword, ownAppPasswordsQuery } from './queries.ts'
import { endOf } from './vacation-dates.ts'

/** The doors that an app password can open, in words. */
export const scopeLabels: readonly { value: AppPasswordScope; label: string; help: string }[] = [
  { value: 'imap', label: 'IMAP', help: 'Read and sort mail.' },
  { value: 'smtp', label: 'SMTP', help: 'Send mail.' },
  { value: 'pop3', label: 'POP3', help: 'Fetch mail.' },
  { value: 'jmap', label: 'JMAP', help: 'Read, sort and send, in newer apps.' },
  { value: 'managesieve', label: 'ManageSieve', help: 'Change filters.' },
]

const DAY_MS = 86_400_000

const ends = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'day', label: 'On a day…' },
] as const

type Values = { name: string; scopes: AppPasswordScope[]; ends: string; expires_at: string }

const momentOf = ({ ends: choice, expires_at: day }: Values): string | null => {
  if (choice === '') return null
  if (choice === 'day') return endOf(day)?.toISOString() ?? null
  return new Date(Date.now() + Number(choice) * DAY_MS).toISOString()
}

type NewAppPasswordDialogProps = { onClose: () => void; onCreated: (created: CreatedAppPassword) => void }

export const NewAppPasswordDialog = ({ onClose, onCreated }: NewAppPasswordDialogProps) => {
  const queryClient = useQueryClient()
  const form = useForm<Values>({
    initial: { name: '', scopes: ['imap', 'smtp'], ends: '', expires_at: '' },
    validate: (values) => ({
      ...(values.name.trim() ? {} : { name: 'Enter a name.' }),
      ...(values.scopes.length > 0 ? {} : { scopes: 'Choose one at least.' }),
      ...(values.ends === 'day' && !values.expires_at ? { expires_at: 'Choose a day.' } : {}),
    }),
    onSubmit: async (values) => {
      const { name, scopes } = values
      const created = await createAppPassword({ name, scopes, expires_at: momentOf(values) })
      void queryClient.invalidateQueries(ownAppPasswordsQuery)
      onCreated(created)
      return undefined
    },
  })
  const turn = (scope: AppPasswordScope, on: boolean) =>
    form.set({
      scopes: scopeLabels.map(({ value }) => value).filter((v) => (v === scope ? on : form.values.scopes.includes(v))),
    })
  return (
    <FormDialog
      title="New app password"
      description="For one phone, computer or app."
      form={form}
      submitLabel="Create app password"
      allowUnchanged
      onClose={onClose}
    >
      <Field label="Name" help="So that you recognise it later." error={form.errors.name}>
        <Input {...form.text('name')} autoComplete="off" placeholder="Mail on my phone" />
      </Field>
      <ChoiceGroup label="It may use" error={form.errors.scopes} className="desk:grid! desk:grid-cols-2">
        {scopeLabels.map(({ value, label, help }) => (
          <CheckboxField
            key={value}
            label={label}
            help={help}
            checked={form.values.scopes.includes(value)}
            onChecked={(on) => turn(value, on)}
          />
        ))}
      </ChoiceGroup>
      <div className="grid gap-4 desk:grid-cols-2">
        <Field label="It ends">
          <Select {...form.choice('ends')} options={ends} />
        </Field>
        {form.values.ends === 'day' ? (
          <Field label="Last day" error={form.errors.expires_at}>
            <Input {...form.text('expires_at')} type="date" />
          </Field>
        ) : null}
      </div>
    </FormDialog>
  )
}
