import type { Proposal, ProposalChange } from '@stoa/cms-model/assistant.ts'
import { isSameJson } from '@stoa/cms-model/entry-diff.ts'
import { canManageRole, type Role, roles } from '@stoa/cms-model/permissions.ts'
import { AppError } from '@stoa/kit/errors.ts'
import type { Ctx } from '../../context.ts'
import { appErrorOf, callRoute } from '../../people/call-route/call-route.ts'
import { type SessionPrincipal, scopeFor } from '../../principal.ts'
import { type PresentRecord, type RecordRef, readRecord, recordKinds, roleFor } from '../tools/tools.ts'
import { partOf, pathOf, type StoredProposal, type StoredRequest } from './record.ts'

/** The record of a request as it is now, or why it cannot be read. */
type Found = PresentRecord | AppError

/** A proposal as its owner sees it now: against the records as they are, with the rights that the person has. */
export const showProposal = async (ctx: Ctx<SessionPrincipal>, proposal: StoredProposal): Promise<Proposal> => {
  const isOpen = proposal.status === 'proposed'
  const found = isOpen ? await readRecords(ctx, proposal) : new Map<string, Found>()
  const missing = isOpen ? goneOf(proposal, found) : null
  const whyNot = isOpen ? whyNotOf(ctx, proposal, found) : null
  const compared = proposal.changes.map((change) => compare(proposal, found, change))
  return {
    id: proposal.id,
    conversationId: proposal.conversationId,
    messageId: proposal.messageId,
    tool: proposal.tool,
    title: proposal.title,
    reason: proposal.reason,
    status: missing ? 'failed' : proposal.status,
    applicable: isOpen && missing === null && whyNot === null,
    whyNot: missing ? null : whyNot,
    stale: isOpen && missing === null && isStale(ctx, proposal, found),
    risk: proposal.risk,
    verb: proposal.verb,
    warning: proposal.warning,
    target: proposal.target,
    changes: compared.map(({ change }) => change),
    requests: proposal.requests.map((request) => ({
      method: request.method,
      path: pathOf(request),
      body: request.body,
      version: request.version,
      current: currentOf(request, found),
      done: request.done,
    })),
    base: proposal.base,
    conflicts: compared.flatMap(({ change, isConflict }) => (isConflict ? [change.path] : [])),
    edited: proposal.isEdited,
    error: missing ?? proposal.error,
    createdAt: proposal.createdAt.toISOString(),
    appliedAt: proposal.appliedAt?.toISOString() ?? null,
    expiresAt: proposal.expiresAt.toISOString(),
  }
}

const currentOf = ({ record, done }: StoredRequest, found: ReadonlyMap<string, Found>): number | null => {
  const present = record && !done ? found.get(keyOf(record)) : undefined
  return present === undefined || present instanceof AppError ? null : present.version
}

export const GONE = { code: 'NOT_FOUND', message: 'The record was deleted' } as const

/** Whether the record is no longer there to be changed. What is taken out of the trash is in it. */
export const isGone = ({ route }: StoredRequest, found: Found): boolean => {
  if (found instanceof AppError) return found.code === 'NOT_FOUND'
  return found.isTrashed && route !== '/api/entries/:id/restore'
}

/** The records that the open requests change, and the record that a new one is based on, such as an entry's type. */
export const recordsOf = ({ base, requests }: StoredProposal): RecordRef[] => {
  const kind = recordKinds.find((each) => each === base.kind)
  const refs = requests.flatMap(({ record, done }) => (record && !done ? [record] : []))
  return [...refs, ...(kind !== undefined && base.id !== null ? [{ kind, id: base.id }] : [])]
}

const keyOf = ({ kind, id }: RecordRef): string => `${kind}/${id}`

/** The record of a request, as it is now. */
export const readPresent = async (ctx: Ctx<SessionPrincipal>, record: RecordRef): Promise<Found> => {
  try {
    return await readRecord({ ctx, call: (call) => callRoute(ctx, ctx.routes(), call) }, record)
  } catch (raised) {
    const refusal = appErrorOf(raised)
    // A failed read says nothing about the record.
    if (refusal.status >= 500) throw raised
    return refusal
  }
}

