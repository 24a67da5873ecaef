import { Button } from '@stoa/ui/button.tsx'
import { EmptyState } from '@stoa/ui/empty-state.tsx'
import { Spinner } from '@stoa/ui/spinner.tsx'
import { MonitorX } from 'lucide-react'
import type { RefObject } from 'react'
import { Canvas, type CanvasHandle } from '../canvas/canvas.tsx'
import type { FromCanvas } from '../canvas/protocol.ts'
import { DeviceBar, useDevice } from '../device-bar.tsx'
import { useSite } from './site-context.ts'
import type { SitePage } from './use-site-page.ts'

type SiteCanvasProps = {
  canvas: RefObject<CanvasHandle | null>
  page: SitePage
  onMessage: (message: FromCanvas) => void
}

/** Only parts are chosen here; what a page has besides them is edited on the page's own screen. */
const NO_LABELS = { sections: {}, fields: {} }

export const SiteCanvas = ({ canvas, page: { page, problem, isLoading, reload }, onMessage }: SiteCanvasProps) => {
  const { website, settings } = useSite()
  const device = useDevice()
  return (
    <section aria-label="Page" className="flex min-w-0 flex-1 flex-col bg-sunken">
      <DeviceBar device={device} isLoading={isLoading} problem={page ? problem : null} onReload={reload} />
      <div className="relative min-h-0 flex-1">
        {page ? (
          <Canvas
            ref={canvas}
            page={page}
            labels={NO_LABELS}
            parts={Object.fromEntries(website.parts.map(({ id, label }) => [id, label]))}
            locale={settings.locale}
            width={device.width}
            onMessage={onMessage}
            onReload={reload}
          />
        ) : problem === null ? (
          <div role="status" className="flex h-full items-center justify-center text-faint">
            <Spinner className="size-5" />
            <span className="sr-only">Loading the page</span>
          </div>
        ) : (
          <EmptyState
            icon={<MonitorX />}
            title="The page could not be opened for editing"
            action={<Button onClick={reload}>Reload preview</Button>}
          >
            {problem}
          </EmptyState>
        )}
      </div>
    </section>
  )
}
