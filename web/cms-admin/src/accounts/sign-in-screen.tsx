import { Button } from '@stoa/ui/button/button.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form } from '@stoa/ui/form/form.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { PasswordInput } from '@stoa/ui/form/password-input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { ProblemError } from '@stoa/ui/request/problem.ts'
import { SignInLayout } from '@stoa/ui/sign-in/sign-in-layout.tsx'
import { useState } from 'react'
import { api, hasCode } from '../api.ts'
import { useEnter } from './enter.ts'

const ENTER_CODE = 'Enter the code of your authenticator app.'

/** `back` is the screen that was asked for. */
export const SignInScreen = ({ back }: { back: string | undefined }) => {
  const enter = useEnter()
  const [asksCode, setAsksCode] = useState(false)
  const form = useForm({
    initial: { email: '', password: '', code: '' },
    guard: false,
    validate: (values) => ({
      ...(values.email.trim() ? {} : { email: 'Enter your e-mail address.' }),
      ...(values.password ? {} : { password: 'Enter your password.' }),
      ...(asksCode && !values.code.trim() ? { code: ENTER_CODE } : {}),
    }),
    onSubmit: async ({ email, password, code }) => {
      try {
        const { user } = await api.signIn({ email, password, ...(asksCode && { code }) })
        await enter(user, back)
      } catch (error) {
        // The password was right; the second factor is asked beside it, so that nothing has to be typed again.
        if (!hasCode(error, 'TOTP_REQUIRED') && !hasCode(error, 'TOTP_INVALID')) throw error
        setAsksCode(true)
        throw new ProblemError('', [
          { key: 'code', message: hasCode(error, 'TOTP_INVALID') ? 'This code is not right.' : ENTER_CODE },
        ])
      }
    },
  })
  return (
    <SignInLayout product="CMS" title="Sign in" description={`To the admin of ${location.host}.`}>
      <title>Sign in · Stoa CMS</title>
      <Form form={form}>
        <Field label="E-mail address" error={form.errors.email}>
          <Input {...form.text('email')} type="email" autoComplete="username" autoCapitalize="none" />
        </Field>
        <Field label="Password" error={form.errors.password}>
          <PasswordInput {...form.text('password')} autoComplete="current-password" />
        </Field>
        {asksCode && (
          <Field label="Code" help="From your authenticator app, or a recovery code." error={form.errors.code}>
            <Input {...form.text('code')} autoComplete="one-time-code" inputMode="text" autoCapitalize="none" />
          </Field>
        )}
        <Button type="submit" variant="primary" size="lg" loading={form.submitting}>
          Sign in
        </Button>
      </Form>
    </SignInLayout>
  )
}
