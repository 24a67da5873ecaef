import type { Proposal, ToolStep, TurnEvent } from '@stoa/cms-model/assistant.ts'
import type { Ctx } from '../../context.ts'
import type { SessionPrincipal } from '../../principal.ts'
import { type StoredProposal, showProposal, storeProposal } from '../proposals/proposals.ts'
import type { ToolCall, ToolResult } from '../providers/providers.ts'
import { createReach, labelOf, type ProposalDraft, runTool } from '../tools/tools.ts'
import { toolEvent } from './progress.ts'
import { listQuestions } from './queries.ts'
import { lockTurn, saveProgress } from './queries-turn.ts'
import type { Turn } from './turn.ts'
import { TurnEnding } from './turns.ts'

const MAX_CALLS = 8
const MAX_PROPOSALS = 20
/** Names that the person mentioned are only looked for in this many questions. */
const MAX_QUESTIONS = 500

type Person = Ctx<SessionPrincipal>

/** Does what the model asked for in one step, one call after the other, and says what came of each. */
export const runCalls = async (turn: Turn, ctx: Person, calls: readonly ToolCall[]): Promise<ToolResult[]> => {
  const results: ToolResult[] = []
  for (const [index, call] of calls.entries()) results.push(await runCall(turn, ctx, call, index))
  return results
}

const runCall = async (turn: Turn, ctx: Person, call: ToolCall, index: number): Promise<ToolResult> => {
  if (turn.signal.aborted) return refusal(call, 'stopped', 'Not run: the turn was ended first')
  if (index >= MAX_CALLS)
    return refusal(call, 'too_many_calls', `Not run: only ${MAX_CALLS} calls a step. Call it again in the next step`)
  const { name: tool } = call
  const callId = turn.callIdFor(call.id)
  const step: ToolStep = { callId, tool, state: 'running', label: labelOf(call), summary: null }
  turn.progress.addTool(step)
  turn.emit(toolEvent(step))
  const done = await perform(turn, ctx, call, callId)
  const ended: ToolStep = { ...step, state: done.state, label: done.label, summary: done.summary }
  turn.progress.endTool(ended)
  turn.emit(toolEvent(ended))
  if (done.event) turn.emit(done.event)
  return { callId: call.id, name: tool, content: done.content, isError: done.state === 'error' }
}

type Done = Pick<ToolStep, 'label' | 'summary'> & { state: 'ok' | 'error'; content: string; event?: TurnEvent }

const perform = async (turn: Turn, ctx: Person, call: ToolCall, callId: string): Promise<Done> => {
  const reach = createReach(ctx, ctx.routes(), turn.subject.versions)
  const { outcome, ...done } = await runTool(reach, call)
  if (outcome?.kind === 'navigate') {
    const { screen, id } = outcome
    return { ...done, event: { event: 'navigate', data: { screen, ...(id !== undefined && { id }) } } }
  }
  if (outcome?.kind !== 'proposal') return done
  if (turn.progress.proposals().length >= MAX_PROPOSALS) {
    const error = `Not proposed: only ${MAX_PROPOSALS} proposals a turn. Sum up, and go on when the person asks for more`
    return { ...done, state: 'error', summary: error, content: JSON.stringify({ error, code: 'too_many_proposals' }) }
  }
  const proposal = await propose(turn, ctx, { call, callId, draft: outcome.draft })
  const content = JSON.stringify({ proposalId: proposal.id, ...JSON.parse(done.content) })
  return { ...done, content, event: { event: 'proposal', data: { proposal } } }
}

/** Stored together with the turn's own record of it, and only while the turn is ours. */
const propose = async (
  { subject, holder, progress, saver }: Turn,
  ctx: Person,
  { call, callId, draft }: { call: ToolCall; callId: string; draft: ProposalDraft },
): Promise<Proposal> => {
  const { conversationId, messageId } = subject
  const made: { proposal: StoredProposal | null } = { proposal: null }
  await saver.save(async (tx) => {
    // A transaction may be tried again, and find out only then.
    made.proposal = null
    if (!(await lockTurn(tx, holder))) return null
    made.proposal = await storeProposal(ctx, tx, {
      conversationId,
      messageId,
      callId,
      accountId: ctx.principal.account.id,
      tool: call.name,
      args: call.args,
      draft,
      userTexts: await listQuestions(tx, conversationId, MAX_QUESTIONS),
    })
    return saveProgress(tx, { ...holder, ...progress.stored(made.proposal.id) })
  })
  if (made.proposal === null) throw new TurnEnding('lost')
  progress.addProposal(made.proposal.id)
  return showProposal(ctx, made.proposal)
}

const refusal = ({ id, name }: ToolCall, code: string, error: string): ToolResult => ({
  callId: id,
  name,
  content: JSON.stringify({ error, code }),
  isError: true,
})
