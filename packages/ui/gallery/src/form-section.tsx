import { useState } from 'react'
import { Button } from '../../src/button/button.tsx'
import { Panel } from '../../src/display/panel.tsx'
import { toast } from '../../src/feedback/toast-store.ts'
import { Field } from '../../src/form/field.tsx'
import { Form, FormActions } from '../../src/form/form.tsx'
import { Input } from '../../src/form/input.tsx'
import { SwitchField } from '../../src/form/switch.tsx'
import { useForm } from '../../src/form/use-form.ts'
import { ProblemError } from '../../src/request/problem.ts'
import { Specimens } from './specimen.tsx'

const SAVE_MS = 300

const pause = () => new Promise((resolve) => setTimeout(resolve, SAVE_MS))

export const FormSection = () => (
  <Specimens>
    <ProfileForm />
    <BrokenForm />
  </Specimens>
)

const ProfileForm = () => {
  const form = useForm({
    initial: { name: 'Ada Lovelace', email: 'ada@example.test', summary: true },
    onSubmit: async (values) => {
      await pause()
      if (values.email.endsWith('@taken.test')) {
        throw new ProblemError('Some values were refused.', [
          { key: 'email', message: 'Another account uses this address.' },
        ])
      }
      toast({ tone: 'success', title: 'Profile saved' })
    },
    validate: (values) => (values.name.trim() ? {} : { name: 'Enter a name.' }),
  })
  return (
    <Panel title="Profile" description="An address at taken.test is refused by the server.">
      <Form form={form}>
        <Field label="Name" error={form.errors.name}>
          <Input {...form.text('name')} autoComplete="name" />
        </Field>
        <Field label="Email" error={form.errors.email}>
          <Input {...form.text('email')} type="email" />
        </Field>
        <SwitchField {...form.flag('summary')} label="Weekly summary" />
        <FormActions form={form} />
      </Form>
    </Panel>
  )
}

const BrokenForm = () => {
  const [sent, setSent] = useState(0)
  const form = useForm({
    initial: { title: '' },
    guard: false,
    onSubmit: async () => {
      setSent(sent + 1)
      await pause()
      throw new ProblemError('The service is not available right now. What you typed is kept.')
    },
  })
  return (
    <Panel title="A problem of the whole form" description={`Submitted ${sent} times`}>
      <Form form={form}>
        <Field label="Title" error={form.errors.title}>
          <Input {...form.text('title')} />
        </Field>
        <div>
          <Button type="submit" loading={form.submitting}>
            Submit
          </Button>
        </div>
      </Form>
    </Panel>
  )
}
