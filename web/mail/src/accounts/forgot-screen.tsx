import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form } from '@stoa/ui/form/form.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { SignInLayout } from '@stoa/ui/sign-in/sign-in-layout.tsx'
import { useState } from 'react'
import { askForReset } from './queries.ts'

/** Asks for a link to choose a new password. */
export const ForgotScreen = () => {
  const [askedFor, setAskedFor] = useState<string>()
  const form = useForm({
    initial: { email: '' },
    guard: false,
    validate: (values): { email?: string } => (values.email.trim() ? {} : { email: 'Enter your email address.' }),
    onSubmit: async ({ email }) => {
      await askForReset(email)
      setAskedFor(email)
      return undefined
    },
  })
  return (
    <SignInLayout
      product="Mail"
      title="Forgot password"
      description="We'll email you a link to reset your account password. It works for one hour."
      footer={
        <>
          <p>
            <TextLink to="/sign-in">Back to sign in</TextLink>
          </p>
          <p>
            Forgot a mailbox password? <TextLink to="/recover">Recover a mailbox</TextLink>
          </p>
        </>
      }
    >
      <title>Forgot password · Stoa Mail</title>
      {askedFor === undefined ? (
        <Form form={form}>
          <Field label="Email address" error={form.errors.email}>
            <Input {...form.text('email')} type="email" autoComplete="username" autoCapitalize="none" />
          </Field>
          <Button type="submit" variant="primary" size="lg" loading={form.submitting}>
            Send link
          </Button>
        </Form>
      ) : (
        <div className="flex flex-col gap-4">
          <Notice tone="success" title="Check your email">
            If {askedFor} has an account here, a link is on its way. It may take a minute. Check your spam folder, too.
          </Notice>
          <Button onClick={() => setAskedFor(undefined)}>Try another address</Button>
        </div>
      )}
    </SignInLayout>
  )
}
