import { Button } from '@stoa/ui/button/button.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form } from '@stoa/ui/form/form.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { PasswordInput } from '@stoa/ui/form/password-input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { CodeStep } from '@stoa/ui/sign-in/code-step.tsx'
import { SignInLayout } from '@stoa/ui/sign-in/sign-in-layout.tsx'
import { useState } from 'react'
import { api, hasCode } from '../api.ts'
import { useEnter } from './after-sign-in.ts'

/** `back` is the screen that was asked for. */
export const SignInScreen = ({ back }: { back: string | undefined }) => {
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
        const { user } = await api.signIn(values)
        await enter(user, back)
      } catch (error) {
        if (!hasCode(error, 'TOTP_REQUIRED')) throw error
        setAsksCode(true)
      }
      return undefined
    },
  })
  const signIn = async (code: string) => {
    try {
      const { user } = await api.signIn({ ...form.values, code })
      await enter(user, back)
      return 'done'
    } catch (error) {
      if (!hasCode(error, 'TOTP_INVALID')) throw error
      return 'wrong-code'
    }
  }
  if (asksCode) return <CodeStep product="CMS" signIn={signIn} onBack={() => setAsksCode(false)} />
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
        <Button type="submit" variant="primary" size="lg" loading={form.submitting}>
          Sign in
        </Button>
      </Form>
    </SignInLayout>
  )
}
