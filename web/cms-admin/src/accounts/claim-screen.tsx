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
import { useEnter } from './enter.ts'

/** The first visit: whoever fills this in owns the site. */
export const ClaimScreen = () => {
  const enter = useEnter()
  const [tooLate, setTooLate] = useState(false)
  const form = useForm({
    initial: { name: '', email: '', password: '' },
    guard: false,
    validate: (values) => ({
      ...(values.name.trim() ? {} : { name: 'Enter your name.' }),
      ...(values.email.trim() ? {} : { email: 'Enter your e-mail address.' }),
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
      description="Nobody has claimed this site yet. The account that you create now owns it."
      footer={tooLate ? <TextLink to="/sign-in">Go to the sign-in</TextLink> : undefined}
    >
      <title>Set up · Stoa CMS</title>
      <Form form={form}>
        <Field label="Your name" error={form.errors.name}>
          <Input {...form.text('name')} autoComplete="name" />
        </Field>
        <Field label="E-mail address" help="You sign in with it." error={form.errors.email}>
          <Input {...form.text('email')} type="email" autoComplete="username" autoCapitalize="none" />
        </Field>
        <Field
          label="Password"
          help="8 characters or more. A few words are easy to remember."
          error={form.errors.password}
        >
          <PasswordInput {...form.text('password')} autoComplete="new-password" />
        </Field>
        <Button type="submit" variant="primary" size="lg" loading={form.submitting}>
          Claim this site
        </Button>
      </Form>
    </SignInLayout>
  )
}
