import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useAccountSwitchGuard } from '@stoa/ui/shell/account-switch-guard.ts'
import { AppShell } from '@stoa/ui/shell/app-shell.tsx'
import { lazyAction } from '@stoa/ui/shell/lazy-action.ts'
import { useShortcut } from '@stoa/ui/shortcuts/shortcuts.ts'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { api } from './api.ts'
import { useLivePanel } from './live.ts'
import { meQuery } from './queries.ts'
import { navigationOf, type Screen, screensFor } from './screens.tsx'

/** Goes to a screen, with what its address carries. */
export type Go = (to: string, search?: Record<string, string>) => void

/** The frame around the screens of a signed-in person. */
export const Shell = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  const { pathname } = useLocation()
  const [searching, setSearching] = useState(false)
  const [everOpened, setEverOpened] = useState(false)
  if (searching && !everOpened) setEverOpened(true)
  const go = useGo()
  const signOut = useSignOut()
  const shown = screensFor(me.role)
  const search = () => void lazyAction(loadPalette, () => setSearching(true))
  useAccountSwitchGuard('stoa-mail:person', me.id)
  useLivePanel()
  useShortcut({
    keys: 'mod+k',
    description: 'Open command menu',
    group: 'General',
    onPress: search,
  })
  return (
    <AppShell
      product="Mail"
      path={pathname}
      navigation={navigationOf(shown)}
      user={{ person: me.email, name: me.name ?? me.email, email: me.email, accountPath: '/account' }}
      onSearch={search}
      onSignOut={signOut}
    >
      {shown.map((screen) =>
        screen.shortcut ? <GoShortcut key={screen.to} screen={screen} keys={screen.shortcut} go={go} /> : null,
      )}
      <Suspense>
        <BillingBanner />
      </Suspense>
      <Outlet />
      {everOpened ? (
        <Suspense>
          <Palette shown={shown} open={searching} onOpenChange={setSearching} go={go} signOut={signOut} />
        </Suspense>
      ) : null}
    </AppShell>
  )
}

const BillingBanner = lazy(async () => ({ default: (await import('./billing/billing-banner.tsx')).BillingBanner }))
const loadPalette = () => import('./palette.tsx')
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }))

const GoShortcut = ({ screen, keys, go }: { screen: Screen; keys: string; go: Go }) => {
  useShortcut({ keys, description: screen.label, group: 'Go to', onPress: () => go(screen.to) })
  return null
}

const useGo = (): Go => {
  const router = useRouter()
  return (to, search = {}) => void router.navigate({ to, search })
}

const useSignOut = (): (() => void) => {
  const router = useRouter()
  const queryClient = useQueryClient()
  return async () => {
    try {
      await api.signOut()
    } catch (error) {
      toast({ tone: 'danger', title: "You're still signed in", description: messageOf(error) })
      return
    }
    await router.navigate({ to: '/sign-in', ignoreBlocker: true })
    queryClient.clear()
  }
}
