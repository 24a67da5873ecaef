import { newId } from '@stoa/kit/ids.ts'
import type { CmsTx } from '../../../context.ts'

/** A conversation with a message of the assistant, as a turn leaves them. */
export const insertConversation = async (
  tx: CmsTx,
  accountId: string,
  at: Date,
): Promise<{ conversationId: string; messageId: string }> => {
  const conversationId = newId()
  const messageId = newId()
  await tx
    .insertInto('assistant_conversation')
    .values({ id: conversationId, account_id: accountId, title: 'Talk', created_at: at, updated_at: at })
    .execute()
  await tx
    .insertInto('assistant_message')
    .values({
      id: messageId,
      conversation_id: conversationId,
      seq: 1,
      role: 'assistant',
      text: '',
      status: 'complete',
      created_at: at,
    })
    .execute()
  return { conversationId, messageId }
}

/** Every table of the site but those of the assistant, as text. */
export const tableTexts = async (tx: CmsTx): Promise<Map<string, string>> => {
  const tables = await tx.query<{ name: string }>({
    text: `select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'assistant\\_%' order by 1`,
  })
  const texts = new Map<string, string>()
  for (const { name } of tables) {
    const [row] = await tx.query<{ text: string | null }>({
      text: `select string_agg(t::text, E'\\n' order by t::text) as text from "${name}" t`,
    })
    texts.set(name, row?.text ?? '')
  }
  return texts
}

/** All that is stored about proposals, as text. */
export const proposalText = async (tx: CmsTx): Promise<string> => {
  const [row] = await tx.query<{ text: string | null }>({
    text: `select string_agg(t::text, E'\\n') as text from assistant_proposal t`,
  })
  return row?.text ?? ''
}

const ENDPOINTS = { authorizeUrl: '', tokenUrl: '', apiBase: '', uploadBase: '', apiVersion: '', scopes: [] }

/** A connected account of a network, without its tokens. */
export const insertSocialAccount = async (tx: CmsTx, network: string, at: Date): Promise<string> => {
  const id = newId()
  await tx.query({
    text: `insert into social_account (id, network, remote_id, name, kind, endpoints, client_id, access_token_sealed,
        tokens_at, scopes, capabilities, status, status_since, connected_at, updated_at)
      values ($1, $2, $1, 'Page', 'page', $4, 'client', 'sealed', $3, '{}', '{}', 'active', $3, $3, $3)`,
    values: [id, network, at, JSON.stringify(ENDPOINTS)],
  })
  return id
}
