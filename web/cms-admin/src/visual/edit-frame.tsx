import { useOnePerson } from '@stoa/ui/one-person.ts'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { UploadDockHost } from '../media/upload-dock-host.tsx'
import { meQuery } from '../queries.ts'
import { LiveProvider } from '../realtime/live.tsx'
import { registry } from '../registry/index.tsx'
import { useRegistered } from '../registry/registered.ts'
import { RegistryProvider } from '../registry/registry.ts'
import { SidePanelContext, SidePanelHost, useSidePanelState } from '../side-panel.tsx'

/** What is around the page editor of a signed-in person: the page takes the window, panels of features stand beside it. */
export const EditFrame = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  useOnePerson('stoa-cms:who', me.id)
  const side = useSidePanelState(useRegistered(registry.sidePanels, me))
  return (
    <LiveProvider>
      <RegistryProvider value={registry}>
        <SidePanelContext value={side}>
          <div data-page="inside" className="relative flex h-dvh min-w-0 overflow-hidden">
            <div className="min-w-0 flex-1">
              <Outlet />
            </div>
            {side.shown ? <SidePanelHost panel={side.shown} state={side} /> : null}
          </div>
          <UploadDockHost person={me.id} />
        </SidePanelContext>
      </RegistryProvider>
    </LiveProvider>
  )
}
