import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../button/button.tsx'
import { Status } from '../display/badge.tsx'
import { CodeBlock } from '../display/code-block.tsx'
import { Panel } from '../display/panel.tsx'
import { QrCode } from '../display/qr-code.tsx'
import { toast } from '../feedback/toast-store.ts'
import { Field } from '../form/field.tsx'
import { Input } from '../form/input.tsx'
import { PasswordInput } from '../form/password-input.tsx'
import { useForm } from '../form/use-form.ts'
import { FormDialog } from '../layer/form-dialog.tsx'
import { SecretOnceDialog } from '../layer/secret-once-dialog.tsx'
import { messageOf } from '../request/problem.ts'

/** The setup of an authenticator app: a secret to type, or the same as `uri` for the QR code. */
type Enrolment = { secret: string; uri: string }

type TwoFactorProps = {
  isOn: boolean
  /** Gives out a secret; some services want the password first. */
  begin: { asks: 'nothing'; run: () => Promise<Enrolment> } | { asks: 'password'; run: Begin }
  /** Switches it on with the first code of the app, and gives the recovery codes. */
  confirm: (code: string) => Promise<readonly string[]>
  remove: (proof: { password: string; code: string }) => Promise<unknown>
}

type Begin = (password: string) => Promise<Enrolment>

type Step =
  | { name: 'password'; begin: Begin }
  | { name: 'scan'; enrolment: Enrolment }
  | { name: 'codes'; codes: readonly string[] }
  | { name: 'off' }

/** A second factor at sign-in: scan, code, recovery codes. */
export const TwoFactor = ({ isOn, begin, confirm, remove }: TwoFactorProps) => {
  const [step, setStep] = useState<Step>()
  const [beginning, setBeginning] = useState(false)
  const close = () => setStep(undefined)
  const scan = (enrolment: Enrolment) => setStep({ name: 'scan', enrolment })
  const start = async () => {
    if (begin.asks === 'password') return setStep({ name: 'password', begin: begin.run })
    setBeginning(true)
    try {
      scan(await begin.run())
    } catch (error) {
      toast({ tone: 'danger', title: "Couldn't start the setup", description: messageOf(error) })
    } finally {
      setBeginning(false)
    }
  }
  return (
    <Panel
      title="Two-factor authentication"
      description="Sign in with your password and a code from an authenticator app, so a stolen password isn't enough."
      actions={isOn ? <Status tone="live">On</Status> : <Status tone="neutral">Off</Status>}
    >
      {isOn ? (
        <Button variant="danger-quiet" onClick={() => setStep({ name: 'off' })}>
          Turn off
        </Button>
      ) : (
        <Button icon={<ShieldCheck />} loading={beginning} onClick={() => void start()}>
          Set up two-factor authentication
        </Button>
      )}
      {step?.name === 'password' ? <PasswordDialog begin={step.begin} onBegun={scan} onClose={close} /> : null}
      {step?.name === 'scan' ? (
        <ScanDialog
          enrolment={step.enrolment}
          confirm={confirm}
          onConfirmed={(codes) => setStep({ name: 'codes', codes })}
          onClose={close}
        />
      ) : null}
      {step?.name === 'codes' ? (
        <SecretOnceDialog
          title="Recovery codes"
          secrets={step.codes}
          fileName="recovery-codes.txt"
          help="Two-factor authentication is on. Each of these codes signs you in once when you don't have your phone."
          onClose={close}
        />
      ) : null}
      {step?.name === 'off' ? <OffDialog remove={remove} onClose={close} /> : null}
    </Panel>
  )
}

type PasswordDialogProps = { begin: Begin; onBegun: (enrolment: Enrolment) => void; onClose: () => void }

const PasswordDialog = ({ begin, onBegun, onClose }: PasswordDialogProps) => {
  const form = useForm({
    initial: { password: '' },
    guard: false,
    validate: (values): { password?: string } => (values.password ? {} : { password: 'Enter your password.' }),
    onSubmit: async ({ password }) => {
      onBegun(await begin(password))
      return undefined
    },
  })
  return (
    <FormDialog
      title="Set up two-factor authentication"
      description="Confirm your password"
      size="sm"
      form={form}
      submitLabel="Continue"
      allowUnchanged
      onClose={onClose}
    >
      <Field label="Your password" error={form.errors.password}>
        <PasswordInput {...form.text('password')} autoComplete="current-password" />
      </Field>
    </FormDialog>
  )
}

type ScanDialogProps = Pick<TwoFactorProps, 'confirm'> & {
  enrolment: Enrolment
  onConfirmed: (recoveryCodes: readonly string[]) => void
  onClose: () => void
}

const ScanDialog = ({ enrolment, confirm, onConfirmed, onClose }: ScanDialogProps) => {
  const form = useForm({
    initial: { code: '' },
    guard: false,
    validate: (values): { code?: string } => (values.code.trim() ? {} : { code: 'Enter the code from the app.' }),
    onSubmit: async ({ code }) => {
      onConfirmed(await confirm(code))
      return undefined
    },
  })
  return (
    <FormDialog title="Scan the code" form={form} submitLabel="Turn on" allowUnchanged onClose={onClose}>
      <ol className="flex list-decimal flex-col gap-4 pl-5 marker:text-faint">
        <li>
          <div className="flex flex-col gap-2">
            <p>
              Scan this with your authenticator app. On this device,{' '}
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
            <p className="text-muted">Or enter the key by hand, or copy the link:</p>
            <CodeBlock label="Key" code={grouped(enrolment.secret)} wrap />
            <CodeBlock label="Link for the app" code={enrolment.uri} wrap />
          </div>
        </li>
        <li>
          <Field
            label="Code from the app"
            help="Your other sessions end when you turn this on."
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

const OffDialog = ({ remove, onClose }: Pick<TwoFactorProps, 'remove'> & { onClose: () => void }) => {
  const form = useForm({
    initial: { password: '', code: '' },
    guard: false,
    validate: (values) => ({
      ...(values.password ? {} : { password: 'Enter your password.' }),
      ...(values.code.trim() ? {} : { code: 'Enter a code from the app, or a recovery code.' }),
    }),
    onSubmit: async (values) => {
      await remove(values)
      toast({ tone: 'success', title: 'Two-factor authentication turned off' })
      onClose()
      return undefined
    },
  })
  return (
    <FormDialog
      title="Turn off two-factor authentication?"
      description="You'll sign in with your password alone. Your recovery codes stop working."
      size="sm"
      form={form}
      submitLabel="Turn off"
      tone="danger"
      allowUnchanged
      onClose={onClose}
    >
      <Field label="Your password" error={form.errors.password}>
        <PasswordInput {...form.text('password')} autoComplete="current-password" />
      </Field>
      <Field label="Code" help="From the app, or a recovery code." error={form.errors.code}>
        <Input {...form.text('code')} autoComplete="one-time-code" autoCapitalize="none" />
      </Field>
    </FormDialog>
  )
}
