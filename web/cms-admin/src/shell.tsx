import { AppShell } from '@stoa/ui/app-shell.tsx'
import { CommandPalette } from '@stoa/ui/command-palette.tsx'
import { messageOf } from '@stoa/ui/problem.ts'
import { useShortcut } from '@stoa/ui/shortcuts.ts'
import { toast } from '@stoa/ui/toast-store.ts'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from './api.ts'
import { commands, type Go } from './commands.tsx'
import { meQuery } from './queries.ts'
import { navigationOf, type Screen, screensFor } from './screens.tsx'

/** The frame around the screens of a signed-in person. */
export const Shell = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  const { pathname } = useLocation()
  const [searching, setSearching] = useState(false)
  const go = useGo()
  const signOut = useSignOut()
  const shown = screensFor(me)
  return (
    <AppShell
      product="CMS"
      path={pathname}
      navigation={navigationOf(shown)}
      user={{ name: me.name, email: me.email, accountPath: '/account' }}
      onSearch={() => setSearching(true)}
      onSignOut={signOut}
    >
      {shown.map((screen) =>
        screen.shortcut ? <GoShortcut key={screen.to} screen={screen} keys={screen.shortcut} go={go} /> : null,
      )}
      <Outlet />
      <CommandPalette open={searching} onOpenChange={setSearching} groups={commands(shown, go, signOut)} />
    </AppShell>
  )
}

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
      toast({ tone: 'danger', title: 'You are still signed in', description: messageOf(error) })
      return
    }
    await router.navigate({ to: '/sign-in', ignoreBlocker: true })
    queryClient.clear()
  }
}
