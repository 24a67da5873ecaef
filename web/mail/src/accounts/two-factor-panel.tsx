import type { TotpSetup, User } from '@stoa/mail-model/accounts.ts'
import { Status } from '@stoa/ui/badge.tsx'
import { Button } from '@stoa/ui/button.tsx'
import { CodeBlock } from '@stoa/ui/code-block.tsx'
import { Field } from '@stoa/ui/field.tsx'
import { FormDialog } from '@stoa/ui/form-dialog.tsx'
import { Input } from '@stoa/ui/input.tsx'
import { Panel } from '@stoa/ui/panel.tsx'
import { PasswordInput } from '@stoa/ui/password-input.tsx'
import { QrCode } from '@stoa/ui/qr-code.tsx'
import { SecretOnceDialog } from '@stoa/ui/secret-once-dialog.tsx'
import { toast } from '@stoa/ui/toast-store.ts'
import { useForm } from '@stoa/ui/use-form.ts'
import { useQueryClient } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { meQuery, sessionsQuery } from '../queries.ts'
import { beginTotp, disableTotp, enableTotp } from './queries.ts'

type Step =
  | { name: 'password' }
  | { name: 'scan'; setup: TotpSetup }
  | { name: 'codes'; codes: readonly string[] }
  | { name: 'off' }

/** A second factor at sign-in: password, scan, code, recovery codes. */
export const TwoFactorPanel = ({ me }: { me: User }) => {
  const [step, setStep] = useState<Step>()
  const close = () => setStep(undefined)
  return (
    <Panel
      title="Two-factor sign-in"
      description="A code of an authenticator app is asked beside the password, so that a stolen password is not enough."
      actions={me.totp_enabled ? <Status tone="live">On</Status> : <Status tone="neutral">Off</Status>}
    >
      {me.totp_enabled ? (
        <Button variant="danger-quiet" onClick={() => setStep({ name: 'off' })}>
          Switch off
        </Button>
      ) : (
        <Button icon={<ShieldCheck />} onClick={() => setStep({ name: 'password' })}>
          Set up two-factor sign-in
        </Button>
      )}
      {step?.name === 'password' ? (
        <PasswordDialog onSetup={(setup) => setStep({ name: 'scan', setup })} onClose={close} />
      ) : null}
      {step?.name === 'scan' ? (
        <ScanDialog setup={step.setup} onCodes={(codes) => setStep({ name: 'codes', codes })} onClose={close} />
      ) : null}
      {step?.name === 'codes' ? (
        <SecretOnceDialog
          title="Recovery codes"
          secrets={step.codes}
          fileName="recovery-codes.txt"
          help="Two-factor sign-in is on. Each of these signs you in once when your phone is not at hand."
          onClose={close}
        />
      ) : null}
      {step?.name === 'off' ? <OffDialog onClose={close} /> : null}
    </Panel>
  )
}

const PasswordDialog = ({ onSetup, onClose }: { onSetup: (setup: TotpSetup) => void; onClose: () => void }) => {
  const form = useForm({
    initial: { password: '' },
    guard: false,
    validate: (values): { password?: string } => (values.password ? {} : { password: 'Enter your password.' }),
    onSubmit: async ({ password }) => {
      onSetup(await beginTotp(password))
      return undefined
    },
  })
  return (
    <FormDialog
      title="Set up two-factor sign-in"
      description="First, is it you?"
      size="sm"
      form={form}
      submitLabel="Go on"
      allowUnchanged
      onClose={onClose}
    >
      <Field label="Your password" error={form.errors.password}>
        <PasswordInput {...form.text('password')} autoComplete="current-password" />
      </Field>
    </FormDialog>
  )
}

type ScanProps = { setup: TotpSetup; onCodes: (codes: readonly string[]) => void; onClose: () => void }

const ScanDialog = ({ setup, onCodes, onClose }: ScanProps) => {
  const queryClient = useQueryClient()
  const form = useForm({
    initial: { code: '' },
    guard: false,
    validate: (values): { code?: string } => (values.code.trim() ? {} : { code: 'Enter the code of the app.' }),
    onSubmit: async ({ code }) => {
      const { recovery_codes: codes } = await enableTotp(code)
      onCodes(codes)
      await Promise.all([queryClient.invalidateQueries(meQuery), queryClient.invalidateQueries(sessionsQuery)])
      return undefined
    },
  })
  return (
    <FormDialog title="Scan and confirm" form={form} submitLabel="Switch on" allowUnchanged onClose={onClose}>
      <ol className="flex list-decimal flex-col gap-4 pl-5 marker:text-faint">
        <li>
          <div className="flex flex-col gap-2">
            <p>
              Scan this with an authenticator app. On this device,{' '}
              <a
                href={setup.otpauth_url}
                className="text-accent-ink underline decoration-accent-line underline-offset-2 hover:decoration-current"
              >
                open the app
              </a>
              .
            </p>
            <QrCode
              text={setup.otpauth_url}
              label="QR code for the authenticator app"
              className="size-44 rounded-lg border border-line"
            />
            <CodeBlock label="Key to type" code={setup.secret.replace(/(.{4})(?=.)/g, '$1 ')} wrap />
          </div>
        </li>
        <li>
          <Field label="Code that the app shows" error={form.errors.code}>
            <Input {...form.text('code')} className="max-w-40" inputMode="numeric" autoComplete="one-time-code" />
          </Field>
        </li>
      </ol>
    </FormDialog>
  )
}

const OffDialog = ({ onClose }: { onClose: () => void }) => {
  const queryClient = useQueryClient()
  const form = useForm({
    initial: { password: '', code: '' },
    guard: false,
    validate: (values) => ({
      ...(values.password ? {} : { password: 'Enter your password.' }),
      ...(values.code.trim() ? {} : { code: 'Enter a code of the app, or a recovery code.' }),
    }),
    onSubmit: async (values) => {
      await disableTotp(values)
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
      tone="danger"
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
