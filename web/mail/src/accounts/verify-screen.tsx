import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { isSpentLink, useLinkToken } from '@stoa/ui/sign-in/link-token.ts'
import { SignInLayout } from '@stoa/ui/sign-in/sign-in-layout.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { meQuery } from '../queries.ts'
import { verifyEmail } from './queries.ts'
import { NoToken, SpentLink } from './reset-screen.tsx'

/**
 * Where the link that confirms an address leads. It waits for a press: programs that look into mails open every link,
 * and must not confirm anything by that.
 */
export const VerifyScreen = () => {
  const token = useLinkToken()
  const queryClient = useQueryClient()
  const verify = useMutation({
    mutationFn: () => verifyEmail(token),
    onSuccess: () => queryClient.invalidateQueries(meQuery),
  })
  return (
    <SignInLayout product="Mail" title="Confirm your email address">
      <title>Confirm your email address · Stoa Mail</title>
      {token === '' ? (
        <NoToken to="/account" />
      ) : isSpentLink(verify.error) ? (
        <SpentLink to="/account" />
      ) : verify.isSuccess ? (
        <div className="flex flex-col gap-4">
          <Notice tone="success" title="Email address confirmed">
            {verify.data.email} is confirmed. We'll send account notifications there.
          </Notice>
          <LinkButton to="/" variant="primary" size="lg">
            Continue
          </LinkButton>
        </div>
      ) : (
        <div className="flex flex-col gap-4">
          {verify.error ? (
            <Notice tone="danger" title="Couldn't confirm">
              {messageOf(verify.error)}
            </Notice>
          ) : (
            <p className="text-muted text-sm">Click to confirm your email address.</p>
          )}
          <Button variant="primary" size="lg" loading={verify.isPending} onClick={() => verify.mutate()}>
            Confirm email address
          </Button>
        </div>
      )}
    </SignInLayout>
  )
}
