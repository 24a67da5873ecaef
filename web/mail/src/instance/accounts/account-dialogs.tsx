import type { InstanceAccount } from '@stoa/mail-model/instance-accounts.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { ACCOUNTS, resetSignIn, resumeAccount, suspendAccount } from './queries.ts'

type DialogProps = { account: InstanceAccount; onClose: () => void }

export const SuspendAccount = ({ account, onClose }: DialogProps) => {
  const queryClient = useQueryClient()
  const form = useForm({
    initial: { reason: '' },
    validate: ({ reason }) => (reason.trim() ? {} : { reason: 'Enter a reason.' }),
    onSubmit: async ({ reason }) => {
      await suspendAccount(account.id, reason)
      await queryClient.invalidateQueries({ queryKey: ACCOUNTS })
      toast({ tone: 'success', title: 'Account suspended' })
      onClose()
      return undefined
    },
  })
  return (
    <FormDialog
      title={`Suspend ${account.email}?`}
      description="The account can still receive and read mail, but not send any. You can resume it at any time."
      size="sm"
      form={form}
      submitLabel="Suspend account"
      tone="danger"
      allowUnchanged
      onClose={onClose}
    >
      <Field label="Reason" help="The account sees it on its overview." error={form.errors.reason}>
        <Input {...form.text('reason')} maxLength={500} />
      </Field>
    </FormDialog>
  )
}

export const ResumeAccount = ({ account, onClose }: DialogProps) => {
  const queryClient = useQueryClient()
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      tone="primary"
      title={`Resume ${account.email}?`}
      consequence="The account can send mail again."
      confirmLabel="Resume account"
      onConfirm={async () => {
        await resumeAccount(account.id)
        await queryClient.invalidateQueries({ queryKey: ACCOUNTS })
        toast({ tone: 'success', title: 'Account resumed' })
      }}
    />
  )
}

export const ResetSignIn = ({ account, isOwn, onClose }: DialogProps & { isOwn: boolean }) => {
  const queryClient = useQueryClient()
  const form = useForm({
    initial: { totp: false },
    onSubmit: async ({ totp }) => {
      await resetSignIn(account.id, totp)
      toast({ tone: 'success', title: `Reset link sent to ${account.email}` })
      onClose()
      await queryClient.invalidateQueries({ queryKey: ACCOUNTS })
      return undefined
    },
  })
  return (
    <FormDialog
      title={`Reset sign-in of ${isOwn ? 'your account' : account.email}?`}
      description={`${isOwn ? "You'll be" : 'They are'} signed out on all devices and get an email with a link to choose a new password. Until then, the old password still works.`}
      size="sm"
      form={form}
      submitLabel="Reset sign-in"
      allowUnchanged
      onClose={onClose}
    >
      {account.totp_enabled ? (
        <CheckboxField
          {...form.flag('totp')}
          label="Also turn off two-factor authentication"
          help="For someone who lost their phone and their recovery codes."
        />
      ) : null}
    </FormDialog>
  )
}
