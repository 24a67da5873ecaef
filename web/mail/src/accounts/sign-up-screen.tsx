import type { SignupStatus } from '@stoa/mail-model/accounts.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form } from '@stoa/ui/form/form.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { PasswordInput } from '@stoa/ui/form/password-input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { LinkButton, TextLink } from '@stoa/ui/navigation/link.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { SignInLayout } from '@stoa/ui/sign-in/sign-in-layout.tsx'
import { api } from '../api.ts'
import { useEnter } from './after-sign-in.ts'

/** A new account; on the first visit it is the one that runs the instance. */
export const SignUpScreen = ({ status }: { status: SignupStatus }) => {
  const { open, first_account: isFirst } = status
  return (
    <SignInLayout
      product="Mail"
      title={isFirst ? 'Set up your mail' : 'Create an account'}
      description={
        isFirst
          ? 'This is the first account, so it will own this instance.'
          : `Manage your domains and addresses on ${location.host}.`
      }
      footer={
        isFirst ? undefined : (
          <>
            Already have an account? <TextLink to="/sign-in">Sign in</TextLink>
          </>
        )
      }
    >
      <title>Sign up · Stoa Mail</title>
      {open ? <SignUpForm isFirst={isFirst} /> : <Closed />}
    </SignInLayout>
  )
}

const Closed = () => (
  <div className="flex flex-col gap-4">
    <Notice>Sign-ups are closed. Ask the owner of this instance for an account.</Notice>
    <LinkButton to="/sign-in" variant="primary" size="lg">
      Sign in
    </LinkButton>
  </div>
)

const SignUpForm = ({ isFirst }: { isFirst: boolean }) => {
  const enter = useEnter()
  const invitedBy = useUrlState().get('referral_code')
  const form = useForm({
    initial: { name: '', email: '', password: '' },
    guard: false,
    validate: (values) => ({
      ...(values.email.trim() ? {} : { email: 'Enter your email address.' }),
      ...(values.password ? {} : { password: 'Choose a password.' }),
    }),
    onSubmit: async (values) => {
      await enter(await api.signUp({ ...values, ...(invitedBy === '' ? {} : { referral_code: invitedBy }) }))
      toast({
        tone: 'success',
        title: isFirst ? "You're all set" : 'Welcome',
        description: isFirst ? 'You own this instance.' : 'Your account is ready.',
      })
    },
  })
  return (
    <Form form={form}>
      <Field label="Your name" optional error={form.errors.name}>
        <Input {...form.text('name')} autoComplete="name" />
      </Field>
      <Field
        label="Email address"
        help="You'll use this to sign in. Use an inbox you can read today."
        error={form.errors.email}
      >
        <Input {...form.text('email')} type="email" autoComplete="username" autoCapitalize="none" />
      </Field>
      <Field label="Password" help="At least 8 characters. A few random words work well." error={form.errors.password}>
        <PasswordInput {...form.text('password')} autoComplete="new-password" />
      </Field>
      <Button type="submit" variant="primary" size="lg" loading={form.submitting}>
        Create account
      </Button>
    </Form>
  )
}
