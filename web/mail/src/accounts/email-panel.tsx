import type { User } from '@stoa/mail-model/accounts.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Status } from '@stoa/ui/display/badge.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { PasswordInput } from '@stoa/ui/form/password-input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { meQuery } from '../queries.ts'
import { codeOf, TotpField } from './proof-fields.tsx'
import { changeEmail, sendVerification } from './queries.ts'

/** The address one signs in with, whether it is confirmed, and the way to another one. */
export const EmailPanel = ({ me }: { me: User }) => {
  const [changing, setChanging] = useState(false)
  return (
    <Panel
      title="E-mail address"
      description="You sign in with it, and mail about your account goes there."
      actions={me.email_verified ? <Status tone="live">Confirmed</Status> : <Status tone="draft">Not confirmed</Status>}
    >
      <div className="flex flex-col gap-4">
        <p className="break-all font-medium text-base text-ink">{me.email}</p>
        {me.pending_email === null ? null : (
          <Notice title={`${me.pending_email} takes its place once it is confirmed`}>
            Open the link that was sent there within 24 hours.
          </Notice>
        )}
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setChanging(true)}>Change the address</Button>
          {me.email_verified ? null : <SendAgain email={me.email} />}
        </div>
      </div>
      {changing ? <ChangeEmailDialog me={me} onClose={() => setChanging(false)} /> : null}
    </Panel>
  )
}

/** Also on the overview, where the first steps ask for it. */
const SendAgain = ({ email }: { email: string }) => {
  const queryClient = useQueryClient()
  const again = useMutation({
    mutationFn: sendVerification,
    onSuccess: ({ sent }) => {
      if (sent)
        toast({ tone: 'success', title: 'The link is on its way', description: `Look into the mail of ${email}.` })
      else void queryClient.invalidateQueries(meQuery)
    },
    onError: (error) => toast({ tone: 'danger', title: 'Nothing was sent', description: messageOf(error) }),
  })
  return (
    <Button loading={again.isPending} onClick={() => again.mutate()}>
      Send the link again
    </Button>
  )
}

const ChangeEmailDialog = ({ me, onClose }: { me: User; onClose: () => void }) => {
  const queryClient = useQueryClient()
  const form = useForm({
    initial: { email: '', password: '', totp_code: '' },
    guard: false,
    validate: (values) => ({
      ...(values.email.trim() ? {} : { email: 'Enter the new address.' }),
      ...(values.password ? {} : { password: 'Enter your password.' }),
    }),
    onSubmit: async ({ totp_code: code, ...values }) => {
      const saved = await changeEmail({ ...values, ...codeOf(me, code) })
      queryClient.setQueryData(meQuery.queryKey, saved)
      toast({ tone: 'success', title: 'One more step', description: `Open the link that was sent to ${values.email}.` })
      onClose()
      return undefined
    },
  })
  return (
    <FormDialog
      title="Change your e-mail address"
      description="A link goes to the new address. Until it is opened, nothing changes."
      size="sm"
      form={form}
      submitLabel="Send the link"
      onClose={onClose}
    >
      <Field label="New address" error={form.errors.email}>
        <Input {...form.text('email')} type="email" autoComplete="email" autoCapitalize="none" />
      </Field>
      <Field label="Your password" error={form.errors.password}>
        <PasswordInput {...form.text('password')} autoComplete="current-password" />
      </Field>
      <TotpField me={me} input={form.text('totp_code')} error={form.errors.totp_code} />
    </FormDialog>
  )
}
