import { useQueries } from '@tanstack/react-query'
import { type RefObject, useEffect, useState } from 'react'
import { mediaQuery } from '../../media/queries.ts'
import type { CanvasHandle } from '../canvas/canvas.tsx'
import type { FromEditor } from '../canvas/protocol.ts'
import { draftCss, picturesOf, restoredPictures } from '../design/values.ts'
import { type Drafts, savedOf } from './drafts.ts'
import { textsOfParts } from './part-texts.ts'
import { useSite } from './site-context.ts'
import { designKey } from './sources.ts'
import type { SitePage } from './use-site-page.ts'

/**
 * Shows on the page what is typed, at once; the page that the website renders comes after the save. Everything is compared
 * with what the visible page was rendered with: a save alone changes nothing on it. Gives what to call when the next
 * page is seen.
 */
export const useShownDrafts = (canvas: RefObject<CanvasHandle | null>, page: SitePage): (() => void) => {
  const { website, work } = useSite()
  const [rendered, setRendered] = useState(() => savedOf(work.drafts))
  const style = JSON.stringify(useDesign(rendered))
  const texts = JSON.stringify(textsOfParts(website, rendered, valuesOf(work.drafts)))
  useEffect(() => canvas.current?.send({ t: 'setStyle', ...JSON.parse(style) }), [canvas, style])
  useEffect(() => canvas.current?.send({ t: 'setParts', parts: JSON.parse(texts) }), [canvas, texts])
  return () => {
    setRendered(page.rendered)
    canvas.current?.send({ t: 'setStyle', ...JSON.parse(style) })
    canvas.current?.send({ t: 'setParts', parts: JSON.parse(texts) })
  }
}

const valuesOf = ({ sources }: Drafts) =>
  Object.fromEntries(Object.entries(sources).map(([key, { values }]) => [key, values]))

type Style = Extract<FromEditor, { t: 'setStyle' }>

/** The design as it would be. */
const useDesign = (rendered: ReturnType<typeof savedOf>): Pick<Style, 'css' | 'originals'> => {
  const { design, work } = useSite()
  const surfaces = design.surfaces.flatMap((record) => {
    const key = designKey(record.id)
    const draft = work.drafts.sources[key]
    return draft ? [{ record, draft: { ...draft, saved: rendered[key] ?? draft.saved } }] : []
  })
  const files = useQueries({ queries: picturesOf(surfaces).map(mediaQuery) })
  return {
    css: draftCss(surfaces, (id) => files.find(({ data }) => data?.id === id)?.data?.url),
    originals: restoredPictures(surfaces),
  }
}
