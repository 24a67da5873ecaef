import type { RecoveryAvailability } from '@stoa/mail-model/recovery.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form } from '@stoa/ui/form/form.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { ProblemError } from '@stoa/ui/request/problem.ts'
import { useLinkToken } from '@stoa/ui/sign-in/link-token.ts'
import { NewPasswordForm } from '@stoa/ui/sign-in/new-password-form.tsx'
import { SignInLayout } from '@stoa/ui/sign-in/sign-in-layout.tsx'
import { useState } from 'react'
import { BadLink } from '../accounts/reset-screen.tsx'
import { send } from '../api.ts'

/** For owners of mailboxes who have no account in the panel: asks for a link, or is where that leads. */
export const RecoverScreen = () => {
  const token = useLinkToken()
  const [isAsking, setAsking] = useState(false)
  if (token === '' || isAsking) return <AskForLink />
  return <NewMailboxPassword token={token} onAsk={() => setAsking(true)} />
}

const WEBMAIL = <TextLink to="/webmail/sign-in">Go to webmail</TextLink>

const AskForLink = () => {
  const [askedFor, setAskedFor] = useState<string>()
  return (
    <SignInLayout
      product="Mail"
      title="Recover a mailbox"
      description="We'll send a link to the mailbox's recovery address. It works for one hour."
      footer={WEBMAIL}
    >
      <title>Recover a mailbox · Stoa Mail</title>
      {askedFor === undefined ? (
        <AskForm onAsked={setAskedFor} />
      ) : (
        <div className="flex flex-col gap-4">
          <Notice tone="success" title="Check your recovery address">
            If {askedFor} has a recovery address, a link is on its way there. If not, ask your administrator for a new
            password.
          </Notice>
          <Button onClick={() => setAskedFor(undefined)}>Try another address</Button>
        </div>
      )}
    </SignInLayout>
  )
}

const AskForm = ({ onAsked }: { onAsked: (email: string) => void }) => {
  const form = useForm({
    initial: { email: '' },
    guard: false,
    validate: (values): { email?: string } =>
      /^[^@\s]+@[^@\s]+$/.test(values.email.trim()) ? {} : { email: 'Enter the full address of the mailbox.' },
    onSubmit: async ({ email }) => {
      const address = email.trim()
      const domain = address.slice(address.lastIndexOf('@') + 1)
      const { available } = await checkRecovery(domain)
      if (!available) throw notHere(domain)
      await requestRecovery(address)
      onAsked(address)
      return undefined
    },
  })
  return (
    <Form form={form}>
      <Field label="Mailbox address" error={form.errors.email}>
        <Input {...form.text('email')} type="email" autoComplete="username" autoCapitalize="none" />
      </Field>
      <Button type="submit" variant="primary" size="lg" loading={form.submitting}>
        Send link
      </Button>
    </Form>
  )
}

const notHere = (domain: string): ProblemError => {
  const message = `Recovery isn't available for ${domain}. Ask your administrator for a new password.`
  return new ProblemError(message, [{ key: 'email', message }])
}

const NewMailboxPassword = ({ token, onAsk }: { token: string; onAsk: () => void }) => {
  const [done, setDone] = useState(false)
  const [isSpent, setSpent] = useState(false)
  return (
    <SignInLayout
      product="Mail"
      title="Set a new mailbox password"
      description="This revokes all app passwords and signs you out of webmail everywhere."
      footer={WEBMAIL}
    >
      <title>New password · Stoa Mail</title>
      {done ? (
        <Notice tone="success" title="Password changed">
          Update it in your mail apps, too.
        </Notice>
      ) : isSpent ? (
        <BadLink
          title="This link has expired"
          action={
            <Button variant="primary" size="lg" onClick={onAsk}>
              Request a new link
            </Button>
          }
        >
          It was already used, replaced by a newer one, or is too old.
        </BadLink>
      ) : (
        <NewPasswordForm
          onPassword={async (password) => {
            await resetMailbox({ token, password })
            setDone(true)
          }}
          onSpent={() => setSpent(true)}
        />
      )}
    </SignInLayout>
  )
}

const checkRecovery = (domain: string) =>
  send<RecoveryAvailability>('GET', `/api/recover/check?${new URLSearchParams({ domain })}`)
const requestRecovery = (email: string) => send<unknown>('POST', '/api/recover/request', { body: { email } })
const resetMailbox = (body: { token: string; password: string }) =>
  send<unknown>('POST', '/api/recover/reset', { body })
