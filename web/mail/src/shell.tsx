import { AppShell } from '@stoa/ui/app-shell.tsx'
import { CommandPalette, type PaletteGroup } from '@stoa/ui/command-palette.tsx'
import type { NavGroup } from '@stoa/ui/navigation.ts'
import { messageOf } from '@stoa/ui/problem.ts'
import { useShortcut } from '@stoa/ui/shortcuts.ts'
import { openShortcutsHelp } from '@stoa/ui/shortcuts-help.tsx'
import { setTheme } from '@stoa/ui/theme.ts'
import { toast } from '@stoa/ui/toast-store.ts'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { CircleHelp, House, LogOut, Moon, Sun, UserRound } from 'lucide-react'
import { useState } from 'react'
import { api } from './api.ts'
import { meQuery } from './queries.ts'

const navigation: readonly NavGroup[] = [
  { items: [{ to: '/', label: 'Dashboard', icon: <House aria-hidden /> }] },
  { label: 'You', items: [{ to: '/account', label: 'Account', icon: <UserRound aria-hidden /> }] },
]

/** The frame around the screens of a signed-in person. */
export const Shell = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  const { pathname } = useLocation()
  const [searching, setSearching] = useState(false)
  const go = useGo()
  const signOut = useSignOut()
  useShortcut({ keys: 'g d', description: 'Go to the dashboard', group: 'Go to', onPress: () => go('/') })
  useShortcut({ keys: 'g a', description: 'Go to your account', group: 'Go to', onPress: () => go('/account') })
  return (
    <AppShell
      product="Mail"
      path={pathname}
      navigation={navigation}
      user={{ name: me.name ?? me.email, email: me.email, accountPath: '/account' }}
      onSearch={() => setSearching(true)}
      onSignOut={signOut}
    >
      <Outlet />
      <CommandPalette open={searching} onOpenChange={setSearching} groups={commands(go, signOut)} />
    </AppShell>
  )
}

const commands = (go: (to: string) => void, signOut: () => void): readonly PaletteGroup[] => [
  {
    heading: 'Go to',
    items: [
      { id: 'dashboard', label: 'Dashboard', icon: <House aria-hidden />, shortcut: 'g d', onRun: () => go('/') },
      {
        id: 'account',
        label: 'Account',
        icon: <UserRound aria-hidden />,
        keywords: ['password', 'sessions', 'profile'],
        shortcut: 'g a',
        onRun: () => go('/account'),
      },
    ],
  },
  {
    heading: 'Actions',
    items: [
      { id: 'light', label: 'Use the light theme', icon: <Sun aria-hidden />, onRun: () => setTheme('light') },
      { id: 'dark', label: 'Use the dark theme', icon: <Moon aria-hidden />, onRun: () => setTheme('dark') },
      {
        id: 'shortcuts',
        label: 'Show keyboard shortcuts',
        icon: <CircleHelp aria-hidden />,
        shortcut: '?',
        onRun: openShortcutsHelp,
      },
      { id: 'sign-out', label: 'Sign out', icon: <LogOut aria-hidden />, keywords: ['log out'], onRun: signOut },
    ],
  },
]

const useGo = (): ((to: string) => void) => {
  const router = useRouter()
  return (to) => void router.navigate({ to })
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
