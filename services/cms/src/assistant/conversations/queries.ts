import type {
  AssistantContext,
  AssistantError,
  AssistantMessage,
  StopReason,
  TurnPart,
} from '@stoa/cms-model/assistant.ts'
import type { Page } from '@stoa/cms-model/lists.ts'
import { ALIVE_BOOTS } from '../../boot.ts'
import type { CmsDb, CmsTx } from '../../context.ts'
import { type StoredStep, storedContext, storedError, storedParts, storedSteps } from './stored.ts'

export type ConversationRecord = {
  id: string
  title: string
  createdAt: Date
  /** When the last message came. */
  updatedAt: Date
  /** The turn that holds the conversation. */
  turnMessageId: string | null
  /** The turn's holder is alive. */
  isRunning: boolean
}

export type MessageRecord = {
  id: string
  seq: number
  role: AssistantMessage['role']
  text: string
  parts: TurnPart[]
  model: string | null
  status: AssistantMessage['status']
  stop: StopReason | null
  error: AssistantError | null
  clientId: string | null
  context: AssistantContext | null
  isMasked: boolean
  tokensIn: number
  tokensOut: number
  createdAt: Date
}

/** A process that does not say for this long that it is at work has lost its turn. */
export const LEASE_SECONDS = 30

/** `$1` is this start, which need not look itself up. */
const CONVERSATION = `c.id, c.title, c.created_at as "createdAt", c.updated_at as "updatedAt",
  c.turn_message_id as "turnMessageId",
  c.turn_message_id is not null and c.turn_lease_until > clock_timestamp()
    and (c.turn_boot_id = $1 or c.turn_boot_id::text in (${ALIVE_BOOTS})) as "isRunning"`

export type Own = { bootId: string; accountId: string }

export const listConversations = async (
  db: CmsDb,
  { bootId, accountId, page, limit }: Own & Page,
): Promise<{ records: ConversationRecord[]; total: number }> => {
  const { count } = await db
    .selectFrom('assistant_conversation')
    .where('account_id', '=', accountId)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const records = await db.query<ConversationRecord>({
    text: `select ${CONVERSATION} from assistant_conversation c where c.account_id = $2
      order by c.updated_at desc, c.id limit $3 offset $4`,
    values: [bootId, accountId, limit, (page - 1) * limit],
  })
  return { records, total: count }
}

export const findConversation = async (
  db: CmsDb,
  id: string,
  { bootId, accountId }: Own,
): Promise<ConversationRecord | null> => {
  const [row] = await db.query<ConversationRecord>({
    name: 'find-conversation',
    text: `select ${CONVERSATION} from assistant_conversation c where c.id = $2 and c.account_id = $3`,
    values: [bootId, id, accountId],
  })
  return row ?? null
}

/** Locks the conversation: no other transaction can begin or end a turn of it. */
export const lockConversation = async (
  tx: CmsTx,
  id: string,
  { bootId, accountId }: Own,
): Promise<ConversationRecord | null> => {
  const [row] = await tx.query<ConversationRecord>({
    text: `select ${CONVERSATION} from assistant_conversation c where c.id = $2 and c.account_id = $3 for update`,
    values: [bootId, id, accountId],
  })
  return row ?? null
}

export const insertConversation = async (
  tx: CmsTx,
  { id, accountId, title, now }: { id: string; accountId: string; title: string; now: Date },
): Promise<void> => {
  await tx
    .insertInto('assistant_conversation')
    .values({
      id,
      account_id: accountId,
      title,
      turn_message_id: null,
      turn_boot_id: null,
      turn_lease_until: null,
      turn_stop_at: null,
      created_at: now,
      updated_at: now,
    })
    .execute()
}

export const updateTitle = async (tx: CmsTx, id: string, title: string): Promise<void> => {
  await tx.updateTable('assistant_conversation').set({ title }).where('id', '=', id).execute()
}

/** With its messages and proposals. A turn that runs finds out at its next write. */
export const deleteConversation = async (tx: CmsTx, id: string): Promise<void> => {
  await tx.deleteFrom('assistant_conversation').where('id', '=', id).execute()
}

