import type { VisualDefinitions } from '@stoa/cms-model/visual.ts'
import { queryOptions } from '@tanstack/react-query'
import { sendSignedIn } from '../api.ts'

/** The sections of the page of a type, by which its layout is told; none when the website declares none. */
export const sectionsQuery = (type: string) =>
  queryOptions({
    queryKey: ['visual'],
    queryFn: ({ signal }) => sendSignedIn<{ types: VisualDefinitions }>('GET', '/api/visual', { signal }),
    select: ({ types }) => (Object.hasOwn(types, type) ? types[type]?.sections : undefined) ?? [],
    staleTime: 60_000,
  })
