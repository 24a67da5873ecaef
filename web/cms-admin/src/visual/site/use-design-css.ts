import { useQueries } from '@tanstack/react-query'
import { mediaQuery } from '../../media/queries.ts'
import { draftCss, picturesOf } from '../design/values.ts'
import { useSite } from './site-context.ts'
import { designKey } from './sources.ts'

/** The design as it would be, for the canvas. */
export const useDesignCss = (): string => {
  const { design, work } = useSite()
  const surfaces = design.surfaces.flatMap((record) => {
    const draft = work.drafts.sources[designKey(record.id)]
    return draft ? [{ record, draft }] : []
  })
  const files = useQueries({ queries: picturesOf(surfaces).map(mediaQuery) })
  return draftCss(surfaces, (id) => files.find(({ data }) => data?.id === id)?.data?.url)
}
