import { Button } from '@stoa/ui/button/button.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form } from '@stoa/ui/form/form.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { PasswordInput } from '@stoa/ui/form/password-input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { CodeStep } from '@stoa/ui/sign-in/code-step.tsx'
import { SignInLayout } from '@stoa/ui/sign-in/sign-in-layout.tsx'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, hasName, isSignedOut } from '../api.ts'
import { signupsQuery } from '../queries.ts'
import { useEnter } from './after-sign-in.ts'

/** `back` is the screen that was asked for. The service asks for the code only after the right password. */
export const SignInScreen = ({ back }: { back: string | undefined }) => {
  const { data: signups } = useQuery(signupsQuery)
  const enter = useEnter()
  const [asksCode, setAsksCode] = useState(false)
  const form = useForm({
    initial: { email: '', password: '' },
    guard: false,
    validate: (values) => ({
      ...(values.email.trim() ? {} : { email: 'Enter your email address.' }),
      ...(values.password ? {} : { password: 'Enter your password.' }),
    }),
    onSubmit: async (values) => {
      try {
        await enter(await api.signIn(values), back)
      } catch (error) {
        if (!hasName(error, 'missing_required_field')) throw error
        setAsksCode(true)
      }
      return undefined
    },
  })
  const signIn = async (totp_code: string) => {
    try {
      await enter(await api.signIn({ ...form.values, totp_code }), back)
      return 'done'
    } catch (error) {
      if (!isSignedOut(error)) throw error
      return 'wrong-code'
    }
  }
  if (asksCode) return <CodeStep product="Mail" signIn={signIn} onBack={() => setAsksCode(false)} />
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
      <Form form={form}>
        <Field label="Email address" error={form.errors.email}>
          <Input {...form.text('email')} type="email" autoComplete="username" autoCapitalize="none" />
        </Field>
        <Field
          label="Password"
          action={<TextLink to="/forgot">Forgot password?</TextLink>}
          error={form.errors.password}
        >
          <PasswordInput {...form.text('password')} autoComplete="current-password" />
        </Field>
        <Button type="submit" variant="primary" size="lg" loading={form.submitting}>
          Sign in
        </Button>
      </Form>
    </SignInLayout>
  )
}