const readRecords = async (ctx: Ctx<SessionPrincipal>, proposal: StoredProposal): Promise<Map<string, Found>> => {
  const refs = new Map(recordsOf(proposal).map((ref) => [keyOf(ref), ref]))
  const found = new Map<string, Found>()
  for (const [key, ref] of refs) found.set(key, await readPresent(ctx, ref))
  return found
}

const goneOf = ({ requests }: StoredProposal, found: ReadonlyMap<string, Found>): Proposal['error'] => {
  const isMissing = requests.some((request) => {
    const record = request.record && !request.done ? found.get(keyOf(request.record)) : undefined
    return record !== undefined && isGone(request, record)
  })
  return isMissing ? GONE : null
}

const ARTICLES: { readonly [R in Role]: string } = {
  viewer: 'a viewer',
  author: 'an author',
  editor: 'an editor',
  admin: 'an admin',
  owner: 'an owner',
}

/** Why this person cannot apply it now; null when they can. */
const whyNotOf = (
  ctx: Ctx<SessionPrincipal>,
  proposal: StoredProposal,
  found: ReadonlyMap<string, Found>,
): string | null => {
  const { permission, requests, expiresAt } = proposal
  const { role } = ctx.principal.account
  if (expiresAt <= ctx.now()) return 'Expired. Ask the assistant again.'
  const scope = scopeFor(ctx.principal, permission)
  if (scope === null) return `Needs ${ARTICLES[roleFor(permission)]}`
  for (const { record, body, done } of requests) {
    const present = record && !done ? found.get(keyOf(record)) : undefined
    if (present === undefined) continue
    if (present instanceof AppError) return present.code === 'NOT_FOUND' ? GONE.message : present.message
    if (scope === 'own' && !present.isOwn) return `Needs ${ARTICLES[roleFor(permission)]}`
    const above = present.role && roles.find((each) => isNamed(each, present, body) && !canManageRole(role, each))
    if (above) return `Needs ${ARTICLES[above]}`
  }
  return null
}

/** The role that somebody has, or would get. */
const isNamed = (role: Role, present: PresentRecord, body: StoredRequest['body']): boolean =>
  role === present.role || role === body?.role

const isStale = (
  ctx: Ctx<SessionPrincipal>,
  { requests, base, expiresAt }: StoredProposal,
  found: ReadonlyMap<string, Found>,
): boolean => {
  if (expiresAt <= ctx.now()) return true
  const differs = (ref: RecordRef | null, version: number | null) => {
    const present = ref ? found.get(keyOf(ref)) : undefined
    return present !== undefined && !(present instanceof AppError) && version !== null && present.version !== version
  }
  const kind = recordKinds.find((each) => each === base.kind)
  const isMade = requests.some(({ record, done }) => record === null && !done)
  const isBaseOther = isMade && kind !== undefined && base.id !== null && differs({ kind, id: base.id }, base.version)
  return isBaseOther || requests.some(({ record, version, done }) => !done && differs(record, version))
}

/** A change against what is there now. Somebody may have made another one, or the same. */
const compare = (
  proposal: StoredProposal,
  found: ReadonlyMap<string, Found>,
  change: ProposalChange,
): { change: ProposalChange; isConflict: boolean } => {
  const part = partOf(proposal, change.path)
  const present = part?.request.record && !part.request.done ? found.get(keyOf(part.request.record)) : undefined
  if (!part || present === undefined || present instanceof AppError) return { change, isConflict: false }
  const now = present.valueAt(part.path, part.request.body) ?? null
  const isOther = part.request.isBehind === true || !isSameJson(now, change.before ?? null)
  const isConflict = isOther && !isSameJson(now, change.after ?? null)
  return { change: { ...change, before: now }, isConflict }
}
