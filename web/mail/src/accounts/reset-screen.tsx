import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { LinkButton, TextLink } from '@stoa/ui/navigation/link.tsx'
import { SignInLayout } from '@stoa/ui/sign-in/sign-in-layout.tsx'
import { type ReactNode, useState } from 'react'
import { useLinkToken } from './link-token.ts'
import { NewPasswordForm } from './new-password-form.tsx'
import { resetPassword } from './queries.ts'

/** Where the link of a forgotten password leads. */
export const ResetScreen = () => {
  const token = useLinkToken()
  const [done, setDone] = useState(false)
  const [isSpent, setSpent] = useState(false)
  return (
    <SignInLayout
      product="Mail"
      title="Choose a new password"
      description="All your sessions end, and you sign in with the new one."
      footer={<TextLink to="/sign-in">Back to the sign-in</TextLink>}
    >
      <title>New password · Stoa Mail</title>
      {done ? (
        <div className="flex flex-col gap-4">
          <Notice tone="success">Your new password is set.</Notice>
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
  <BadLink title="This link is not whole" act={<AskAgain to={to} />}>
    Open it from the mail again, or ask for a new one.
  </BadLink>
)

/** A link whose token the service does not take any more. */
export const SpentLink = ({ to }: { to: string }) => (
  <BadLink title="This link does not work any more" act={<AskAgain to={to} />}>
    It was used already, a newer one took its place, or its time is over.
  </BadLink>
)

const AskAgain = ({ to }: { to: string }) => (
  <LinkButton to={to} variant="primary" size="lg">
    Ask for a new link
  </LinkButton>
)

type BadLinkProps = { title: string; act: ReactNode; children: ReactNode }

export const BadLink = ({ title, act, children }: BadLinkProps) => (
  <div className="flex flex-col gap-4">
    <Notice tone="warning" title={title}>
      {children}
    </Notice>
    {act}
  </div>
)
