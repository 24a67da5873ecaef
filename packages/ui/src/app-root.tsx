import { Link, Outlet, useBlocker, useRouter } from '@tanstack/react-router'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { hasUnsavedChanges } from './leave-guard.ts'
import type { LinkProps } from './link.tsx'
import { UiProvider } from './ui-provider.tsx'

/** What is around every screen. */
export const AppRoot = () => {
  const router = useRouter()
  return (
    <UiProvider Link={RouterLink} navigate={(to) => void router.navigate(addressOf(to))}>
      <Outlet />
      <LeaveGuard />
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
const LeaveGuard = () => {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && hasUnsavedChanges(),
    withResolver: true,
    enableBeforeUnload: false,
  })
  return (
    <ConfirmDialog
      open={blocker.status === 'blocked'}
      onOpenChange={(open) => {
        if (!open) blocker.reset?.()
      }}
      title="Leave without saving?"
      consequence="What you changed on this screen is lost."
      confirmLabel="Leave"
      onConfirm={() => blocker.proceed?.()}
    />
  )
}
