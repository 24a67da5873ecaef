import { Button } from '../../src/button/button.tsx'
import { Field } from '../../src/form/field.tsx'
import { Form } from '../../src/form/form.tsx'
import { Input } from '../../src/form/input.tsx'
import { PasswordInput } from '../../src/form/password-input.tsx'
import { useForm } from '../../src/form/use-form.ts'
import { TextLink } from '../../src/navigation/link.tsx'
import { ProblemError } from '../../src/request/problem.ts'
import { SignInLayout } from '../../src/sign-in/sign-in-layout.tsx'

/** The sign-in screen; every try is refused. */
export const SignInView = () => {
  const form = useForm({
    initial: { email: '', password: '' },
    guard: false,
    onSubmit: async () => {
      throw new ProblemError('The email address or password is wrong.')
    },
  })
  return (
    <SignInLayout
      product="Mail"
      title="Sign in"
      description="To the panel of mail.example.test."
      footer={
        <>
          No account yet? <TextLink to="/signup">Create one</TextLink>
        </>
      }
    >
      <Form form={form}>
        <Field label="Email" error={form.errors.email}>
          <Input {...form.text('email')} type="email" autoComplete="username" />
        </Field>
        <Field label="Password" error={form.errors.password}>
          <PasswordInput {...form.text('password')} autoComplete="current-password" />
        </Field>
        <Button type="submit" variant="primary" size="lg" loading={form.submitting}>
          Sign in
        </Button>
      </Form>
    </SignInLayout>
  )
}
