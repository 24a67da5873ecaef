import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { List } from '@stoa/cms-model/lists.ts'
import { queryOptions } from '@tanstack/react-query'
import { ALL, sendSignedIn } from '../api.ts'

/** The content types of the site. */
export const typesQuery = queryOptions({
  queryKey: ['types'],
  queryFn: ({ signal }) => sendSignedIn<List<ContentType>>('GET', `/api/types?${ALL}`, { signal }),
})
