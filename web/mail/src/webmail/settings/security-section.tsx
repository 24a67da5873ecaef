import { Button } from '@stoa/ui/button.tsx'
import { Field } from '@stoa/ui/field.tsx'
import { Form } from '@stoa/ui/form.tsx'
import { Panel } from '@stoa/ui/panel.tsx'
import { PasswordInput } from '@stoa/ui/password-input.tsx'
import { toast } from '@stoa/ui/toast-store.ts'
import { useForm } from '@stoa/ui/use-form.ts'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { mailboxQuery } from '../queries.ts'
import { useLeaveMailbox } from '../sign-in/enter.ts'
import { changePassword, mailboxSessionsQuery, ownAppPasswordsQuery } from './queries.ts'
import { SessionsPanel } from './sessions-panel.tsx'

/** The password of the mailbox, and where it is open. */
export const SecuritySection = () => (
  <>
    <PasswordPanel />
    <SessionsPanel />
    <SignOutPanel />
  </>
)

const empty = { current_password: '', password: '' }

const PasswordPanel = () => {
  const queryClient = useQueryClient()
  const { data: mailbox } = useSuspenseQuery(mailboxQuery)
  const form = useForm({
    initial: empty,
    validate: (values) => ({
      ...(values.current_password ? {} : { current_password: 'Enter your current password.' }),
      ...(values.password ? {} : { password: 'Choose a new password.' }),
    }),
    onSubmit: async (values) => {
      queryClient.setQueryData(mailboxQuery.queryKey, await changePassword(values))
      void queryClient.invalidateQueries(mailboxSessionsQuery)
      void queryClient.invalidateQueries(ownAppPasswordsQuery)
      toast({
        tone: 'success',
        title: 'Password changed',
        description: 'Other browsers are signed out, and all app passwords are revoked.',
      })
      return empty
    },
  })
  return (
    <Panel
      title="Password"
      description="Changing your password signs out all other browsers and revokes all app passwords."
    >
      <Form form={form} className="max-w-field">
        <input type="text" name="username" autoComplete="username" value={mailbox.email} readOnly hidden />
        <Field label="Current password" error={form.errors.current_password}>
          <PasswordInput {...form.text('current_password')} autoComplete="current-password" />
        </Field>
        <Field label="New password" help="At least 8 characters." error={form.errors.password}>
          <PasswordInput {...form.text('password')} autoComplete="new-password" />
        </Field>
        <div>
          <Button type="submit" variant="primary" loading={form.submitting} disabled={!form.dirty}>
            Change password
          </Button>
        </div>
      </Form>
    </Panel>
  )
}

const SignOutPanel = () => {
  const leave = useLeaveMailbox()
  const [leaving, setLeaving] = useState(false)
  const signOut = async () => {
    setLeaving(true)
    await leave()
    setLeaving(false)
  }
  return (
    <Panel title="Sign out" description="Signs you out and clears mail stored in this browser.">
      <Button icon={<LogOut />} loading={leaving} onClick={() => void signOut()}>
        Sign out
      </Button>
    </Panel>
  )
}
