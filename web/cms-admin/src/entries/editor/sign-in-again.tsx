import type { Me } from '@stoa/cms-model/accounts.ts'
import { Button } from '@stoa/ui/button.tsx'
import { Dialog } from '@stoa/ui/dialog.tsx'
import { Field } from '@stoa/ui/field.tsx'
import { Form } from '@stoa/ui/form.tsx'
import { Input } from '@stoa/ui/input.tsx'
import { PasswordInput } from '@stoa/ui/password-input.tsx'
import { ProblemError } from '@stoa/ui/problem.ts'
import { useForm } from '@stoa/ui/use-form.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { api, hasCode } from '../../api.ts'
import { meQuery } from '../../queries.ts'
import type { Session } from './session.ts'

const ENTER_CODE = 'Enter the code of your authenticator app.'

/** The session ended in the middle of the work: the password is asked for here, and the work goes on. */
export const SignInAgain = ({ me, session }: { me: Me; session: Session }) => {
  const id = useId()
  const router = useRouter()
  const queryClient = useQueryClient()
  const [asksCode, setAsksCode] = useState(false)
  const form = useForm({
    initial: { password: '', code: '' },
    guard: false,
    validate: ({ password, code }) => ({
      ...(password ? {} : { password: 'Enter your password.' }),
      ...(asksCode && !code.trim() ? { code: ENTER_CODE } : {}),
    }),
    onSubmit: async ({ password, code }) => {
      try {
        const { user } = await api.signIn({ email: me.email, password, ...(asksCode && { code }) })
        queryClient.setQueryData(meQuery.queryKey, user)
      } catch (error) {
        if (!hasCode(error, 'TOTP_REQUIRED') && !hasCode(error, 'TOTP_INVALID')) throw error
        setAsksCode(true)
        const message = hasCode(error, 'TOTP_INVALID') ? 'This code is not right.' : ENTER_CODE
        throw new ProblemError('', [{ key: 'code', message }])
      }
      session.signedIn()
      // Whatever waits for the connection may go on, too
      window.dispatchEvent(new Event('online'))
      return undefined
    },
  })
  const leave = async (): Promise<void> => {
    const { href } = router.state.location
    await router.navigate({ to: '/sign-in', search: { back: href }, ignoreBlocker: true })
    // Not before: this screen would ask again for what it shows, and crash on the refusal
    queryClient.clear()
  }
  return (
    <Dialog
      open
      onOpenChange={() => undefined}
      size="sm"
      dismissible={false}
      title="Sign in again to go on"
      description={
        <>
          Your session has ended. What you wrote is still here and kept in this browser. You are{' '}
          <strong className="font-medium text-ink">{me.email}</strong>.
        </>
      }
      footer={
        <>
          <Button onClick={leave}>To the sign-in</Button>
          <Button type="submit" form={id} variant="primary" loading={form.submitting}>
            Sign in
          </Button>
        </>
      }
    >
      <Form form={form} id={id}>
        <input type="hidden" name="username" autoComplete="username" value={me.email} />
        <Field label="Password" error={form.errors.password}>
          <PasswordInput {...form.text('password')} autoComplete="current-password" />
        </Field>
        {asksCode ? (
          <Field label="Code" help="From your authenticator app, or a recovery code." error={form.errors.code}>
            <Input {...form.text('code')} autoComplete="one-time-code" autoCapitalize="none" />
          </Field>
        ) : null}
      </Form>
    </Dialog>
  )
}
