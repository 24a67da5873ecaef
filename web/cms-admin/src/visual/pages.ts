import type { VisualDefinitions } from '@stoa/cms-model/visual.ts'
import type { WebsiteState } from '@stoa/cms-model/website.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { sendSignedIn } from '../api.ts'
import { typesQuery } from '../types/queries.ts'

/** The types whose pages are edited on the page itself. */
export const visualQuery = queryOptions({
  queryKey: ['visual'],
  queryFn: ({ signal }) => sendSignedIn<{ types: VisualDefinitions }>('GET', '/api/visual', { signal }),
  staleTime: 60_000,
})

/** The shared parts of the website with what they show. */
export const websiteQuery = queryOptions({
  queryKey: ['website'],
  queryFn: ({ signal }) => sendSignedIn<WebsiteState>('GET', '/api/website', { signal }),
})

/** Where the parts that all pages share are edited, and the design. */
export const SITE_PATH = '/edit/site'

/** Where an entry is edited on its page. */
export const pagePath = (entryId: string): string => `/edit/${entryId}`

/**
 * Whether entries of a type are edited on their pages: the website says how, and the type where they are. Not asked
 * while nobody needs to know.
 */
export const useHasPages = (isNeeded = true): ((type: string) => boolean) => {
  const { data: visual } = useQuery({ ...visualQuery, enabled: isNeeded })
  const { data: types } = useQuery(typesQuery)
  return (name) =>
    visual !== undefined &&
    Object.hasOwn(visual.types, name) &&
    types?.items.some((type) => type.name === name && type.previewUrl !== null) === true
}
