import { Button } from '@stoa/ui/button/button.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form } from '@stoa/ui/form/form.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { PasswordInput } from '@stoa/ui/form/password-input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { SignInLayout } from '@stoa/ui/sign-in/sign-in-layout.tsx'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, hasName } from '../api.ts'
import { signupsQuery } from '../queries.ts'
import { useEnter } from './enter.ts'

/** `back` is the screen that was asked for. */
export const SignInScreen = ({ back }: { back: string | undefined }) => {
  const { data: signups } = useQuery(signupsQuery)
  return (
    <SignInLayout
      product="Mail"
      title="Sign in"
      description={`Manage your mail on ${location.host}.`}
      footer={
        <span className="flex flex-col gap-1">
          {signups?.open ? (
            <span>
              Don't have an account? <TextLink to="/sign-up">Sign up</TextLink>
            </span>
          ) : null}
          <span>
            Just want to read your mail? <TextLink to="/webmail/sign-in">Open webmail</TextLink>
          </span>
        </span>
      }
    >
      <title>Sign in · Stoa Mail</title>
      <SignInForm back={back} />
    </SignInLayout>
  )
}

/** The service asks for the code only after the right password, so it is asked here only then. */
const SignInForm = ({ back }: { back: string | undefined }) => {
  const enter = useEnter()
  const [wantsCode, setWantsCode] = useState(false)
  const form = useForm({
    initial: { email: '', password: '', totp_code: '' },
    guard: false,
    validate: (values) => ({
      ...(values.email.trim() ? {} : { email: 'Enter your email address.' }),
      ...(values.password ? {} : { password: 'Enter your password.' }),
      ...(wantsCode && !values.totp_code.trim() ? { totp_code: 'Enter the code from your authenticator app.' } : {}),
    }),
    onSubmit: async ({ totp_code: code, ...values }) => {
      try {
        await enter(await api.signIn({ ...values, ...(wantsCode ? { totp_code: code } : {}) }), back)
      } catch (error) {
        if (wantsCode || !hasName(error, 'missing_required_field')) throw error
        setWantsCode(true)
      }
      return undefined
    },
  })
  return (
    <Form form={form}>
      <Field label="Email address" error={form.errors.email}>
        <Input {...form.text('email')} type="email" autoComplete="username" autoCapitalize="none" />
      </Field>
      <Field label="Password" action={<TextLink to="/forgot">Forgot password?</TextLink>} error={form.errors.password}>
        <PasswordInput {...form.text('password')} autoComplete="current-password" />
      </Field>
      {wantsCode ? (
        <Field label="Code" help="From your authenticator app, or a recovery code." error={form.errors.totp_code}>
          <Input {...form.text('totp_code')} autoComplete="one-time-code" autoCapitalize="none" autoFocus />
        </Field>
      ) : null}
      <Button type="submit" variant="primary" size="lg" loading={form.submitting}>
        Sign in
      </Button>
    </Form>
  )
}
