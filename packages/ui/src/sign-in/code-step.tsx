import { useState } from 'react'
import { Button } from '../button/button.tsx'
import { Field } from '../form/field.tsx'
import { Form } from '../form/form.tsx'
import { Input } from '../form/input.tsx'
import { useForm } from '../form/use-form.ts'
import { ProblemError } from '../request/problem.ts'
import type { SignInStep } from './sign-in-again.ts'
import { SignInLayout } from './sign-in-layout.tsx'

type CodeStepProps = {
  product: string
  /** Throws what the service refuses with. */
  signIn: (code: string) => Promise<Exclude<SignInStep, 'code'>>
  onBack: () => void
}

const ways = {
  app: {
    description: 'Enter the code from your authenticator app.',
    label: 'Code',
    empty: 'Enter the code from your authenticator app.',
    wrong: "That code isn't right. Try the current one.",
    other: 'Use a recovery code',
    input: { autoComplete: 'one-time-code', inputMode: 'numeric' },
  },
  recovery: {
    description: 'Enter one of the recovery codes you saved. Each code works once.',
    label: 'Recovery code',
    empty: 'Enter a recovery code.',
    wrong: "That recovery code isn't right, or you've used it before.",
    other: 'Use your authenticator app',
    input: { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false },
  },
} as const

/** The password was right: what was typed is kept, and only the code is asked for. */
export const CodeStep = ({ product, signIn, onBack }: CodeStepProps) => {
  const [way, setWay] = useState<keyof typeof ways>('app')
  const { description, label, empty, wrong, other, input } = ways[way]
  const form = useForm({
    initial: { code: '' },
    guard: false,
    validate: ({ code }): { code?: string } => (code.trim() ? {} : { code: empty }),
    onSubmit: async ({ code }) => {
      if ((await signIn(code.trim())) === 'wrong-code') throw new ProblemError('', [{ key: 'code', message: wrong }])
      return undefined
    },
  })
  const change = () => {
    form.reset({ code: '' })
    setWay(way === 'app' ? 'recovery' : 'app')
  }
  return (
    <SignInLayout product={product} title="Two-factor authentication" description={description}>
      <title>{`Sign in · Stoa ${product}`}</title>
      <Form form={form}>
        <Field label={label} error={form.errors.code}>
          <Input key={way} ref={focus} {...form.text('code')} {...input} />
        </Field>
        <Button type="submit" variant="primary" size="lg" loading={form.submitting}>
          Sign in
        </Button>
        <div className="flex flex-wrap justify-between gap-2">
          <Button variant="ghost" onClick={onBack}>
            Back
          </Button>
          <Button variant="ghost" onClick={change}>
            {other}
          </Button>
        </div>
      </Form>
    </SignInLayout>
  )
}

const focus = (input: HTMLInputElement | null): void => input?.focus()
