import type { User } from '@stoa/mail-model/accounts.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { PasswordInput } from '@stoa/ui/form/password-input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useSellsPlans } from '../billing/queries.ts'
import { codeOf, TotpField } from './proof-fields.tsx'
import { deleteAccount } from './queries.ts'

/** The end of the account and of everything in it. */
export const DeletePanel = ({ me }: { me: User }) => {
  const [asking, setAsking] = useState(false)
  const sellsPlans = useSellsPlans()
  return (
    <Panel
      title="Delete account"
      description={
        sellsPlans
          ? 'Deletes your domains, addresses and all their mail, and cancels your plan.'
          : 'Deletes your domains, addresses and all their mail.'
      }
    >
      <Button variant="danger-quiet" onClick={() => setAsking(true)}>
        Delete account
      </Button>
      {asking ? <DeleteDialog me={me} onClose={() => setAsking(false)} /> : null}
    </Panel>
  )
}

const DeleteDialog = ({ me, onClose }: { me: User; onClose: () => void }) => {
  const router = useRouter()
  const queryClient = useQueryClient()
  const form = useForm({
    initial: { name: '', password: '', totp_code: '' },
    guard: false,
    validate: (values) => ({
      ...(values.name === me.email ? {} : { name: `Type ${me.email} to confirm.` }),
      ...(values.password ? {} : { password: 'Enter your password.' }),
    }),
    onSubmit: async ({ password, totp_code: code }) => {
      await deleteAccount({ password, ...codeOf(me, code) })
      await router.navigate({ to: '/sign-in', ignoreBlocker: true })
      queryClient.clear()
      toast({ title: 'Account deleted' })
      return undefined
    },
  })
  return (
    <FormDialog
      title={`Delete the account ${me.email}?`}
      description="All your domains stop receiving mail immediately, and every mailbox is deleted. This can't be undone."
      size="sm"
      form={form}
      submitLabel="Delete account"
      tone="danger"
      onClose={onClose}
    >
      <Field
        label={
          <>
            Type <strong className="select-all font-semibold">{me.email}</strong> to confirm
          </>
        }
        error={form.errors.name}
      >
        <Input {...form.text('name')} autoComplete="off" autoCapitalize="none" spellCheck={false} />
      </Field>
      <Field label="Your password" error={form.errors.password}>
        <PasswordInput {...form.text('password')} autoComplete="current-password" />
      </Field>
      <TotpField me={me} input={form.text('totp_code')} error={form.errors.totp_code} />
    </FormDialog>
  )
}
