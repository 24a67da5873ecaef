import { Button } from '@stoa/ui/button.tsx'
import { Field } from '@stoa/ui/field.tsx'
import { Form } from '@stoa/ui/form.tsx'
import { Input } from '@stoa/ui/input.tsx'
import { TextLink } from '@stoa/ui/link.tsx'
import { PasswordInput } from '@stoa/ui/password-input.tsx'
import { SignInLayout } from '@stoa/ui/sign-in-layout.tsx'
import { useForm } from '@stoa/ui/use-form.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { signupsQuery } from '../queries.ts'
import { useEnter } from './enter.ts'

/** `back` is the screen that was asked for. */
export const SignInScreen = ({ back }: { back: string | undefined }) => {
  const { data: signups } = useQuery(signupsQuery)
  const enter = useEnter()
  const form = useForm({
    initial: { email: '', password: '' },
    guard: false,
    validate: (values) => ({
      ...(values.email.trim() ? {} : { email: 'Enter your e-mail address.' }),
      ...(values.password ? {} : { password: 'Enter your password.' }),
    }),
    onSubmit: async (values) => {
      await enter(await api.signIn(values), back)
    },
  })
  return (
    <SignInLayout
      product="Mail"
      title="Sign in"
      description={`To the panel of ${location.host}.`}
      footer={
        signups?.open ? (
          <>
            No account yet? <TextLink to="/sign-up">Create one</TextLink>
          </>
        ) : undefined
      }
    >
      <title>Sign in · Stoa Mail</title>
      <Form form={form}>
        <Field label="E-mail address" error={form.errors.email}>
          <Input {...form.text('email')} type="email" autoComplete="username" autoCapitalize="none" />
        </Field>
        <Field label="Password" error={form.errors.password}>
          <PasswordInput {...form.text('password')} autoComplete="current-password" />
        </Field>
        <Button type="submit" variant="primary" size="lg" loading={form.submitting}>
          Sign in
        </Button>
      </Form>
    </SignInLayout>
  )
}
