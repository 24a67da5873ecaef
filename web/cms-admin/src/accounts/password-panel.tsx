import { Button } from '@stoa/ui/button/button.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form } from '@stoa/ui/form/form.tsx'
import { PasswordInput } from '@stoa/ui/form/password-input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { messageOf, ProblemError } from '@stoa/ui/request/problem.ts'
import { useQueryClient } from '@tanstack/react-query'
import { api, hasCode } from '../api.ts'
import { sessionsQuery } from '../queries.ts'

const empty = { currentPassword: '', newPassword: '' }

/** Changes the own password. `email` tells a password manager whose it is. */
export const PasswordPanel = ({ email }: { email: string }) => {
  const queryClient = useQueryClient()
  const form = useForm({
    initial: empty,
    validate: (values) => ({
      ...(values.currentPassword ? {} : { currentPassword: 'Enter your current password.' }),
      ...(values.newPassword ? {} : { newPassword: 'Choose a new password.' }),
    }),
    onSubmit: async (values) => {
      await api.changePassword(values).catch(blameCurrentPassword)
      void queryClient.invalidateQueries(sessionsQuery)
      toast({ tone: 'success', title: 'Password changed', description: "You've been signed out on all other devices." })
      return empty
    },
  })
  return (
    <Panel title="Password" description="Changing it signs you out on all other devices">
      <Form form={form} className="max-w-field">
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <Field label="Current password" error={form.errors.currentPassword}>
          <PasswordInput {...form.text('currentPassword')} autoComplete="current-password" />
        </Field>
        <Field label="New password" help="At least 8 characters" error={form.errors.newPassword}>
          <PasswordInput {...form.text('newPassword')} autoComplete="new-password" />
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

const blameCurrentPassword = (error: unknown): never => {
  if (!hasCode(error, 'REAUTH_REQUIRED')) throw error
  throw new ProblemError(messageOf(error), [{ key: 'currentPassword', message: messageOf(error) }])
}
