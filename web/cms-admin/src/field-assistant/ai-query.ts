import type { AiConnection } from '@stoa/cms-model/ai.ts'
import { queryOptions } from '@tanstack/react-query'
import { sendSignedIn } from '../api.ts'

/** The connected AI provider, and what its model can do. */
export const aiQuery = queryOptions({
  queryKey: ['ai'],
  queryFn: ({ signal }) => sendSignedIn<AiConnection>('GET', '/api/ai', { signal }),
  staleTime: 60_000,
})

/** Whether the model of the provider writes suggestions. */
export const writesSuggestions = ({
  connected,
  capabilities,
}: Pick<AiConnection, 'connected' | 'capabilities'>): boolean => connected && capabilities.field
