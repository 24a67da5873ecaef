import type { ConversationDetail, MessageInput } from '@stoa/cms-model/assistant.ts'
import { type List, type Page, toList } from '@stoa/cms-model/lists.ts'
import type { EventStream } from '@stoa/kit/http/sse.ts'
import { newId } from '@stoa/kit/ids.ts'
import { readSettings } from '../../content/settings/settings.ts'
import type { CmsTx, Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { type SessionPrincipal, sessionOf } from '../../principal.ts'
import { settleTokens } from '../connection/connection.ts'
import { listConversationProposals } from '../proposals/proposals.ts'
import { endDeadTurn, ownOf } from './dead-turns.ts'
import { followTurn } from './follow.ts'
import { maskSecrets } from './mask-secrets.ts'
import {
  type ConversationRecord,
  deleteConversation as deleteRecord,
  findAnswer,
  findConversation,
  insertConversation,
  listHistory,
  listMessages,
  listConversations as listRecords,
  lockConversation,
  type MessageRecord,
  updateTitle,
} from './queries.ts'
import { failTurn, insertTurn, notifyStop, wantStop } from './queries-turn.ts'
import { conversationJson, messageJson } from './schema.ts'
import { planStep, type StepPlan, type Subject } from './step.ts'
import { INTERRUPTED } from './stored.ts'
import { runTurn } from './turn.ts'

/** A screen shows no more; older ones stay stored. */
const MAX_SHOWN_MESSAGES = 200
/** More than is sent to a model. */
const HISTORY = { limit: 60, maxBytes: 4 * 2 ** 20 }

type Person = Ctx<SessionPrincipal>

/** The routes are for sessions only. */
const personal = (ctx: Ctx): Person => ({ ...ctx, principal: sessionOf(ctx) })

/** One's own; anybody else's is as unknown as one that never was, also for owners. */
export const requireConversation = async (ctx: Ctx, id: string): Promise<ConversationRecord> =>
  (await findConversation(ctx.db, id, ownOf(personal(ctx)))) ?? fail('NOT_FOUND')

/** One's own, those with the latest message first. */
export const listConversations = async (ctx: Ctx, page: Page): Promise<List<ConversationRecord>> => {
  const { records, total } = await listRecords(ctx.db, { ...ownOf(personal(ctx)), ...page })
  return toList(records, total, page)
}

export const createConversation = async (ctx: Ctx, title: string): Promise<ConversationRecord> => {
  const id = newId()
  const { accountId } = ownOf(personal(ctx))
  const now = ctx.now()
  await ctx.tx((tx) => insertConversation(tx, { id, accountId, title: maskSecrets(title).text, now }))
  return requireConversation(ctx, id)
}

/** With its latest messages and all its proposals. */
export const showConversation = async (ctx: Ctx, found: ConversationRecord): Promise<ConversationDetail> => {
  const person = personal(ctx)
  const isDead = found.turnMessageId !== null && !found.isRunning
  const conversation = isDead ? ((await endDeadTurn(person, found.id)) ?? fail('NOT_FOUND')) : found
  const messages = await listMessages(ctx.db, found.id, MAX_SHOWN_MESSAGES)
  const proposals = await listConversationProposals(person, found.id)
  return { ...conversationJson(conversation), messages: messages.map(messageJson), proposals }
}

export const renameConversation = async (ctx: Ctx, id: string, title: string): Promise<ConversationRecord> => {
  await ctx.tx((tx) => updateTitle(tx, id, maskSecrets(title).text))
  return requireConversation(ctx, id)
}

/** A turn that runs in it ends, wherever it runs. */
export const deleteConversation = (ctx: Ctx, id: string): Promise<void> =>
  ctx.tx(async (tx) => {
    const conversation = (await lockConversation(tx, id, ownOf(personal(ctx)))) ?? fail('NOT_FOUND')
    await deleteRecord(tx, id)
    if (conversation.turnMessageId !== null) await notifyStop(tx, conversation.turnMessageId)
  })

/** Ends the turn that runs, wherever it runs; what was said so far stays. */
export const stopTurn = async (ctx: Ctx, { id, turnMessageId, isRunning }: ConversationRecord): Promise<void> => {
  if (turnMessageId === null) return
  if (!isRunning) return void (await endDeadTurn(personal(ctx), id))
  await ctx.tx((tx) => wantStop(tx, turnMessageId, ctx.now()))
  ctx.turns.stop(turnMessageId)
}

/**
 * Takes a person's message and responds with the events of the turn. The same message again doesn't start a second
 * turn: it follows the existing one, or replays it from its beginning.
 */
export const sendMessage = async (ctx: Ctx, found: ConversationRecord, input: MessageInput): Promise<EventStream> => {
  const person = personal(ctx)
  const stream = ctx.turns.openStream(person.principal.account.id)
  try {
    const present = await findAnswer(ctx.db, { conversationId: found.id, clientId: input.clientId })
    const turn = present ? answering(present) : await answer(person, found, input)
    followTurn(person, stream, { conversationId: found.id, ...turn })
    return stream
  } catch (error) {
    stream.stream.destroy()
    throw error
  }
}

const answering = ({ id, model }: MessageRecord): Answering => ({ messageId: id, model: model ?? '' })
type Answering = { messageId: string; model: string }

/** Begins a turn. Refusals come before anything is stored. */
const answer = async (ctx: Person, { id, isRunning }: ConversationRecord, input: MessageInput): Promise<Answering> => {
  if (isRunning) fail('ASSISTANT_BUSY')
  const room = ctx.turns.enter(ctx.principal.account.id)
  try {
    const { text, masked } = maskSecrets(input.text)
    const subject = await subjectOf(ctx, id, { text, context: input.context ?? null })
    const first = await planStep(ctx, subject, [])
    const { isNew, ...turn } = await beginTurn(ctx, { subject, first, clientId: input.clientId, isMasked: masked })
    if (isNew) ctx.turns.start(turn.messageId, room, (running) => runTurn(ctx, { subject, first }, running))
    else room.leave()
    return turn
  } catch (error) {
    room.leave()
    throw error
  }
}

const subjectOf = async (
  ctx: Person,
  conversationId: string,
  { text, context }: { text: string; context: Subject['context'] },
): Promise<Subject> => {
  const earlier = await listHistory(ctx.db, conversationId, HISTORY)
  const { title, locale } = await readSettings(ctx.db)
  const versions = new Map(earlier.flatMap(({ steps }) => steps.flatMap(({ read }) => read)))
  return { conversationId, messageId: newId(), question: text, context, earlier, site: { title, locale }, versions }
}

type Begun = Answering & { isNew: boolean }
type Beginning = { subject: Subject; first: StepPlan; clientId: string; isMasked: boolean }

/** Of several requests at once, one begins the turn. Those with the same message follow it, others are refused. */
const beginTurn = async (ctx: Person, beginning: Beginning): Promise<Begun> => {
  let begun: Begun | undefined
  try {
    begun = await ctx.tx((tx) => claimTurn(ctx, tx, beginning))
    return begun
  } finally {
    if (!begun?.isNew) await settleTokens(ctx, beginning.first.receipt, null)
  }
}

const claimTurn = async (ctx: Person, tx: CmsTx, { subject, first, clientId, isMasked }: Beginning): Promise<Begun> => {
  const { conversationId, messageId, question, context } = subject
  const conversation = (await lockConversation(tx, conversationId, ownOf(ctx))) ?? fail('NOT_FOUND')
  const present = await findAnswer(tx, { conversationId, clientId })
  if (present) return { ...answering(present), isNew: false }
  const { turnMessageId, isRunning } = conversation
  if (isRunning) fail('ASSISTANT_BUSY')
  if (turnMessageId !== null) await failTurn(tx, { conversationId, messageId: turnMessageId, error: INTERRUPTED })
  const { kind, model } = first.connected
  await insertTurn(tx, {
    conversationId,
    bootId: ctx.bootId,
    questionId: newId(),
    answerId: messageId,
    clientId,
    text: question,
    isMasked,
    context,
    title: titleOf(question),
    kind,
    model,
    now: ctx.now(),
  })
  return { messageId, model, isNew: true }
}

const MAX_TITLE = 60

/** The first words of the first message. */
const titleOf = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= MAX_TITLE) return line
  const cut = line.slice(0, MAX_TITLE).toWellFormed()
  const words = cut.slice(0, cut.lastIndexOf(' '))
  return `${words.length > MAX_TITLE / 2 ? words : cut}…`
}
