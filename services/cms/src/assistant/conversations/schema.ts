import type { AssistantMessage, Conversation } from '@stoa/cms-model/assistant.ts'
import { listQuery } from '@stoa/cms-model/lists.ts'
import { z } from 'zod'
import type { ConversationRecord, MessageRecord } from './queries.ts'

export const idParams = z.object({ id: z.uuid() })
export const conversationsQuery = listQuery({})
export const renameInput = z.strictObject({ title: z.string().trim().min(1).max(200) })

export const conversationJson = (record: ConversationRecord): Conversation => ({
  id: record.id,
  title: record.title,
  busy: record.isRunning,
  createdAt: record.createdAt.toISOString(),
  updatedAt: record.updatedAt.toISOString(),
})

export const messageJson = (record: MessageRecord): AssistantMessage => ({
  id: record.id,
  role: record.role,
  text: record.text,
  parts: record.parts,
  status: record.status,
  stop: record.stop,
  error: record.error,
  clientId: record.clientId,
  context: record.context,
  masked: record.isMasked,
  model: record.model,
  tokensIn: record.tokensIn,
  tokensOut: record.tokensOut,
  createdAt: record.createdAt.toISOString(),
})
