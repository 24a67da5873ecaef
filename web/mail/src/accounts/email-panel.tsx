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
      title="Email address"
      description="You use this to sign in, and we send account notifications here."
      actions={me.email_verified ? <Status tone="live">Confirmed</Status> : <Status tone="draft">Not confirmed</Status>}
    >
      <div className="flex flex-col gap-4">
        <p className="break-all font-medium text-base text-ink">{me.email}</p>
        {me.pending_email === null ? null : (
          <Notice title={`Confirm ${me.pending_email} to finish the change`}>
            Open the link we sent to that address within 24 hours.
          </Notice>
        )}
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setChanging(true)}>Change email address</Button>
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
      if (sent) toast({ tone: 'success', title: 'Link sent', description: `Check the inbox of ${email}.` })
      else void queryClient.invalidateQueries(meQuery)
    },
    onError: (error) => toast({ tone: 'danger', title: "Couldn't send the link", description: messageOf(error) }),
  })
  return (
    <Button loading={again.isPending} onClick={() => again.mutate()}>
      Resend link
    </Button>
  )
}

const ChangeEmailDialog = ({ me, onClose }: { me: User; onClose: () => void }) => {
  const queryClient = useQueryClient()
  const form = useForm({
    initial: { email: '', password: '', totp_code: '' },
    guard: false,
    validate: (values) => ({
      ...(values.email.trim() ? {} : { email: 'Enter the new email address.' }),
      ...(values.password ? {} : { password: 'Enter your password.' }),
    }),
    onSubmit: async ({ totp_code: code, ...values }) => {
      const saved = await changeEmail({ ...values, ...codeOf(me, code) })
      queryClient.setQueryData(meQuery.queryKey, saved)
      toast({ tone: 'success', title: 'Check your inbox', description: `Open the link we sent to ${values.email}.` })
      onClose()
      return undefined
    },
  })
  return (
    <FormDialog
      title="Change your email address"
      description="We'll send a link to the new address. Nothing changes until you open it."
      size="sm"
      form={form}
      submitLabel="Send link"
      onClose={onClose}
    >
      <Field label="New email address" error={form.errors.email}>
        <Input {...form.text('email')} type="email" autoComplete="email" autoCapitalize="none" />
      </Field>
      <Field label="Your password" error={form.errors.password}>
        <PasswordInput {...form.text('password')} autoComplete="current-password" />
      </Field>
      <TotpField me={me} input={form.text('totp_code')} error={form.errors.totp_code} />
    </FormDialog>
  )
}
