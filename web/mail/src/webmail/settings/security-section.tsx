import { Button } from '@stoa/ui/button/button.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form } from '@stoa/ui/form/form.tsx'
import { PasswordInput } from '@stoa/ui/form/password-input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { SessionsList } from '../../sessions-list.tsx'
import { mailboxQuery } from '../queries.ts'
import { useLeaveMailbox } from '../sign-in/after-sign-in.ts'
import { changePassword, endOtherSessions, mailboxSessionsQuery, ownAppPasswordsQuery } from './queries.ts'

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

/** Browsers that are signed in to the mailbox. */
const SessionsPanel = () => {
  const query = useQuery({ ...mailboxSessionsQuery, staleTime: 0 })
  const queryClient = useQueryClient()
  return (
    <SessionsList
      place="webmail"
      query={query}
      consequence="All other browsers have to sign in again, and unsaved drafts there may be lost. Mail apps stay connected."
      onEndOthers={async () => {
        const { revoked } = await endOtherSessions()
        await queryClient.invalidateQueries(mailboxSessionsQuery)
        return revoked
      }}
    />
  )
}
