import { useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { useAccountSwitchGuard } from '@stoa/ui/shell/account-switch-guard.ts'
import { AppShell, type ShellTool } from '@stoa/ui/shell/app-shell.tsx'
import { useShortcut } from '@stoa/ui/shortcuts/shortcuts.ts'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import { useAvatarSource } from './accounts/person-avatar.tsx'
import { may } from './allowed.tsx'
import type { Go } from './commands.tsx'
import { UploadDockHost } from './media/upload/upload-dock-host.tsx'
import { PaletteHost, usePalette, useSignOut } from './palette-host.tsx'
import { meQuery } from './queries.ts'
import { LiveProvider } from './realtime/live.tsx'
import { registry } from './registry/index.tsx'
import { groupsOf, inGroups, type NavigationItem } from './registry/navigation.ts'
import { useRegistered } from './registry/registered.ts'
import type { SidePanel } from './registry/side-panels.ts'
import { RememberVisits } from './remember-visits.tsx'
import {
  PanelShortcuts,
  SidePanelContext,
  SidePanelHost,
  type SidePanelState,
  useSidePanelState,
} from './side-panel.tsx'
import { useSiteBrand } from './site-brand.tsx'
import { typesQuery } from './types/queries.ts'

/** The frame around the screens of a signed-in person. */
export const Shell = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  const picture = useAvatarSource(me.avatarUrl)
  const { pathname } = useLocation()
  const palette = usePalette()
  useAccountSwitchGuard('stoa-cms:who', me.id)
  const go = useNavigateTo()
  const signOut = useSignOut()
  const { data } = useQuery({ ...typesQuery, enabled: may(me, 'content.read') })
  const types = data?.items ?? []
  const shown = inGroups(useRegistered(registry.navigation, me))
  const panels = useRegistered(registry.sidePanels, me)
  const side = useSidePanelState(panels)
  return (
    <LiveProvider>
      <SidePanelContext value={side}>
        <AppShell
          product="CMS"
          site={useSiteBrand(me)}
          path={pathname}
          navigation={groupsOf(shown)}
          tools={toolsOf(panels, side)}
          side={side.shown ? <SidePanelHost panel={side.shown} state={side} /> : undefined}
          user={{ person: me.id, name: me.name, email: me.email, picture, accountPath: '/account' }}
          onSearch={palette.search}
          onSignOut={signOut}
        >
          {shown.map((screen) =>
            screen.shortcut ? <GoShortcut key={screen.id} screen={screen} keys={screen.shortcut} go={go} /> : null,
          )}
          <PanelShortcuts panels={panels} onToggle={side.toggle} />
          <Outlet />
          <UploadDockHost person={me.id} />
          <RememberVisits person={me.id} types={types} path={pathname} />
          <PaletteHost
            palette={palette}
            me={me}
            types={types}
            shown={shown}
            panels={panels}
            go={go}
            openPanel={side.open}
            signOut={signOut}
          />
        </AppShell>
      </SidePanelContext>
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

const GoShortcut = ({ screen, keys, go }: { screen: NavigationItem; keys: string; go: Go }) => {
  useShortcut({ keys, description: screen.label, group: 'Go to', onPress: () => go(screen.to) })
  return null
}
