import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { LinkButton, TextLink } from '@stoa/ui/navigation/link.tsx'
import { useLinkToken } from '@stoa/ui/sign-in/link-token.ts'
import { NewPasswordForm } from '@stoa/ui/sign-in/new-password-form.tsx'
import { SignInLayout } from '@stoa/ui/sign-in/sign-in-layout.tsx'
import { type ReactNode, useState } from 'react'
import { resetPassword } from './queries.ts'

/** The screen that the link for a forgotten password opens. */
export const ResetScreen = () => {
  const token = useLinkToken()
  const [done, setDone] = useState(false)
  const [isSpent, setSpent] = useState(false)
  return (
    <SignInLayout
      product="Mail"
      title="Choose a new password"
      description="You'll be signed out everywhere and can sign in with the new password."
      footer={<TextLink to="/sign-in">Back to sign in</TextLink>}
    >
      <title>New password · Stoa Mail</title>
      {done ? (
        <div className="flex flex-col gap-4">
          <Notice tone="success">Password changed.</Notice>
          <LinkButton to="/sign-in" variant="primary" size="lg">
            Sign in
          </LinkButton>
        </div>
      ) : token === '' ? (
        <NoToken to="/forgot" />
      ) : isSpent ? (
        <SpentLink to="/forgot" />
      ) : (
        <NewPasswordForm
          onPassword={async (password) => {
            await resetPassword({ token, password })
            setDone(true)
          }}
          onSpent={() => setSpent(true)}
        />
      )}
    </SignInLayout>
  )
}

/** The address without the token of a mail; `to` is where a new link is asked for. */
export const NoToken = ({ to }: { to: string }) => (
  <BadLink title="This link is incomplete" action={<AskAgain to={to} />}>
    Open the link from the email again, or request a new one.
  </BadLink>
)

/** A link whose token the service does not take any more. */
export const SpentLink = ({ to }: { to: string }) => (
  <BadLink title="This link has expired" action={<AskAgain to={to} />}>
    It was already used, replaced by a newer one, or is too old.
  </BadLink>
)

const AskAgain = ({ to }: { to: string }) => (
  <LinkButton to={to} variant="primary" size="lg">
    Request a new link
  </LinkButton>
)

type BadLinkProps = { title: string; action: ReactNode; children: ReactNode }

export const BadLink = ({ title, action, children }: BadLinkProps) => (
  <div className="flex flex-col gap-4">
    <Notice tone="warning" title={title}>
      {children}
    </Notice>
    {action}
  </div>
)
