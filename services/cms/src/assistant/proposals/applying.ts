import { AppError } from '@stoa/kit/errors.ts'
import type { Input } from '@stoa/kit/http/route.ts'
import { alongside, type CmsTx, type Ctx } from '../../context.ts'
import { fail, failFields } from '../../errors.ts'
import type { Route } from '../../people/access/access.ts'
import type { SessionPrincipal } from '../../principal.ts'
import { proposedRoutes } from '../tools/tools.ts'
import { isEditedBody, membersOf, refuseOtherMembers } from './body.ts'
import { findProposal, lockProposal, updateProposal } from './queries.ts'
import type { StoredProposal, StoredRequest } from './record.ts'
import { GONE, isGone, readPresent, recordsOf } from './showing.ts'

/** Names the proposal that a request makes true. */
export const PROPOSAL_HEADER = 'X-Assistant-Proposal'
const HEADER = PROPOSAL_HEADER.toLowerCase()

type Call = Input<never, never, never, never>

/** Wraps the routes: those that apply proposals accept the proposal header, all others refuse it. */
export const acceptProposals = (routes: readonly Route[]): readonly Route[] =>
  routes.map((route) => {
    const isProposed = proposedRoutes.has(`${route.method} ${route.path}`)
    const run = (ctx: Ctx, call: Call): unknown => {
      const id = call.request.header(HEADER)
      if (id === undefined) return route.run(ctx, call)
      return isProposed ? applyProposal(ctx, route, call, id) : refuseHeader("doesn't belong to this endpoint")
    }
    return { ...route, run }
  })

const refuseHeader = (message: string): never => failFields([{ key: PROPOSAL_HEADER, message }])

/** Does what the request says, and marks the proposal in the same transaction: both happen or neither. */
const applyProposal = async (ctx: Ctx, route: Route, call: Call, id: string): Promise<unknown> => {
  const person = personal(ctx)
  const proposal = await requireOpen(person, id)
  const index = requestFor(proposal, route, call)
  const request = proposal.requests[index] ?? refuseHeader('is for another record')
  if (call.request.raw.url?.includes('?')) refuseHeader("can't be combined with query parameters")
  const body: unknown = call.body
  refuseOtherMembers(request, body, route.body)
  await refuseMoved(person, proposal, request)
  const mark = (tx: CmsTx) => markDone(person, tx, { id, index, isEdited: isEditedBody(request, body, route.body) })
  const applying = alongside<Ctx['principal']>({ ...ctx, principal: { ...person.principal, via: 'assistant' } }, mark)
  try {
    const answer = await route.run(applying.ctx, { ...call, body: withVersion(request, call) as never })
    // A change that is already in place also counts as applied.
    if (!applying.isDone()) await ctx.tx(mark)
    return answer
  } catch (raised) {
    // An operation that wrote down why it failed has not done what was proposed.
    if (applying.isDone()) await ctx.tx((tx) => updateProposal(tx, id, proposal))
    if (raised instanceof AppError && raised.code === 'NOT_FOUND') await markFailed(person, id)
    throw raised
  }
}

const personal = (ctx: Ctx): Ctx<SessionPrincipal> => {
  const { principal } = ctx
  return principal.kind === 'session' ? { ...ctx, principal } : fail('AGENT_NOT_ALLOWED')
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const requireOpen = async (ctx: Ctx<SessionPrincipal>, id: string): Promise<StoredProposal> => {
  const found = UUID.test(id) ? await findProposal(ctx.db, { id, accountId: ctx.principal.account.id }) : null
  const proposal = found ?? fail('NOT_FOUND', { message: "This proposal doesn't exist" })
  if (proposal.status !== 'proposed') fail('PROPOSAL_CLOSED')
  if (proposal.expiresAt <= ctx.now())
    fail('PROPOSAL_STALE', { message: 'This proposal has expired. Ask the assistant again.' })
  return proposal
}

/** Which of its requests this is; a part that is done is not done again. */
const requestFor = ({ requests }: StoredProposal, route: Route, { params }: Call): number => {
  const matches = requests.map((request) => isRequest(request, route, params))
  const open = requests.findIndex(({ done }, index) => matches[index] && !done)
  if (open < 0 && matches.includes(true)) fail('PROPOSAL_CLOSED')
  return open
}

const isRequest = ({ method, route, params }: StoredRequest, asked: Route, given: unknown): boolean => {
  const sent = Object.entries(given ?? {})
  const isSame = sent.length === Object.keys(params).length && sent.every(([name, value]) => params[name] === value)
  return method === asked.method && route === asked.path && isSame
}

/** Refuses a change of a deleted record, and a new record whose basis has changed since the model read it. */
const refuseMoved = async (
  ctx: Ctx<SessionPrincipal>,
  proposal: StoredProposal,
  request: StoredRequest,
): Promise<void> => {
  if (request.record) {
    if (!isGone(request, await readPresent(ctx, request.record))) return
    await markFailed(ctx, proposal.id)
    fail('NOT_FOUND', { message: GONE.message })
  }
  for (const ref of recordsOf(proposal)) {
    const present = await readPresent(ctx, ref)
    if (present instanceof AppError || present.version !== proposal.base.version) fail('PROPOSAL_STALE')
  }
}

/** Without a version in the request, the version that the proposal was made for applies. */
const withVersion = ({ version }: StoredRequest, { request, body }: Call): unknown => {
  const given = membersOf(body)
  const isGiven = given.version !== undefined || request.header('if-match') !== undefined
  return version === null || isGiven ? body : { ...given, version }
}

type Done = { id: string; index: number; isEdited: boolean }

/** In the transaction of the change; a quicker transaction has changed the status. */
const markDone = async (ctx: Ctx<SessionPrincipal>, tx: CmsTx, { id, index, isEdited }: Done): Promise<void> => {
  const proposal = await lockProposal(tx, { id, accountId: ctx.principal.account.id })
  if (proposal?.status !== 'proposed' || proposal.requests[index]?.done !== false) return fail('PROPOSAL_CLOSED')
  const made = tx.changes.findLast(({ data }) => typeof data.id === 'string')?.data.id
  const requests = proposal.requests.map((request, at) =>
    at === index ? { ...request, done: true } : at > index ? withMade(request, made) : request,
  )
  const isWhole = requests.every(({ done }) => done)
  await updateProposal(tx, id, {
    requests,
    status: isWhole ? 'applied' : 'proposed',
    isEdited: proposal.isEdited || isEdited,
    error: null,
    appliedAt: isWhole ? ctx.now() : null,
  })
}

/** A later request may be about what an earlier one has made. */
const withMade = (request: StoredRequest, made: unknown): StoredRequest => {
  const isAboutIt = request.route.includes('/:id') && !Object.hasOwn(request.params, 'id')
  return isAboutIt && typeof made === 'string' ? { ...request, params: { ...request.params, id: made } } : request
}

const markFailed = (ctx: Ctx<SessionPrincipal>, id: string): Promise<void> =>
  ctx.tx(async (tx) => {
    const proposal = await lockProposal(tx, { id, accountId: ctx.principal.account.id })
    if (proposal?.status === 'proposed') await updateProposal(tx, id, { ...proposal, status: 'failed', error: GONE })
  })
