import { Button } from '@stoa/ui/button/button.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form } from '@stoa/ui/form/form.tsx'
import { PasswordInput } from '@stoa/ui/form/password-input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { useQueryClient } from '@tanstack/react-query'
import { sessionsQuery } from '../queries.ts'
import { changePassword } from './queries.ts'

const empty = { current_password: '', password: '' }

/** Changes the own password. `email` tells a password manager whose it is. */
export const PasswordPanel = ({ email }: { email: string }) => {
  const queryClient = useQueryClient()
  const form = useForm({
    initial: empty,
    validate: (values) => ({
      ...(values.current_password ? {} : { current_password: 'Enter your current password.' }),
      ...(values.password ? {} : { password: 'Choose a new password.' }),
    }),
    onSubmit: async (values) => {
      await changePassword(values)
      void queryClient.invalidateQueries(sessionsQuery)
      toast({ tone: 'success', title: 'Password changed', description: "You're signed out everywhere else." })
      return empty
    },
  })
  return (
    <Panel title="Password" description="Changing your password signs you out on all other devices.">
      <Form form={form} className="max-w-field">
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
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
