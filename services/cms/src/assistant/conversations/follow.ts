import { setTimeout as sleep } from 'node:timers/promises'
import type { Proposal, TurnEvent, TurnPart } from '@stoa/cms-model/assistant.ts'
import type { EventStream } from '@stoa/kit/http/sse.ts'
import type { Ctx } from '../../context.ts'
import type { SessionPrincipal } from '../../principal.ts'
import { listConversationProposals } from '../proposals/proposals.ts'
import { endDeadTurn } from './dead-turns.ts'
import { conversationGone, endEvent, proposalsOf, toolEvent } from './progress.ts'
import { findTurn } from './queries.ts'

/** How often a turn of another process is looked at; it writes twice a second. */
const LOOK_MS = 250

/** Streams the turn of a message to a reader, whichever process runs it, and also when it has ended. */
export const followTurn = (
  ctx: Ctx<SessionPrincipal>,
  stream: EventStream,
  turn: { conversationId: string; messageId: string; model: string },
): void => {
  const running = ctx.turns.find(turn.messageId)
  const events = running ? running.feed.read(stream.signal) : readStoredTurn(ctx, turn, stream.signal)
  sendEvents(stream, events)
    // Without `done` or `error` the reader knows that the line was cut.
    .catch((error: unknown) => {
      if (!stream.signal.aborted) ctx.log.error({ err: error }, 'a turn could not be followed')
    })
    .finally(() => stream.end())
}

const sendEvents = async (stream: EventStream, events: AsyncIterable<TurnEvent>): Promise<void> => {
  let seq = 0
  for await (const { event, data } of events) {
    seq += 1
    await stream.send({ event, id: String(seq), data: JSON.stringify(data) })
  }
}

/** A turn as the database has it: from its beginning, and for as long as another process works on it. */
async function* readStoredTurn(
  ctx: Ctx<SessionPrincipal>,
  { conversationId, messageId, model }: { conversationId: string; messageId: string; model: string },
  signal: AbortSignal,
): AsyncGenerator<TurnEvent> {
  yield { event: 'start', data: { messageId, conversationId, model } }
  const sent: SentParts = []
  while (!signal.aborted) {
    const found = await findTurn(ctx.db, { messageId, bootId: ctx.bootId })
    if (found === null) return yield conversationGone(messageId)
    yield* newEvents(ctx, { conversationId, messageId }, found.message.parts, sent)
    const end = endEvent(found.message)
    if (end !== null) return yield end
    if (found.isRunning) await sleep(LOOK_MS, undefined, { signal })
    else await endDeadTurn(ctx, conversationId)
  }
}

/** What was sent of each part: characters of text, the state of a tool. */
type SentParts = (number | string)[]

async function* newEvents(
  ctx: Ctx<SessionPrincipal>,
  { conversationId, messageId }: { conversationId: string; messageId: string },
  parts: readonly TurnPart[],
  sent: SentParts,
): AsyncGenerator<TurnEvent> {
  let proposals: Map<string, Proposal> | undefined
  const wanted = proposalsOf(parts)
  for (const [at, part] of parts.entries()) {
    if (part.kind === 'text') {
      const delta = part.text.slice(Number(sent[at] ?? 0))
      if (delta !== '') yield { event: 'text', data: { messageId, delta } }
      sent[at] = part.text.length
    } else if (part.kind === 'tool') {
      if (sent[at] !== part.state) yield toolEvent(part)
      sent[at] = part.state
    } else if (sent[at] === undefined) {
      proposals ??= await proposalsById(ctx, conversationId, wanted)
      const proposal = proposals.get(part.proposalId)
      if (proposal) yield { event: 'proposal', data: { proposal } }
      sent[at] = 'sent'
    }
  }
}

const proposalsById = async (
  ctx: Ctx<SessionPrincipal>,
  conversationId: string,
  wanted: readonly string[],
): Promise<Map<string, Proposal>> => {
  const all = await listConversationProposals(ctx, conversationId)
  return new Map(all.filter(({ id }) => wanted.includes(id)).map((proposal) => [proposal.id, proposal]))
}
