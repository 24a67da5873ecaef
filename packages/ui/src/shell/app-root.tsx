import { Link, Outlet, useBlocker, useRouter } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { hasUnsavedChanges, losesChangesByLeaving } from '../navigation/leave-guard.ts'
import { LeaveDialog } from '../navigation/leave-question.tsx'
import type { LinkProps } from '../navigation/link.tsx'
import { closeSignInAgain, useSignInAgain } from '../sign-in/sign-in-again.ts'
import { UiProvider } from './ui-provider.tsx'

type AppRootProps = {
  /** Whether unsaved work goes along from one path to another. */
  carries?: (from: string, to: string) => boolean
}

/** The providers and layers around every screen. */
export const AppRoot = ({ carries = () => false }: AppRootProps) => {
  const router = useRouter()
  return (
    <UiProvider Link={RouterLink} navigate={(to) => void router.navigate(addressOf(to))}>
      <Outlet />
      <LeaveGuard carries={carries} />
      <SignedOutGuard />
    </UiProvider>
  )
}

const RouterLink = ({ to, ...rest }: LinkProps) => <Link {...addressOf(to)} {...rest} />

/** The router wants the path and what follows the question mark apart. */
const addressOf = (to: string): { to: string; search: Record<string, string> } => {
  const [path = '', query = ''] = to.split('?', 2)
  return { to: path, search: Object.fromEntries(new URLSearchParams(query)) }
}

/** Asks before a form with changes is left for another screen. */
const LeaveGuard = ({ carries }: Required<AppRootProps>) => {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      current.pathname !== next.pathname &&
      (carries(current.pathname, next.pathname) ? losesChangesByLeaving() : hasUnsavedChanges()),
    withResolver: true,
    enableBeforeUnload: false,
  })
  return (
    <LeaveDialog
      open={blocker.status === 'blocked'}
      where="on this screen"
      onStay={() => blocker.reset?.()}
      onLeave={() => blocker.proceed?.()}
    />
  )
}

const SignInAgainDialog = lazy(async () => ({
  default: (await import('../sign-in/sign-in-again-dialog.tsx')).SignInAgainDialog,
}))

/** Asks for the password above a form that would be lost by going to the sign-in. */
const SignedOutGuard = () => {
  const asked = useSignInAgain()
  if (!asked) return null
  const leave = async () => {
    await asked.leave()
    closeSignInAgain()
  }
  return (
    <Suspense>
      <SignInAgainDialog {...asked} kept="still here" leave={leave} onDone={closeSignInAgain} />
    </Suspense>
  )
}
