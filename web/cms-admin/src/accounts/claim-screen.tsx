import { Button } from '@stoa/ui/button/button.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form } from '@stoa/ui/form/form.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { PasswordInput } from '@stoa/ui/form/password-input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { SignInLayout } from '@stoa/ui/sign-in/sign-in-layout.tsx'
import { useState } from 'react'
import { api, hasCode } from '../api.ts'
import { useEnter } from './after-sign-in.ts'

/** The first visit: the person who fills this in owns the site. */
export const ClaimScreen = () => {
  const enter = useEnter()
  const [tooLate, setTooLate] = useState(false)
  const form = useForm({
    initial: { name: '', email: '', password: '' },
    guard: false,
    validate: (values) => ({
      ...(values.name.trim() ? {} : { name: 'Enter your name.' }),
      ...(values.email.trim() ? {} : { email: 'Enter your email address.' }),
      ...(values.password ? {} : { password: 'Choose a password.' }),
    }),
    onSubmit: async (values) => {
      try {
        const { user } = await api.claim(values)
        await enter(user, '/welcome')
      } catch (error) {
        setTooLate(hasCode(error, 'ALREADY_SET_UP'))
        throw error
      }
    },
  })
  return (
    <SignInLayout
      product="CMS"
      title="Set up your site"
      description="Create the first account. It will own this site."
      footer={tooLate ? <TextLink to="/sign-in">Go to sign-in</TextLink> : undefined}
    >
      <title>Set up · Stoa CMS</title>
      <Form form={form}>
        <Field label="Your name" error={form.errors.name}>
          <Input {...form.text('name')} autoComplete="name" />
        </Field>
        <Field label="Email" help="You'll use this to sign in" error={form.errors.email}>
          <Input {...form.text('email')} type="email" autoComplete="username" autoCapitalize="none" />
        </Field>
        <Field
          label="Password"
          help="At least 8 characters. A few words are easy to remember."
          error={form.errors.password}
        >
          <PasswordInput {...form.text('password')} autoComplete="new-password" />
        </Field>
        <Button type="submit" variant="primary" size="lg" loading={form.submitting}>
          Create account
        </Button>
      </Form>
    </SignInLayout>
  )
}
