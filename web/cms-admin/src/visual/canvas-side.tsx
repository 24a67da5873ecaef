import { TITLE_KEY, type VisualDefinition } from '@stoa/cms-model/visual.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { Spinner } from '@stoa/ui/feedback/spinner.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useQuery } from '@tanstack/react-query'
import { MonitorX } from 'lucide-react'
import { useState } from 'react'
import { useEditor } from '../entries/editor/editor-context.ts'
import { Canvas, type CanvasState } from './canvas/canvas.tsx'
import { controllerQuery } from './controller-query.ts'
import { DeviceBar, useDevice } from './device-bar.tsx'
import type { Page } from './use-page.ts'

type CanvasSideProps = { page: Page; definition: VisualDefinition; onFields: () => void }

/** The page itself, in the width of a device, or what keeps it from being edited. */
export const CanvasSide = ({ page, definition, onFields }: CanvasSideProps) => {
  const { type, settings } = useEditor()
  const device = useDevice()
  const controller = useQuery(controllerQuery)
  const [canvas, setCanvas] = useState<CanvasState>('loading')
  const { live } = page
  const names = {
    sections: Object.fromEntries(definition.sections.map(({ id, label }) => [id, label])),
    fields: Object.fromEntries([
      [TITLE_KEY, 'Title'],
      ...type.fields.filter(({ key }) => Object.hasOwn(definition.fields, key)).map(({ key, label }) => [key, label]),
    ]),
    parts: {},
  }
  const problem =
    (live.page ? troubles[canvas] : live.problem) ?? (controller.error ? messageOf(controller.error) : null)
  return (
    <section aria-label="Page" className="flex min-w-0 flex-1 flex-col bg-sunken">
      <DeviceBar device={device} isLoading={live.isLoading} problem={null} onReload={live.reload} />
      {live.page && live.problem !== null ? (
        <div className="px-3 py-2">
          <Notice tone="warning" title="This page isn't up to date" action={<WaysOn live={live} onFields={onFields} />}>
            {live.problem} Your changes are kept.
          </Notice>
        </div>
      ) : null}
      <div className="relative min-h-0 flex-1">
        {live.page && controller.data ? (
          <Canvas
            ref={page.canvas}
            page={live.page}
            controller={controller.data}
            names={names}
            locale={settings.locale}
            title="Page"
            width={device.width}
            zoom={device.zoom}
            onMessage={page.receive}
            onState={setCanvas}
          />
        ) : null}
        {problem !== null ? (
          <div className="absolute inset-0 flex items-center justify-center bg-sunken">
            <EmptyState
              icon={<MonitorX />}
              title="Couldn't open the page for editing"
              action={<WaysOn live={live} onFields={onFields} />}
            >
              {problem}
            </EmptyState>
          </div>
        ) : live.page === null ? (
          <div role="status" className="absolute inset-0 flex items-center justify-center text-faint">
            <Spinner className="size-5" />
            <span className="sr-only">Loading the page</span>
          </div>
        ) : null}
      </div>
    </section>
  )
}

/** Ways out when the page does not load. */
const WaysOn = ({ live, onFields }: { live: Page['live']; onFields: () => void }) => (
  <span className="flex flex-wrap gap-2">
    <Button size="sm" variant="primary" onClick={live.reload}>
      Reload preview
    </Button>
    <Button size="sm" onClick={onFields}>
      Edit in fields
    </Button>
  </span>
)

const troubles: Readonly<Record<CanvasState, string | null>> = {
  loading: null,
  ready: null,
  unmarked: "Nothing on this page can be edited: the website doesn't render it with renderVisual.",
  lost: "The page didn't load. Its styles or its size may be the cause.",
  too_large: 'The page is larger than 5 MB.',
  too_complex: 'The page has too many elements.',
  unreadable: "The page isn't valid HTML.",
}
