import { useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { useAccountSwitchGuard } from '@stoa/ui/shell/account-switch-guard.ts'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { may } from '../allowed.tsx'
import { UploadDockHost } from '../media/upload/upload-dock-host.tsx'
import { PaletteHost, usePalette, useSignOut } from '../palette-host.tsx'
import { meQuery } from '../queries.ts'
import { LiveProvider } from '../realtime/live.tsx'
import { registry } from '../registry/index.tsx'
import { inGroups } from '../registry/navigation.ts'
import { useRegistered } from '../registry/registered.ts'
import { PanelShortcuts, SidePanelContext, SidePanelHost, useSidePanelState } from '../side-panel.tsx'
import { typesQuery } from '../types/queries.ts'
import { CarriedWork } from './carried-work.tsx'

/** What is around the page editor of a signed-in person: the page takes the window, panels of features stand beside it. */
export const EditFrame = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  useAccountSwitchGuard('stoa-cms:who', me.id)
  const palette = usePalette()
  const go = useNavigateTo()
  const signOut = useSignOut()
  const { data } = useQuery({ ...typesQuery, enabled: may(me, 'content.read') })
  const shown = inGroups(useRegistered(registry.navigation, me))
  const panels = useRegistered(registry.sidePanels, me)
  const side = useSidePanelState(panels)
  return (
    <CarriedWork>
      <LiveProvider>
        <SidePanelContext value={side}>
          <div data-page="inside" className="relative flex h-dvh min-w-0 overflow-hidden">
            <div className="min-w-0 flex-1">
              <Outlet />
            </div>
            {side.shown ? <SidePanelHost panel={side.shown} state={side} /> : null}
          </div>
          <PanelShortcuts panels={panels} onToggle={side.toggle} />
          <UploadDockHost person={me.id} />
          <PaletteHost
            palette={palette}
            me={me}
            types={data?.items ?? []}
            shown={shown}
            panels={panels}
            go={go}
            openPanel={side.open}
            signOut={signOut}
          />
        </SidePanelContext>
      </LiveProvider>
    </CarriedWork>
  )
}
