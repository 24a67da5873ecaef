import { TITLE_KEY, type VisualDefinition } from '@stoa/cms-model/visual.ts'
import { type RefObject, useEffect, useRef } from 'react'
import type { Values } from '../entries/editor/values.ts'
import type { CanvasHandle } from './canvas/canvas.tsx'
import type { Layout } from './layout.ts'

type Patching = {
  canvas: RefObject<CanvasHandle | null>
  definition: VisualDefinition
  values: Values
  layout: Layout
  /** The key that is written on the page itself, which shows it already. */
  typing: string | null
}

/** Shows in the page what was changed beside it, at once: the page that the website renders comes after a pause. */
export const useCanvasPatches = ({ canvas, definition, values, layout, typing }: Patching): void => {
  const before = useRef(values)
  useEffect(() => {
    const last = before.current
    before.current = values
    if (last === values) return
    for (const key of Object.keys(definition.fields)) {
      const [was, is] = [valueAt(last, key), valueAt(values, key)]
      if (was === is || key === typing || typeof is !== 'string') continue
      canvas.current?.send({
        t: 'setText',
        key,
        ...(definition.formatted.includes(key) ? { html: is } : { value: is }),
      })
    }
  }, [canvas, definition, values, typing])
  const arrangement = JSON.stringify(layout)
  const shown = useRef(arrangement)
  useEffect(() => {
    if (shown.current === arrangement) return
    shown.current = arrangement
    const { order, hidden }: Layout = JSON.parse(arrangement)
    canvas.current?.send({ t: 'layout', order: [...order], hidden: [...hidden] })
  }, [canvas, arrangement])
}

const valueAt = (values: Values, key: string): unknown => (key === TITLE_KEY ? values.title : values.data[key])
