import type { Me } from '@stoa/cms-model/accounts.ts'
import { SignInAgainDialog } from '@stoa/ui/sign-in-again-dialog.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { signInAgain } from '../../signed-out.ts'
import type { Session } from './session.ts'

/** An entry is kept in the browser, too, and saved as soon as somebody is signed in. */
export const SignInAgain = ({ me, session }: { me: Me; session: Session }) => {
  const router = useRouter()
  const queryClient = useQueryClient()
  return (
    <SignInAgainDialog
      {...signInAgain({ email: me.email, router, queryClient })}
      kept="still here and stored in this browser"
      onDone={session.signedIn}
    />
  )
}
