import type { Address } from '@stoa/mail-model/addresses.ts'
import type { AppPasswordScope, CreatedAppPassword } from '@stoa/mail-model/app-passwords.ts'
import { CheckboxField } from '@stoa/ui/checkbox.tsx'
import { ChoiceGroup } from '@stoa/ui/choice-group.tsx'
import { Field } from '@stoa/ui/field.tsx'
import { FormDialog } from '@stoa/ui/form-dialog.tsx'
import { Input } from '@stoa/ui/input.tsx'
import { Select } from '@stoa/ui/select.tsx'
import { useForm } from '@stoa/ui/use-form.ts'
import { useQueryClient } from '@tanstack/react-query'
import { appPasswordsQuery, createAppPassword } from './queries.ts'

const scopes: readonly { scope: AppPasswordScope; label: string; help: string }[] = [
  { scope: 'imap', label: 'IMAP', help: 'Read mail in a mail program' },
  { scope: 'smtp', label: 'SMTP', help: 'Send mail from a mail program' },
  { scope: 'jmap', label: 'JMAP', help: 'Read and send with newer programs and scripts' },
  { scope: 'pop3', label: 'POP3', help: 'Fetch mail with older programs' },
  { scope: 'managesieve', label: 'ManageSieve', help: 'Edit filters from a mail program' },
]

/** What an app password is for. */
export const describeScopes = (given: readonly string[]): string =>
  given.length >= scopes.length
    ? 'Everything'
    : scopes.flatMap(({ scope, label }) => (given.includes(scope) ? [label] : [])).join(', ')

const DAY_MS = 86_400_000
const terms = [
  { value: '', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
]

type Values = { name: string; scopes: readonly AppPasswordScope[]; expires_at: string }

const validate = (values: Values): Partial<Record<keyof Values, string>> => ({
  ...(values.name.trim() ? {} : { name: 'Enter a name.' }),
  ...(values.scopes.length > 0 ? {} : { scopes: 'Choose one at least.' }),
})

type NewAppPasswordProps = { address: Address; onClose: () => void; onMade: (made: CreatedAppPassword) => void }

export const NewAppPasswordDialog = ({ address, onClose, onMade }: NewAppPasswordProps) => {
  const queryClient = useQueryClient()
  const form = useForm<Values>({
    initial: { name: '', scopes: ['imap', 'smtp'], expires_at: '' },
    validate,
    onSubmit: async (values) => {
      const days = Number(values.expires_at)
      const made = await createAppPassword(address.id, {
        name: values.name.trim(),
        scopes: values.scopes,
        expires_at: days > 0 ? new Date(Date.now() + days * DAY_MS).toISOString() : null,
      })
      void queryClient.invalidateQueries(appPasswordsQuery(address.id))
      onMade(made)
      return { name: '', scopes: [], expires_at: '' }
    },
  })
  const chosen = form.values.scopes
  const toggle = (scope: AppPasswordScope, on: boolean) =>
    form.set({ scopes: on ? [...chosen, scope] : chosen.filter((one) => one !== scope) })
  return (
    <FormDialog
      title="New app password"
      description={`For one program that uses ${address.email}.`}
      form={form}
      submitLabel="Create app password"
      allowUnchanged
      onClose={onClose}
    >
      <Field label="Name" error={form.errors.name} help="Which program or device it is for.">
        <Input {...form.text('name')} autoComplete="off" placeholder="Phone" />
      </Field>
      <ChoiceGroup label="What it opens" error={form.errors.scopes}>
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
      <Field label="Ends" error={form.errors.expires_at}>
        <Select {...form.choice('expires_at')} options={terms} />
      </Field>
    </FormDialog>
  )
}
