import { AppShell, type ShellTool } from '@stoa/ui/app-shell.tsx'
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
import { registry } from './registry/index.tsx'
import { groupsOf, inGroups, type NavigationItem } from './registry/navigation.ts'
import { useRegistered } from './registry/registered.ts'
import { RegistryProvider } from './registry/registry.ts'
import type { SidePanel } from './registry/side-panels.ts'
import { RememberVisits } from './remember-visits.tsx'
import { SidePanelContext, SidePanelHost, type SidePanelState, useSidePanelState } from './side-panel.tsx'
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
  const shown = inGroups(useRegistered(registry.navigation, me))
  const panels = useRegistered(registry.sidePanels, me)
  const side = useSidePanelState(panels)
  return (
    <LiveProvider>
      <RegistryProvider value={registry}>
        <SidePanelContext value={side}>
          <AppShell
            product="CMS"
            path={pathname}
            navigation={groupsOf(shown)}
            tools={toolsOf(panels, side)}
            side={side.shown ? <SidePanelHost panel={side.shown} state={side} /> : undefined}
            user={{ person: me.id, name: me.name, email: me.email, accountPath: '/account' }}
            onSearch={search}
            onSignOut={signOut}
          >
            {shown.map((screen) =>
              screen.shortcut ? <GoShortcut key={screen.id} screen={screen} keys={screen.shortcut} go={go} /> : null,
            )}
            {panels.map((panel) =>
              panel.shortcut ? (
                <PanelShortcut
                  key={panel.id}
                  panel={panel}
                  keys={panel.shortcut}
                  onPress={() => side.toggle(panel.id)}
                />
              ) : null,
            )}
            <Outlet />
            <UploadDockHost person={me.id} />
            <RememberVisits person={me.id} types={types} path={pathname} />
            {everOpened ? (
              <Suspense>
                <Palette
                  me={me}
                  types={types}
                  shown={shown}
                  panels={panels}
                  open={searching}
                  onOpenChange={setSearching}
                  go={go}
                  openPanel={side.open}
                  signOut={signOut}
                />
              </Suspense>
            ) : null}
          </AppShell>
        </SidePanelContext>
      </RegistryProvider>
    </LiveProvider>
  )
}

const toolsOf = (panels: readonly SidePanel[], side: SidePanelState): readonly ShellTool[] =>
  panels.map(({ id, label, icon, shortcut }) => ({
    id,
    label,
    icon,
    ...(shortcut === undefined ? {} : { shortcut }),
    isOpen: side.shown?.id === id,
    onPress: () => side.toggle(id),
  }))

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

const GoShortcut = ({ screen, keys, go }: { screen: NavigationItem; keys: string; go: Go }) => {
  useShortcut({ keys, description: screen.label, group: 'Go to', onPress: () => go(screen.to) })
  return null
}

type PanelShortcutProps = { panel: SidePanel; keys: string; onPress: () => void }

const PanelShortcut = ({ panel, keys, onPress }: PanelShortcutProps) => {
  useShortcut({ keys, description: `Open or close ${panel.label}`, group: 'General', onPress })
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
