import { Button } from '../button/button.tsx'
import { Field } from '../form/field.tsx'
import { Form } from '../form/form.tsx'
import { PasswordInput } from '../form/password-input.tsx'
import { useForm } from '../form/use-form.ts'
import { isSpentLink } from './link-token.ts'

type NewPasswordFormProps = {
  onPassword: (password: string) => Promise<void>
  /** The link that led here does not work any more. */
  onSpent: () => void
}

/** A new password in place of a forgotten one. */
export const NewPasswordForm = ({ onPassword, onSpent }: NewPasswordFormProps) => {
  const form = useForm({
    initial: { password: '' },
    guard: false,
    validate: (values): { password?: string } => (values.password ? {} : { password: 'Choose a new password.' }),
    onSubmit: async ({ password }) => {
      try {
        await onPassword(password)
      } catch (error) {
        if (!isSpentLink(error)) throw error
        onSpent()
      }
      return undefined
    },
  })
  return (
    <Form form={form}>
      <Field
        label="New password"
        help="At least 8 characters. A few random words work well."
        error={form.errors.password}
      >
        <PasswordInput {...form.text('password')} autoComplete="new-password" />
      </Field>
      <Button type="submit" variant="primary" size="lg" loading={form.submitting}>
        Set password
      </Button>
    </Form>
  )
}
