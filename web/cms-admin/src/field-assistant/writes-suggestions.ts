import type { AiConnection } from '@stoa/cms-model/ai.ts'

/** Whether the model of the provider writes suggestions. */
export const writesSuggestions = ({
  connected,
  capabilities,
}: Pick<AiConnection, 'connected' | 'capabilities'>): boolean => connected && capabilities.field
