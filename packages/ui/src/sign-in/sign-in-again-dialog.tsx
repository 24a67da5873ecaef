import { useId, useRef, useState } from 'react'
import { Button } from '../button/button.tsx'
import { Field } from '../form/field.tsx'
import { Form } from '../form/form.tsx'
import { Input } from '../form/input.tsx'
import { PasswordInput } from '../form/password-input.tsx'
import { useForm } from '../form/use-form.ts'
import { Dialog } from '../layer/dialog.tsx'
import { ProblemError } from '../request/problem.ts'
import type { SignInAgain } from './sign-in-again.ts'

type SignInAgainProps = SignInAgain & {
  /** Where what was typed is: "still here". */
  kept: string
  onDone: () => void
}

const ENTER_CODE = 'Enter the code from your authenticator app.'

const focus = (input: HTMLInputElement | null): void => input?.focus()

/** The session ended in the middle of the work: the password is asked for here, and the work goes on. */
export const SignInAgainDialog = ({ email, kept, signIn, leave, onDone }: SignInAgainProps) => {
  const id = useId()
  const password = useRef<HTMLInputElement>(null)
  const [asksCode, setAsksCode] = useState(false)
  const form = useForm({
    initial: { password: '', code: '' },
    guard: false,
    validate: ({ password, code }) => ({
      ...(password ? {} : { password: 'Enter your password.' }),
      ...(asksCode && !code.trim() ? { code: ENTER_CODE } : {}),
    }),
    onSubmit: async ({ password, code }) => {
      const step = await signIn(password, asksCode ? code : undefined)
      if (step === 'code') {
        setAsksCode(true)
        return undefined
      }
      if (step !== 'done')
        throw new ProblemError('', [{ key: 'code', message: "That code isn't right. Try the current one." }])
      onDone()
      // Work that waits for the connection can resume, too
      window.dispatchEvent(new Event('online'))
      return undefined
    },
  })
  return (
    <Dialog
      open
      onOpenChange={() => undefined}
      size="sm"
      dismissible={false}
      initialFocus={password}
      title="Sign in again to continue"
      description={
        <>
          Your session has ended. Your changes are {kept}. You're{' '}
          <strong className="font-medium text-ink">{email}</strong>.
        </>
      }
      footer={
        <>
          <Button onClick={leave}>Go to sign-in</Button>
          <Button type="submit" form={id} variant="primary" loading={form.submitting}>
            Sign in
          </Button>
        </>
      }
    >
      <Form form={form} id={id}>
        <input type="hidden" name="username" autoComplete="username" value={email} />
        <Field label="Password" error={form.errors.password}>
          <PasswordInput ref={password} {...form.text('password')} autoComplete="current-password" />
        </Field>
        {asksCode ? (
          <Field label="Code" help="From your authenticator app, or a recovery code." error={form.errors.code}>
            <Input ref={focus} {...form.text('code')} autoComplete="one-time-code" autoCapitalize="none" />
          </Field>
        ) : null}
      </Form>
    </Dialog>
  )
}
