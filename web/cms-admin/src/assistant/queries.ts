import type { AiConnection, AiConnectionInput, AiTest, AiTestInput, AiUsage } from '@stoa/cms-model/ai.ts'
import type { Conversation, ConversationDetail, Proposal } from '@stoa/cms-model/assistant.ts'
import { queryOptions } from '@tanstack/react-query'
import { ALL, ifMatch, sendSignedIn } from '../api.ts'

/** The common prefix of all query keys about the connected provider. */
export const aiKey = ['ai'] as const

export const readAi = (signal?: AbortSignal) => sendSignedIn<AiConnection>('GET', '/api/ai', { signal })
/** The connected provider, and what its model can do. */
export const aiQuery = queryOptions({ queryKey: aiKey, queryFn: ({ signal }) => readAi(signal), staleTime: 60_000 })
export const saveAi = (body: AiConnectionInput, version: number | 'any') =>
  sendSignedIn<AiConnection>('PUT', '/api/ai', { body, headers: ifMatch(version) })
export const disconnectAi = () => sendSignedIn<undefined>('DELETE', '/api/ai')
export const testAi = (body: AiTestInput) => sendSignedIn<AiTest>('POST', '/api/ai/test', { body })
export const startAiOauth = (model: string) =>
  sendSignedIn<{ url: string }>('POST', '/api/ai/oauth/start', { body: model === '' ? {} : { model } })
export const aiUsageQuery = (days: number) =>
  queryOptions({
    queryKey: [...aiKey, 'usage', days],
    queryFn: ({ signal }) => sendSignedIn<AiUsage>('GET', `/api/ai/usage?days=${days}`, { signal }),
  })

const CONVERSATIONS = '/api/assistant/conversations'
const conversationPath = (id: string) => `${CONVERSATIONS}/${encodeURIComponent(id)}`
export const messagesPath = (id: string) => `${conversationPath(id)}/messages`

export const conversationsQuery = queryOptions({
  queryKey: ['assistant', 'conversations'],
  queryFn: ({ signal }) => sendSignedIn<{ items: Conversation[] }>('GET', `${CONVERSATIONS}?${ALL}`, { signal }),
})
export const startConversation = () => sendSignedIn<{ id: string }>('POST', CONVERSATIONS, { body: {} })
export const readConversation = (id: string) => sendSignedIn<ConversationDetail>('GET', conversationPath(id))
export const renameConversation = (id: string, title: string) =>
  sendSignedIn<Conversation>('PUT', conversationPath(id), { body: { title } })
export const deleteConversation = (id: string) => sendSignedIn<undefined>('DELETE', conversationPath(id))
export const stopConversation = (id: string) => sendSignedIn<undefined>('POST', `${conversationPath(id)}/stop`)

const proposalPath = (id: string) => `/api/assistant/proposals/${encodeURIComponent(id)}`
export const readProposal = (id: string, signal?: AbortSignal) =>
  sendSignedIn<Proposal>('GET', proposalPath(id), { signal })
export const dismissProposal = (id: string) => sendSignedIn<undefined>('POST', `${proposalPath(id)}/dismiss`)

/** Open proposals, neither applied nor dismissed, of all conversations. */
export const openProposalsQuery = queryOptions({
  queryKey: ['assistant', 'proposals'],
  queryFn: ({ signal }) =>
    sendSignedIn<{ items: Proposal[] }>('GET', '/api/assistant/proposals?status=open', { signal }),
})
