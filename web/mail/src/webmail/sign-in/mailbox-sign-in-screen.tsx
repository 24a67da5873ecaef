import type { Mailbox } from '@stoa/mail-model/webmail.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form } from '@stoa/ui/form/form.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { PasswordInput } from '@stoa/ui/form/password-input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { ProblemError } from '@stoa/ui/request/problem.ts'
import { SignInLayout } from '@stoa/ui/sign-in/sign-in-layout.tsx'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { hasName, send } from '../../api.ts'
import { useEnterMailbox } from './after-sign-in.ts'

/** `back` is the screen that was asked for. */
export const MailboxSignInScreen = ({ back }: { back: string | undefined }) => {
  const enter = useEnterMailbox()
  useEnterIfSignedIn((mailbox) => void enter(mailbox, back))
  const form = useForm({
    initial: { email: '', password: '' },
    guard: false,
    validate: (values) => ({
      ...(values.email.trim() ? {} : { email: 'Enter your email address.' }),
      ...(values.password ? {} : { password: 'Enter your password.' }),
    }),
    onSubmit: async (values) => {
      await enter(await signIn(values), back)
      return undefined
    },
  })
  return (
    <SignInLayout
      product="Mail"
      title="Sign in to your mailbox"
      description={`Webmail on ${location.host}.`}
      footer={
        <>
          Manage domains and addresses? <TextLink to="/sign-in">Go to the panel</TextLink>
        </>
      }
    >
      <title>Sign in · Stoa Mail</title>
      <Form form={form}>
        <Field label="Email address" error={form.errors.email}>
          <Input
            {...form.text('email')}
            type="email"
            autoComplete="username"
            autoCapitalize="none"
            placeholder="you@example.com"
          />
        </Field>
        <Field
          label="Password"
          error={form.errors.password}
          action={<TextLink to="/recover">Forgot password?</TextLink>}
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

const signIn = async (values: { email: string; password: string }): Promise<Mailbox> => {
  try {
    return await send<Mailbox>('POST', '/api/mail/login', { body: values })
  } catch (error) {
    if (hasName(error, 'rate_limit_exceeded')) throw new ProblemError(TOO_MANY, [], { cause: error })
    throw error
  }
}

const TOO_MANY = 'Too many sign-in attempts. Try again in a few minutes.'

/** Asks the service: what is cached may be of a session that has just ended. */
const useEnterIfSignedIn = (onSignedIn: (mailbox: Mailbox) => void): void => {
  const { data } = useQuery({
    queryKey: ['mailbox-session'],
    queryFn: ({ signal }) => send<Mailbox>('GET', '/api/mail/me', { signal }),
    retry: false,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const signedIn = useEffectEvent(onSignedIn)
  useEffect(() => {
    if (data) signedIn(data)
  }, [data])
}