/** Deletes conversations without changes since `before`, except those with a running turn. */
export const deleteConversationsBefore = async (tx: CmsTx, before: Date, limit: number): Promise<number> => {
  const gone = await tx.query({
    text: `delete from assistant_conversation where id = any (array(
             select id from assistant_conversation
             where updated_at < $1 and (turn_message_id is null or turn_lease_until < clock_timestamp())
             order by updated_at limit $2 for update skip locked))
           returning 1`,
    values: [before, limit],
  })
  return gone.length
}

const MESSAGE = `m.id, m.seq, m.role, m.text, m.parts, m.model, m.status, m.stop, m.error, m.client_id as "clientId",
  m.context, m.is_masked as "isMasked", m.tokens_in as "tokensIn", m.tokens_out as "tokensOut",
  m.created_at as "createdAt"`

type MessageRow = Omit<MessageRecord, 'parts' | 'error' | 'context'> & {
  parts: unknown
  error: unknown
  context: unknown
}

const toMessage = (row: MessageRow): MessageRecord => ({
  ...row,
  parts: storedParts.parse(row.parts),
  error: storedError.parse(row.error),
  context: storedContext.parse(row.context),
})

/** The latest, in their order. */
export const listMessages = async (db: CmsDb, conversationId: string, limit: number): Promise<MessageRecord[]> => {
  const rows = await db.query<MessageRow>({
    text: `select ${MESSAGE} from assistant_message m where m.conversation_id = $1 order by m.seq desc limit $2`,
    values: [conversationId, limit],
  })
  return rows.map(toMessage).reverse()
}

/** The turn that answers the message with this id of the browser. */
export const findAnswer = async (
  db: CmsDb,
  { conversationId, clientId }: { conversationId: string; clientId: string },
): Promise<MessageRecord | null> => {
  const [row] = await db.query<MessageRow>({
    text: `select ${MESSAGE} from assistant_message asked
      join assistant_message m on m.conversation_id = asked.conversation_id and m.seq = asked.seq + 1
      where asked.conversation_id = $1 and asked.client_id = $2`,
    values: [conversationId, clientId],
  })
  return row ? toMessage(row) : null
}

/** A turn and whether somebody still works on it. */
export const findTurn = async (
  db: CmsDb,
  { messageId, bootId }: { messageId: string; bootId: string },
): Promise<{ message: MessageRecord; isRunning: boolean } | null> => {
  const [row] = await db.query<MessageRow & { isRunning: boolean }>({
    name: 'find-turn',
    text: `select ${MESSAGE}, c.turn_message_id = m.id and c.turn_lease_until > clock_timestamp()
        and (c.turn_boot_id = $1 or c.turn_boot_id::text in (${ALIVE_BOOTS})) as "isRunning"
      from assistant_message m join assistant_conversation c on c.id = m.conversation_id where m.id = $2`,
    values: [bootId, messageId],
  })
  if (!row) return null
  const { isRunning, ...message } = row
  return { message: toMessage(message), isRunning: isRunning === true }
}

/** What may be sent to the model of a message. */
export type HistoryRecord = Pick<MessageRecord, 'id' | 'role' | 'text' | 'status'> & { steps: StoredStep[] }

/**
 * The latest messages, in their order, however long the conversation is. Before the last few megabytes only the text is
 * read: their results would not be sent to any model.
 */
export const listHistory = async (
  db: CmsDb,
  conversationId: string,
  { limit, maxBytes }: { limit: number; maxBytes: number },
): Promise<HistoryRecord[]> => {
  const rows = await db.query<Omit<HistoryRecord, 'steps'> & { steps: unknown }>({
    text: `select id, role, text, status, case when total <= $3 then steps else '[]' end as steps from (
        select m.id, m.seq, m.role, m.text, m.status, m.steps,
          sum(octet_length(m.steps::text)) over (order by m.seq desc) as total
        from (select * from assistant_message where conversation_id = $1 order by seq desc limit $2) m
      ) sized order by seq`,
    values: [conversationId, limit, maxBytes],
  })
  return rows.map((row) => ({ ...row, steps: storedSteps.parse(row.steps) }))
}

/** What the person wrote, the latest first. */
export const listQuestions = async (db: CmsDb, conversationId: string, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('assistant_message')
    .select('text')
    .where('conversation_id', '=', conversationId)
    .where('role', '=', 'user')
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ text }) => text)
}
