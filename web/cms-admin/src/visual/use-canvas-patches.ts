import type { Field } from '@stoa/cms-model/fields/field.ts'
import { TITLE_KEY, type VisualDefinition } from '@stoa/cms-model/visual.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useCallback, useEffect, useRef } from 'react'
import { useEditor } from '../entries/editor/editor-context.ts'
import type { Values } from '../entries/session/values.ts'
import { mediaQuery } from '../media/queries.ts'
import { pictureSource } from '../media/renditions.ts'
import type { CanvasHandle } from './canvas/canvas.tsx'
import type { Layout } from './layout.ts'

type Patching = {
  canvas: RefObject<CanvasHandle | null>
  definition: VisualDefinition
  fields: readonly Field[]
  values: Values
  layout: Layout
  /** The key that is written on the page itself, which shows it already. */
  typing: string | null
}

/** Shows in the page what was changed beside it, at once: the page that the website renders comes after a pause. */
export const useCanvasPatches = ({ canvas, definition, fields, values, layout, typing }: Patching): void => {
  const before = useRef(values)
  const showPicture = useShowPicture(canvas, before)
  useEffect(() => {
    const last = before.current
    before.current = values
    if (last === values) return
    for (const key of Object.keys(definition.fields)) {
      const [was, is] = [valueAt(last, key), valueAt(values, key)]
      if (was === is || key === typing || typeof is !== 'string') continue
      const kind = fields.find((field) => field.key === key)?.type
      if (kind === 'media') void showPicture(key, is)
      // A slug stands for an entry, which only the website can show
      if (kind === 'media' || Object.hasOwn(definition.references, key)) continue
      canvas.current?.send({
        t: 'setText',
        key,
        ...(definition.formatted.includes(key) ? { html: is } : { value: is }),
      })
    }
  }, [canvas, definition, fields, values, typing, showPicture])
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

/** The largest width at which pages show a picture, before they are rendered with it. */
const SHOWN_WIDTH = 1280
const FRESH_MS = 60_000

/** A picture is shown as soon as its address is known, unless another one was chosen meanwhile. */
const useShowPicture = (canvas: Patching['canvas'], latest: RefObject<Values>) => {
  const client = useQueryClient()
  const { imageSizes } = useEditor().settings
  return useCallback(
    async (key: string, id: string) => {
      const media = await client.fetchQuery({ ...mediaQuery(id), staleTime: FRESH_MS }).catch(() => null)
      if (!media?.mimeType.startsWith('image/') || latest.current.data[key] !== id) return
      const src = new URL(pictureSource(media, SHOWN_WIDTH, imageSizes), media.url).href
      canvas.current?.send({ t: 'setImage', key, src, alt: media.alt })
    },
    [client, canvas, latest, imageSizes],
  )
}
