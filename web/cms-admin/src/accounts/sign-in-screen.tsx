import { Button } from '@stoa/ui/button/button.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form } from '@stoa/ui/form/form.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { PasswordInput } from '@stoa/ui/form/password-input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { ProblemError } from '@stoa/ui/request/problem.ts'
import { SignInLayout } from '@stoa/ui/sign-in/sign-in-layout.tsx'
import { useState } from 'react'
import { api, hasCode } from '../api.ts'
import { useEnter } from './enter.ts'

const ENTER_CODE = 'Enter the code from your authenticator app.'

/** `back` is the screen that was asked for. */
export const SignInScreen = ({ back }: { back: string | undefined }) => {
  const enter = useEnter()
  const [asksCode, setAsksCode] = useState(false)
  const form = useForm({
    initial: { email: '', password: '', code: '' },
    guard: false,
    validate: (values) => ({
      ...(values.email.trim() ? {} : { email: 'Enter your email address.' }),
      ...(values.password ? {} : { password: 'Enter your password.' }),
      ...(asksCode && !values.code.trim() ? { code: ENTER_CODE } : {}),
    }),
    onSubmit: async ({ email, password, code }) => {
      try {
        const { user } = await api.signIn({ email, password, ...(asksCode && { code }) })
        await enter(user, back)
        return undefined
      } catch (error) {
        if (hasCode(error, 'TOTP_REQUIRED') && !asksCode) {
          setAsksCode(true)
          return undefined
        }
        if (!hasCode(error, 'TOTP_INVALID')) throw error
        throw new ProblemError('', [{ key: 'code', message: "That code isn't right. Try the current one." }])
      }
    },
  })
  const submit = (
    <Button type="submit" variant="primary" size="lg" loading={form.submitting}>
      Sign in
    </Button>
  )
  // The password was right: what was typed is kept, and only the code is asked for.
  if (asksCode)
    return (
      <SignInLayout
        key="code"
        product="CMS"
        title="Two-factor authentication"
        description="Enter the code from your authenticator app, or a recovery code."
      >
        <title>Sign in · Stoa CMS</title>
        <Form form={form}>
          <Field label="Code" error={form.errors.code}>
            <Input {...form.text('code')} autoComplete="one-time-code" inputMode="text" autoCapitalize="none" />
          </Field>
          {submit}
          <Button variant="ghost" onClick={() => setAsksCode(false)}>
            Back
          </Button>
        </Form>
      </SignInLayout>
    )
  return (
    <SignInLayout product="CMS" title="Sign in" description={`Sign in to ${location.host}`}>
      <title>Sign in · Stoa CMS</title>
      <Form form={form}>
        <Field label="Email" error={form.errors.email}>
          <Input {...form.text('email')} type="email" autoComplete="username" autoCapitalize="none" />
        </Field>
        <Field
          label="Password"
          error={form.errors.password}
          action={<TextLink to="/forgot-password">Forgot password?</TextLink>}
        >
          <PasswordInput {...form.text('password')} autoComplete="current-password" />
        </Field>
        {submit}
      </Form>
    </SignInLayout>
  )
}
