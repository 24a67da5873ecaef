import { Button } from '@stoa/ui/button/button.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Spinner } from '@stoa/ui/feedback/spinner.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useQuery } from '@tanstack/react-query'
import { MonitorX } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { Canvas, type CanvasHandle, type CanvasState } from '../canvas/canvas.tsx'
import type { FromCanvas } from '../canvas/protocol.ts'
import { controllerQuery } from '../controller-query.ts'
import { DeviceBar, useDevice } from '../device-bar.tsx'
import { useSite } from './site-context.ts'
import type { SitePage } from './use-site-page.ts'

type SiteCanvasProps = {
  canvas: RefObject<CanvasHandle | null>
  page: SitePage
  onMessage: (message: FromCanvas) => void
}

/** The page with the parts, in the width of a device, or what keeps it from being shown. */
export const SiteCanvas = ({ canvas, page: { page, problem, isLoading, reload }, onMessage }: SiteCanvasProps) => {
  const { website, settings } = useSite()
  const device = useDevice()
  const controller = useQuery(controllerQuery)
  const [state, setState] = useState<CanvasState>('loading')
  // Only parts are chosen here: what a page has besides them is edited on the page's own screen
  const names = {
    sections: {},
    fields: {},
    parts: Object.fromEntries(website.parts.map(({ id, label }) => [id, label])),
  }
  const trouble = (page ? troubles[state] : problem) ?? (controller.error ? messageOf(controller.error) : null)
  const unmarked = state === 'unmarked' && website.parts.length > 0 ? 'No editable parts on this page' : null
  return (
    <section aria-label="Page" className="flex min-w-0 flex-1 flex-col bg-sunken">
      <DeviceBar
        device={device}
        isLoading={isLoading}
        problem={page ? (problem ?? unmarked) : null}
        onReload={reload}
      />
      <div className="relative min-h-0 flex-1">
        {page && controller.data ? (
          <Canvas
            ref={canvas}
            page={page}
            controller={controller.data}
            names={names}
            locale={settings.locale}
            title="Page"
            width={device.width}
            zoom={device.zoom}
            onMessage={onMessage}
            onState={setState}
          />
        ) : null}
        {trouble !== null ? (
          <div className="absolute inset-0 flex items-center justify-center bg-sunken">
            <EmptyState
              icon={<MonitorX />}
              title="Couldn't open the page for editing"
              action={<Button onClick={reload}>Reload preview</Button>}
            >
              {trouble}
            </EmptyState>
          </div>
        ) : page === null ? (
          <div role="status" className="absolute inset-0 flex items-center justify-center text-faint">
            <Spinner className="size-5" />
            <span className="sr-only">Loading the page</span>
          </div>
        ) : null}
      </div>
    </section>
  )
}

/** A page without parts still shows the design. */
const troubles: Readonly<Record<CanvasState, string | null>> = {
  loading: null,
  ready: null,
  unmarked: null,
  lost: "The page didn't load. Its styles or its size may be the cause.",
  too_large: 'The page is larger than 5 MB.',
  too_complex: 'The page has too many elements.',
  unreadable: "The page isn't valid HTML.",
}
