import type { LimitTables } from '@stoa/kit/limits/tables.ts'
import type { ColumnType, Generated } from 'kysely'

/** Tables of the assistant. */
export type AssistantTables = {
  ai_provider: AiProviderTable
  ai_usage: AiUsageTable
  assistant_conversation: ConversationTable
  assistant_message: MessageTable
  assistant_proposal: ProposalTable
  search_chunk: SearchChunkTable
  visitor_settings: VisitorSettingsTable
  visitor_question: VisitorQuestionTable
} & LimitTables

type Json = ColumnType<unknown, string, string>
type OptionalJson = ColumnType<unknown, string | null | undefined, string | null>
type DefaultJson = ColumnType<unknown, string | undefined, string>
type Count = ColumnType<number, number | undefined, number>

type AiProviderTable = {
  id: Generated<number>
  kind: 'a' | 'b' | 'local' | 'cloud' | null
  model: string | null
  base_url: string | null
  credential_from: 'key' | 'oauth' | null
  sealed: string | null
  last4: string | null
  last_test: OptionalJson
  site_tokens_per_day: number
  user_tokens_per_day: number
  visitor_tokens_per_day: number
  context_tokens: number
  compact_tools: Generated<boolean>
  retention_days: number
  version: Generated<number>
  updated_at: Date
  updated_by: string | null
}

type AiUsageTable = {
  day: ColumnType<string, string, string>
  account_id: string | null
  feature: 'assistant' | 'field' | 'visitor' | 'test'
  tokens_in: Count
  tokens_out: Count
  calls: Count
}

type ConversationTable = {
  id: string
  account_id: string
  title: string
  turn_message_id: string | null
  turn_boot_id: string | null
  turn_lease_until: Date | null
  turn_stop_at: Date | null
  created_at: Date
  updated_at: Date
}

type MessageTable = {
  id: string
  conversation_id: string
  seq: number
  role: 'user' | 'assistant'
  text: string
  parts: DefaultJson
  steps: DefaultJson
  kind: string | null
  model: string | null
  status: 'streaming' | 'complete' | 'failed' | 'stopped'
  stop: string | null
  error: OptionalJson
  tokens_in: Generated<number>
  tokens_out: Generated<number>
  client_id: string | null
  context: OptionalJson
  is_masked: Generated<boolean>
  created_at: Date
}

type ProposalTable = {
  id: string
  conversation_id: string
  message_id: string
  call_id: string
  account_id: string
  tool: string
  args: Json
  title: string
  reason: string
  permission: string
  risk: 'edit' | 'live' | 'irreversible'
  verb: string
  warning: string | null
  target: Json
  requests: Json
  base: Json
  changes: Json
  status: 'proposed' | 'applied' | 'dismissed' | 'superseded' | 'failed'
  is_edited: Generated<boolean>
  error: OptionalJson
  created_at: Date
  applied_at: Date | null
  expires_at: Date
}

type SearchChunkTable = {
  entry_id: string
  n: number
  type: string
  locale: string
  config: string
  title: string
  heading: string
  body: string
  words: string
  tsv: string
}

type VisitorSettingsTable = {
  is_only: Generated<boolean>
  settings: Json
  version: number
  updated_at: Date
  updated_by: string | null
}

type VisitorQuestionTable = {
  id: string
  question_hash: Buffer
  question: string
  locale: string
  found: boolean
  sources: Json
  count: number
  asked_at: Date
}
