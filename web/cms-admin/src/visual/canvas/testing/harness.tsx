import { createRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { Canvas, type CanvasHandle, type CanvasPage, type CanvasState } from '../canvas.tsx'
import type { FromCanvas, FromEditor } from '../protocol.ts'

/** How a browser test drives a canvas: `window.canvas`. */
export type Harness = {
  readonly received: FromCanvas[]
  readonly states: CanvasState[]
  load(page: CanvasPage): void
  send(message: FromEditor): void
  resize(view: { width: number | null; zoom: number | 'fit' }): void
}

declare global {
  interface Window {
    canvas: Harness
  }
}

const names = {
  sections: { hero: 'Hero', facts: 'Facts', news: 'News', end: 'End' },
  fields: { title: 'Title', lead: 'Lead', mixed: 'Mixed', story: 'Story', cover: 'Cover' },
  parts: { menu: 'Main menu' },
}

const start = async (): Promise<void> => {
  const code = await (await fetch('/canvas-controller.js')).text()
  const hash = document.querySelector<HTMLMetaElement>('meta[name=controller-hash]')?.content ?? ''
  const controller = { code, hash }
  const handle = createRef<CanvasHandle>()
  let load: Harness['load'] = () => undefined
  let resize: Harness['resize'] = () => undefined
  const received: FromCanvas[] = []
  const states: CanvasState[] = []

  const Screen = () => {
    const [page, setPage] = useState<CanvasPage | null>(null)
    const [view, setView] = useState<Parameters<Harness['resize']>[0]>({ width: null, zoom: 1 })
    load = setPage
    resize = setView
    if (!page) return null
    return (
      <Canvas
        ref={handle}
        page={page}
        controller={controller}
        names={names}
        locale="en"
        title="Page"
        width={view.width}
        zoom={view.zoom}
        onMessage={(message) => received.push(message)}
        onState={(state) => states.push(state)}
      />
    )
  }
  const root = document.getElementById('root')
  if (!root) return
  flushSync(() => createRoot(root).render(<Screen />))
  window.canvas = {
    received,
    states,
    load: (page) => load(page),
    send: (message) => handle.current?.send(message),
    resize: (view) => resize(view),
  }
}

void start()
