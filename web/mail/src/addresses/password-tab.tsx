import type { Address } from '@stoa/mail-model/addresses.ts'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form, FormActions } from '@stoa/ui/form/form.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { useQueryClient } from '@tanstack/react-query'
import { NewPasswordField } from './new-password-field.tsx'
import { PASSWORD_CONSEQUENCE, requirePassword } from './password-dialog.tsx'
import { appPasswordsQuery, setPassword, setRecovery } from './queries.ts'
import { useKeepAddress } from './use-address-change.ts'

export const PasswordTab = ({ address }: { address: Address }) => (
  <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
    <PasswordPanel address={address} />
    <RecoveryPanel address={address} />
  </div>
)

const PasswordPanel = ({ address }: { address: Address }) => {
  const queryClient = useQueryClient()
  const keep = useKeepAddress()
  const form = useForm({
    initial: { password: '' },
    validate: requirePassword,
    onSubmit: async ({ password }) => {
      keep(await setPassword(address.id, password))
      void queryClient.invalidateQueries(appPasswordsQuery(address.id))
      toast({ tone: 'success', title: `Password changed for ${address.email}` })
      return { password: '' }
    },
  })
  return (
    <Panel title="Password" description={PASSWORD_CONSEQUENCE}>
      <Form form={form}>
        <NewPasswordField
          label="New password"
          value={form.values.password}
          onValue={(password) => form.set({ password })}
          error={form.errors.password}
          help="Copy it first. You won't see it again."
        />
        <FormActions form={form} label="Set password" />
      </Form>
    </Panel>
  )
}

const RecoveryPanel = ({ address }: { address: Address }) => {
  const keep = useKeepAddress()
  const form = useForm({
    initial: { recovery_email: address.recovery_email ?? '' },
    onSubmit: async ({ recovery_email: email }) => {
      const saved = await setRecovery(address.id, email.trim() || null)
      keep(saved)
      toast({
        tone: 'success',
        title: saved.recovery_email === null ? 'Recovery address removed' : 'Recovery address saved',
      })
      return { recovery_email: saved.recovery_email ?? '' }
    },
  })
  return (
    <Panel
      title="Recovery address"
      description="The mailbox owner can reset a forgotten password with a link sent here."
    >
      <Form form={form}>
        <Field
          label="Recovery address"
          optional
          error={form.errors.recovery_email}
          help="Anyone who can read mail there can take over this mailbox. We notify the mailbox and the old recovery address about changes. If empty, the password can only be reset here."
        >
          <Input {...form.text('recovery_email')} type="email" autoComplete="off" placeholder="ada@elsewhere.com" />
        </Field>
        <FormActions form={form} label="Save recovery address" />
      </Form>
    </Panel>
  )
}
