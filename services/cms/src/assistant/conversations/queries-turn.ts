import type { AssistantContext, AssistantError, AssistantMessage, StopReason } from '@stoa/cms-model/assistant.ts'
import type { CmsTx } from '../../context.ts'
import { LEASE_SECONDS } from './queries.ts'
import { toStored } from './stored.ts'

/** The channel that notifies the processes of a site that a turn is to end. */
export const STOP_CHANNEL = 'assistant_stops'

export type NewTurn = {
  conversationId: string
  bootId: string
  questionId: string
  answerId: string
  clientId: string
  text: string
  isMasked: boolean
  context: AssistantContext | null
  title: string
  kind: string
  model: string
  now: Date
}

/** Inserts the question and its answer, and assigns the turn to a process. The conversation must be locked and free. */
export const insertTurn = async (tx: CmsTx, turn: NewTurn): Promise<void> => {
  await tx.query({
    text: `insert into assistant_message (id, conversation_id, seq, role, text, status, client_id, context, is_masked,
        kind, model, created_at)
      select made.id, $1, last.seq + made.step, made.role, made.text, made.status, made.client_id, made.context, made.masked,
        made.kind, made.model, $2
      from (select coalesce(max(seq), 0) as seq from assistant_message where conversation_id = $1) last,
        (values
          ($3::uuid, 1, 'user', $4, 'complete', $5::uuid, $6::jsonb, $7::boolean, null, null),
          ($8::uuid, 2, 'assistant', '', 'streaming', null, null, false, $9, $10)
        ) made (id, step, role, text, status, client_id, context, masked, kind, model)`,
    values: [
      turn.conversationId,
      turn.now,
      turn.questionId,
      turn.text,
      turn.clientId,
      turn.context && toStored(turn.context),
      turn.isMasked,
      turn.answerId,
      turn.kind,
      turn.model,
    ],
  })
  await tx.query({
    text: `update assistant_conversation set turn_message_id = $2, turn_boot_id = $3, turn_stop_at = null, ${RENEWED},
        updated_at = $4, title = case when title = '' then $5 else title end
      where id = $1`,
    values: [turn.conversationId, turn.answerId, turn.bootId, turn.now, turn.title],
  })
}

const RENEWED = `turn_lease_until = clock_timestamp() + interval '${LEASE_SECONDS} seconds'`

export type Holder = { messageId: string; bootId: string }
/** The result of a holder's heartbeat; null if it no longer holds the turn. */
export type Held = { isStopWanted: boolean } | null

/** Keeps the turn, and what people see of it so far. */
export const saveProgress = async (
  tx: CmsTx,
  { messageId, bootId, parts, text }: Holder & { parts: string; text: string },
): Promise<Held> => {
  const [row] = await tx.query<{ isStopWanted: boolean }>({
    name: 'save-turn-progress',
    text: `with held as (
        update assistant_conversation set ${RENEWED} where turn_message_id = $1 and turn_boot_id = $2
        returning turn_stop_at is not null as "isStopWanted"),
      saved as (update assistant_message set parts = $3, text = $4 where id = $1 and exists (select from held))
      select "isStopWanted" from held`,
    values: [messageId, bootId, parts, text],
  })
  return row ?? null
}

export type DoneStep = Holder & { parts: string; text: string; step: string; tokensIn: number; tokensOut: number }

/** Stores a finished step: its text, its calls and their results, for people and for the model. */
export const saveStep = async (tx: CmsTx, done: DoneStep): Promise<Held> => {
  const held = await saveProgress(tx, done)
  if (held === null) return null
  await tx.query({
    name: 'save-turn-step',
    text: `update assistant_message set steps = steps || $2::jsonb, tokens_in = tokens_in + $3, tokens_out = tokens_out + $4
      where id = $1`,
    values: [done.messageId, done.step, done.tokensIn, done.tokensOut],
  })
  return held
}

/** Locks the turn until the transaction ends. False if this holder has lost it. */
export const lockTurn = async (tx: CmsTx, { messageId, bootId }: Holder): Promise<boolean> => {
  const rows = await tx.query({
    name: 'lock-turn',
    text: 'select 1 from assistant_conversation where turn_message_id = $1 and turn_boot_id = $2 for update',
    values: [messageId, bootId],
  })
  return rows.length > 0
}

export type TurnEnd = {
  status: Exclude<AssistantMessage['status'], 'streaming'>
  stop: StopReason | null
  error: AssistantError | null
}

/** Ends a turn as its holder; false when it is no longer its own. The conversation is free after it. */
export const finishTurn = async (
  tx: CmsTx,
  { messageId, bootId, parts, text, status, stop, error }: Holder & TurnEnd & { parts: string; text: string },
): Promise<boolean> => {
  const rows = await tx.query({
    name: 'finish-turn',
    text: `with held as (
        update assistant_conversation set ${FREE} where turn_message_id = $1 and turn_boot_id = $2 returning 1)
      update assistant_message set parts = $3, text = $4, status = $5, stop = $6, error = $7
      where id = $1 and exists (select from held) returning 1`,
    values: [messageId, bootId, parts, text, status, stop, error && toStored(error)],
  })
  return rows.length > 0
}

const FREE = 'turn_message_id = null, turn_boot_id = null, turn_lease_until = null, turn_stop_at = null'

/** Ends the turn of a locked conversation whose holder is gone. */
export const failTurn = async (
  tx: CmsTx,
  { conversationId, messageId, error }: { conversationId: string; messageId: string; error: AssistantError },
): Promise<void> => {
  await tx.query({
    text: `update assistant_message set status = 'failed', error = $2 where id = $1 and status = 'streaming'`,
    values: [messageId, toStored(error)],
  })
  await tx.query({ text: `update assistant_conversation set ${FREE} where id = $1`, values: [conversationId] })
}

/** Notifies the process that works on the turn that it must end. */
export const wantStop = async (tx: CmsTx, messageId: string, now: Date): Promise<void> => {
  await tx.query({
    text: 'update assistant_conversation set turn_stop_at = $2 where turn_message_id = $1',
    values: [messageId, now],
  })
  await notifyStop(tx, messageId)
}

export const notifyStop = async (tx: CmsTx, messageId: string): Promise<void> => {
  await tx.query({ text: `select pg_notify('${STOP_CHANNEL}', $1)`, values: [messageId] })
}
