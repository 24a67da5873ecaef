import { readText } from '@stoa/ui/navigation/url-state.ts'
import type { QueryClient } from '@tanstack/react-query'
import { placeFilter, readPlace } from '../places.ts'
import { foldersQuery, mailSettingsQuery, messagesQuery } from '../queries.ts'
import { listFilter, readView } from './list-view.ts'

/** Asks for the rows that a place shows first, while its screen is still on the way. */
export const askFirstRows = async (
  queryClient: QueryClient,
  placeWord: string,
  search: Record<string, unknown>,
): Promise<void> => {
  const get = (name: string) => readText(search[name])
  const [folders, settings] = await Promise.all([
    queryClient.ensureQueryData(foldersQuery),
    queryClient.ensureQueryData(mailSettingsQuery),
  ])
  const place = readPlace(placeWord, folders.data)
  if (!place || place.kind === 'scheduled') return
  await queryClient.prefetchQuery(messagesQuery(listFilter(placeFilter(place, get('q')), readView(get, settings)), 1))
}
