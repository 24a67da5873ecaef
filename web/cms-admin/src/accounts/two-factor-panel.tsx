import type { Me } from '@stoa/cms-model/accounts.ts'
import type { TotpEnrolment } from '@stoa/cms-model/two-factor.ts'
import { Status } from '@stoa/ui/badge.tsx'
import { Button } from '@stoa/ui/button.tsx'
import { CodeBlock } from '@stoa/ui/code-block.tsx'
import { Field } from '@stoa/ui/field.tsx'
import { FormDialog } from '@stoa/ui/form-dialog.tsx'
import { Input } from '@stoa/ui/input.tsx'
import { Panel } from '@stoa/ui/panel.tsx'
import { PasswordInput } from '@stoa/ui/password-input.tsx'
import { messageOf } from '@stoa/ui/problem.ts'
import { QrCode } from '@stoa/ui/qr-code.tsx'
import { SecretOnceDialog } from '@stoa/ui/secret-once-dialog.tsx'
import { toast } from '@stoa/ui/toast-store.ts'
import { useForm } from '@stoa/ui/use-form.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { meQuery, sessionsQuery } from '../queries.ts'
import { beginTotp, confirmTotp, removeTotp } from './queries.ts'

/** A second factor at sign-in. */
export const TwoFactorPanel = ({ me }: { me: Me }) => {
  const [enrolment, setEnrolment] = useState<TotpEnrolment>()
  const [codes, setCodes] = useState<readonly string[]>()
  const [removing, setRemoving] = useState(false)
  const begin = useMutation({
    mutationFn: beginTotp,
    onSuccess: setEnrolment,
    onError: (error) => toast({ tone: 'danger', title: 'It could not be begun', description: messageOf(error) }),
  })
  return (
    <Panel
      title="Two-factor sign-in"
      description="A code of an authenticator app is asked beside the password, so that a stolen password is not enough."
      actions={me.totp ? <Status tone="live">On</Status> : <Status tone="neutral">Off</Status>}
    >
      {me.totp ? (
        <Button variant="danger-quiet" onClick={() => setRemoving(true)}>
          Switch off
        </Button>
      ) : (
        <Button icon={<ShieldCheck />} loading={begin.isPending} onClick={() => begin.mutate()}>
          Set up two-factor sign-in
        </Button>
      )}
      {enrolment ? (
        <ConfirmTotpDialog
          enrolment={enrolment}
          onClose={() => setEnrolment(undefined)}
          onConfirmed={(made) => {
            setEnrolment(undefined)
            setCodes(made)
          }}
        />
      ) : null}
      {codes ? (
        <SecretOnceDialog
          title="Recovery codes"
          secrets={codes}
          fileName="recovery-codes.txt"
          help="Two-factor sign-in is on. Each of these signs you in once when your phone is not at hand."
          onClose={() => setCodes(undefined)}
        />
      ) : null}
      {removing ? <RemoveTotpDialog onClose={() => setRemoving(false)} /> : null}
    </Panel>
  )
}

type ConfirmTotpProps = {
  enrolment: TotpEnrolment
  onClose: () => void
  onConfirmed: (recoveryCodes: readonly string[]) => void
}

const ConfirmTotpDialog = ({ enrolment, onClose, onConfirmed }: ConfirmTotpProps) => {
  const queryClient = useQueryClient()
  const form = useForm({
    initial: { code: '' },
    guard: false,
    validate: (values): { code?: string } => (values.code.trim() ? {} : { code: 'Enter the code of the app.' }),
    onSubmit: async ({ code }) => {
      const { recoveryCodes } = await confirmTotp(code)
      onConfirmed(recoveryCodes)
      await Promise.all([queryClient.invalidateQueries(meQuery), queryClient.invalidateQueries(sessionsQuery)])
      return undefined
    },
  })
  return (
    <FormDialog title="Set up two-factor sign-in" form={form} submitLabel="Switch on" allowUnchanged onClose={onClose}>
      <ol className="flex list-decimal flex-col gap-4 pl-5 marker:text-faint">
        <li>
          <div className="flex flex-col gap-2">
            <p>
              Scan this with an authenticator app. On this device,{' '}
              <a
                href={enrolment.uri}
                className="text-accent-ink underline decoration-accent-line underline-offset-2 hover:decoration-current"
              >
                open the app
              </a>
              .
            </p>
            <QrCode
              text={enrolment.uri}
              label="QR code for the authenticator app"
              className="size-44 rounded-lg border border-line"
            />
            <p className="text-muted">Or type the key, or copy the address:</p>
            <CodeBlock label="Key" code={grouped(enrolment.secret)} wrap />
            <CodeBlock label="Address for the app" code={enrolment.uri} wrap />
          </div>
        </li>
        <li>
          <Field
            label="Code that the app shows"
            help="Your other sessions end when it is right."
            error={form.errors.code}
          >
            <Input {...form.text('code')} className="max-w-40" inputMode="numeric" autoComplete="one-time-code" />
          </Field>
        </li>
      </ol>
    </FormDialog>
  )
}

/** Four by four, as it is easier to type; apps ignore the spaces. */
const grouped = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ')

const RemoveTotpDialog = ({ onClose }: { onClose: () => void }) => {
  const queryClient = useQueryClient()
  const form = useForm({
    initial: { password: '', code: '' },
    guard: false,
    validate: (values) => ({
      ...(values.password ? {} : { password: 'Enter your password.' }),
      ...(values.code.trim() ? {} : { code: 'Enter a code of the app, or a recovery code.' }),
    }),
    onSubmit: async (values) => {
      await removeTotp(values)
      await queryClient.invalidateQueries(meQuery)
      toast({ tone: 'success', title: 'Two-factor sign-in is off' })
      onClose()
      return undefined
    },
  })
  return (
    <FormDialog
      title="Switch two-factor sign-in off?"
      description="Your password alone signs in then. Your recovery codes stop working."
      size="sm"
      form={form}
      submitLabel="Switch off"
      allowUnchanged
      onClose={onClose}
    >
      <Field label="Your password" error={form.errors.password}>
        <PasswordInput {...form.text('password')} autoComplete="current-password" />
      </Field>
      <Field label="Code" help="Of the app, or a recovery code." error={form.errors.code}>
        <Input {...form.text('code')} autoComplete="one-time-code" autoCapitalize="none" />
      </Field>
    </FormDialog>
  )
}
