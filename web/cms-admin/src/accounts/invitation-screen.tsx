import type { OpenedInvitation } from '@stoa/cms-model/invitations.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { Skeleton } from '@stoa/ui/feedback/skeleton.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Form } from '@stoa/ui/form/form.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { PasswordInput } from '@stoa/ui/form/password-input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { isSpentLink, useLinkToken } from '@stoa/ui/sign-in/link-token.ts'
import { SignInLayout } from '@stoa/ui/sign-in/sign-in-layout.tsx'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api, hasCode } from '../api.ts'
import { useEnter } from './after-sign-in.ts'
import { Outcome } from './reset-screen.tsx'
import { roleLabels } from './roles.ts'

/** The screen of an invitation link: its holder chooses a name and a password, and is signed in. */
export const InvitationScreen = () => {
  const token = useLinkToken()
  const [isSpent, setSpent] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => api.openInvitation(token, signal),
    enabled: token !== '',
    retry: false,
  })
  if (token === '')
    return <BadInvitation title="This link is incomplete">Open the link in your invitation again.</BadInvitation>
  if (isSpent || isSpentLink(error))
    return (
      <BadInvitation title="This invitation is no longer valid">
        It was already used, has expired or was withdrawn. Ask the person who invited you for a new link.
      </BadInvitation>
    )
  if (error)
    return (
      <SignInLayout product="CMS" title="Your invitation">
        <div className="flex flex-col gap-4">
          <Notice tone="danger">{messageOf(error)}</Notice>
          <Button onClick={() => void refetch()}>Try again</Button>
        </div>
      </SignInLayout>
    )
  if (!data)
    return (
      <SignInLayout product="CMS" title="Your invitation">
        <Skeleton className="h-40 w-full" />
      </SignInLayout>
    )
  return <Accept token={token} invitation={data} onSpent={() => setSpent(true)} />
}

const BadInvitation = ({ title, children }: { title: string; children: ReactNode }) => (
  <SignInLayout product="CMS" title="Your invitation">
    <title>Invitation · Stoa CMS</title>
    <Outcome
      notice={
        <Notice tone="warning" title={title}>
          {children}
        </Notice>
      }
      action={{ to: '/sign-in', label: 'Go to sign-in' }}
    />
  </SignInLayout>
)

type AcceptProps = { token: string; invitation: OpenedInvitation; onSpent: () => void }

const Accept = ({ token, invitation, onSpent }: AcceptProps) => {
  const enter = useEnter()
  const [isTaken, setTaken] = useState(false)
  const form = useForm({
    initial: { name: invitation.name ?? '', password: '' },
    guard: false,
    validate: (values) => ({
      ...(values.name.trim() ? {} : { name: 'Enter your name.' }),
      ...(values.password ? {} : { password: 'Choose a password.' }),
    }),
    onSubmit: async ({ name, password }) => {
      try {
        const { user } = await api.acceptInvitation({ token, name, password })
        await enter(user)
      } catch (error) {
        if (isSpentLink(error)) onSpent()
        else if (hasCode(error, 'EMAIL_TAKEN')) setTaken(true)
        else throw error
      }
      return undefined
    },
  })
  return (
    <SignInLayout
      product="CMS"
      title={`Join ${invitation.site}`}
      description={`You were invited as ${roleLabels[invitation.role]}. Choose your name and password.`}
    >
      <title>Invitation · Stoa CMS</title>
      {isTaken ? (
        <Outcome
          notice={<Notice tone="warning">{invitation.email} already has an account here. Sign in instead.</Notice>}
          action={{ to: '/sign-in', label: 'Sign in' }}
        />
      ) : (
        <Form form={form}>
          <Field label="Your name" error={form.errors.name}>
            <Input {...form.text('name')} autoComplete="name" />
          </Field>
          <Field label="Email" help="You'll use this to sign in">
            <Input value={invitation.email} readOnly type="email" autoComplete="username" />
          </Field>
          <Field
            label="Password"
            help="At least 8 characters. A few words are easy to remember."
            error={form.errors.password}
          >
            <PasswordInput {...form.text('password')} autoComplete="new-password" />
          </Field>
          <Button type="submit" variant="primary" size="lg" loading={form.submitting}>
            Create account
          </Button>
        </Form>
      )}
    </SignInLayout>
  )
}
