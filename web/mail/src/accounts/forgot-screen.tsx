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
    validate: (values): { email?: string } => (values.email.trim() ? {} : { email: 'Enter your e-mail address.' }),
    onSubmit: async ({ email }) => {
      await askForReset(email)
      setAskedFor(email)
      return undefined
    },
  })
  return (
    <SignInLayout
      product="Mail"
      title="Forgotten password"
      description="For your account in this panel. You get a link by mail, good for one hour."
      footer={
        <>
          <p>
            <TextLink to="/sign-in">Back to the sign-in</TextLink>
          </p>
          <p>
            Only a mailbox? <TextLink to="/recover">Recover it</TextLink>
          </p>
        </>
      }
    >
      <title>Forgotten password · Stoa Mail</title>
      {askedFor === undefined ? (
        <Form form={form}>
          <Field label="E-mail address" error={form.errors.email}>
            <Input {...form.text('email')} type="email" autoComplete="username" autoCapitalize="none" />
          </Field>
          <Button type="submit" variant="primary" size="lg" loading={form.submitting}>
            Send the link
          </Button>
        </Form>
      ) : (
        <div className="flex flex-col gap-4">
          <Notice tone="success" title="Look into your mail">
            If {askedFor} has an account here, a link is on its way. It may take a minute; look among junk as well.
          </Notice>
          <Button onClick={() => setAskedFor(undefined)}>Try another address</Button>
        </div>
      )}
    </SignInLayout>
  )
}
