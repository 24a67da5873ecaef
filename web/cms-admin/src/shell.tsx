import { AppShell } from '@stoa/ui/app-shell.tsx'
import { useOnePerson } from '@stoa/ui/one-person.ts'
import { messageOf } from '@stoa/ui/problem.ts'
import { useShortcut } from '@stoa/ui/shortcuts.ts'
import { toast } from '@stoa/ui/toast-store.ts'
import { withCode } from '@stoa/ui/with-code.ts'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { may } from './allowed.tsx'
import { api } from './api.ts'
import type { Go } from './commands.tsx'
import { UploadDockHost } from './media/upload-dock-host.tsx'
import { meQuery } from './queries.ts'
import { LiveProvider } from './realtime/live.tsx'
import { RememberVisits } from './remember-visits.tsx'
import { navigationOf, type Screen, screensFor } from './screens.tsx'
import { typesQuery } from './types/queries.ts'

/** The frame around the screens of a signed-in person. */
export const Shell = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  const { pathname } = useLocation()
  const { searching, everOpened, setSearching, search } = usePalette()
  useOnePerson('stoa-cms:who', me.id)
  const go = useGo()
  const signOut = useSignOut()
  const { data } = useQuery({ ...typesQuery, enabled: may(me, 'content.read') })
  const types = data?.items ?? []
  const shown = screensFor(me, types)
  return (
    <AppShell
      product="CMS"
      path={pathname}
      navigation={navigationOf(shown)}
      user={{ person: me.id, name: me.name, email: me.email, accountPath: '/account' }}
      onSearch={search}
      onSignOut={signOut}
    >
      {shown.map((screen) =>
        screen.shortcut ? <GoShortcut key={screen.to} screen={screen} keys={screen.shortcut} go={go} /> : null,
      )}
      <LiveProvider>
        <Outlet />
      </LiveProvider>
      <UploadDockHost person={me.id} />
      <RememberVisits person={me.id} types={types} path={pathname} />
      {everOpened ? (
        <Suspense>
          <Palette
            me={me}
            types={types}
            shown={shown}
            open={searching}
            onOpenChange={setSearching}
            go={go}
            signOut={signOut}
          />
        </Suspense>
      ) : null}
    </AppShell>
  )
}

const loadPalette = () => import('./palette.tsx')
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }))

/** The palette is fetched after the screen, so that it is there when someone asks for it. */
const usePalette = () => {
  const [searching, setSearching] = useState(false)
  const [everOpened, setEverOpened] = useState(false)
  if (searching && !everOpened) setEverOpened(true)
  const search = () => void withCode(loadPalette, () => setSearching(true))
  useShortcut({
    keys: 'mod+k',
    description: 'Open the command menu',
    group: 'General',
    onPress: search,
  })
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette().catch(onlyLater), PRELOAD_MS)
    return () => clearTimeout(timer)
  }, [])
  return { searching, everOpened, setSearching, search }
}

const PRELOAD_MS = 1000

// It is asked for again when it is opened
const onlyLater = (): void => undefined

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
