import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { LinkButton, TextLink } from '@stoa/ui/navigation/link.tsx'
import { useLinkToken } from '@stoa/ui/sign-in/link-token.ts'
import { NewPasswordForm } from '@stoa/ui/sign-in/new-password-form.tsx'
import { SignInLayout } from '@stoa/ui/sign-in/sign-in-layout.tsx'
import { type ReactNode, useState } from 'react'
import { api } from '../api.ts'

/** The screen that the link for a forgotten password opens. */
export const ResetScreen = () => {
  const token = useLinkToken()
  const [outcome, setOutcome] = useState<'open' | 'spent' | 'done'>('open')
  return (
    <SignInLayout
      product="CMS"
      title="Choose a new password"
      description="You'll be signed out everywhere and can sign in with the new password."
      footer={<TextLink to="/sign-in">Back to sign in</TextLink>}
    >
      <title>New password · Stoa CMS</title>
      {outcome === 'open' && token !== '' ? (
        <NewPasswordForm
          onPassword={async (password) => {
            await api.reset({ token, password })
            setOutcome('done')
          }}
          onSpent={() => setOutcome('spent')}
        />
      ) : null}
      {outcome === 'spent' || token === '' ? (
        <Outcome
          notice={
            token === '' ? (
              <Notice tone="warning" title="This link is incomplete">
                Open the link from the email again, or request a new one.
              </Notice>
            ) : (
              <Notice tone="warning" title="This link has expired">
                It was already used, or is too old.
              </Notice>
            )
          }
          action={{ to: '/forgot-password', label: 'Request a new link' }}
        />
      ) : null}
      {outcome === 'done' ? (
        <Outcome
          notice={<Notice tone="success">Password changed.</Notice>}
          action={{ to: '/sign-in', label: 'Sign in' }}
        />
      ) : null}
    </SignInLayout>
  )
}

type OutcomeProps = { notice: ReactNode; action: { to: string; label: string } }

/** How a link ended, and where to go from there. */
export const Outcome = ({ notice, action }: OutcomeProps) => (
  <div className="flex flex-col gap-4">
    {notice}
    <LinkButton to={action.to} variant="primary" size="lg">
      {action.label}
    </LinkButton>
  </div>
)
