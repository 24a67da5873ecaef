import { Button } from '@stoa/ui/button/button.tsx'
import { CodeBlock } from '@stoa/ui/display/code-block.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form } from '@stoa/ui/form/form.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { SignInLayout } from '@stoa/ui/sign-in/sign-in-layout.tsx'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { statusQuery } from '../queries.ts'

/** A new password: by a link in an email, or by someone at the server where there is no mail server. */
export const ForgotScreen = () => {
  const { data: status } = useSuspenseQuery(statusQuery)
  return (
    <SignInLayout
      product="CMS"
      title="Forgot password"
      description={
        status.resetByMail
          ? "We'll email you a link to choose a new password. It works for one hour."
          : "This site can't send email."
      }
      footer={<TextLink to="/sign-in">Back to sign in</TextLink>}
    >
      <title>Forgot password · Stoa CMS</title>
      {status.resetByMail ? <AskForLink /> : <AskOperator />}
    </SignInLayout>
  )
}

const AskForLink = () => {
  const [askedFor, setAskedFor] = useState<string>()
  const form = useForm({
    initial: { email: '' },
    guard: false,
    validate: (values): { email?: string } => (values.email.trim() ? {} : { email: 'Enter your email address.' }),
    onSubmit: async ({ email }) => {
      await api.forgot(email)
      setAskedFor(email.trim())
      return undefined
    },
  })
  if (askedFor !== undefined)
    return (
      <div className="flex flex-col gap-4">
        <Notice tone="success" title="Check your email">
          If {askedFor} has an account here, a link is on its way. It may take a minute. Check your spam folder, too.
        </Notice>
        <Button onClick={() => setAskedFor(undefined)}>Try another address</Button>
      </div>
    )
  return (
    <Form form={form}>
      <Field label="Email" error={form.errors.email}>
        <Input {...form.text('email')} type="email" autoComplete="username" autoCapitalize="none" />
      </Field>
      <Button type="submit" variant="primary" size="lg" loading={form.submitting}>
        Send link
      </Button>
    </Form>
  )
}

const AskOperator = () => (
  <div className="flex flex-col gap-4 text-muted text-sm">
    <p>Ask an admin of this site to set a new password for you on the People screen.</p>
    <p>If nobody can sign in, whoever runs the server can set a password with this command:</p>
    <CodeBlock label="Command" code="npm run cms:password -- you@example.com" wrap />
  </div>
)
