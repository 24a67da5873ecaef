import type { Proposal } from '@stoa/cms-model/assistant.ts'
import type { CmsDb, Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import type { SessionPrincipal } from '../../principal.ts'
import { findProposal, listOfConversation, listOwn, lockProposal, updateProposal } from './queries.ts'
import type { StoredProposal } from './record.ts'
import { showProposal } from './showing.ts'

export type { StoredProposal } from './record.ts'
export { showProposal } from './showing.ts'
export { storeProposal } from './storing.ts'

/** More are not looked through. */
const MAX_LISTED = 100

const ownerOf = (ctx: Ctx<SessionPrincipal>): string => ctx.principal.account.id

/** Own ones, the newest first; or only those that wait for a decision. */
export const listProposals = async (
  ctx: Ctx<SessionPrincipal>,
  { open }: { open: boolean },
): Promise<{ items: Proposal[] }> => {
  const openAt = open ? ctx.now() : null
  const items = await showAll(ctx, await listOwn(ctx.db, { accountId: ownerOf(ctx), openAt, limit: MAX_LISTED }))
  return { items: open ? items.filter(({ status }) => status === 'proposed') : items }
}

/** The proposals of a conversation, oldest first. The caller has checked whose conversation it is. */
export const listConversationProposals = async (
  ctx: Ctx<SessionPrincipal>,
  conversationId: string,
): Promise<Proposal[]> => showAll(ctx, await listOfConversation(ctx.db, conversationId))

const showAll = async (ctx: Ctx<SessionPrincipal>, proposals: readonly StoredProposal[]): Promise<Proposal[]> => {
  const shown: Proposal[] = []
  // One after the other: a tray must not take all connections.
  for (const proposal of proposals) shown.push(await showProposal(ctx, proposal))
  return shown
}

export const getProposal = async (ctx: Ctx<SessionPrincipal>, id: string): Promise<Proposal> =>
  showProposal(ctx, await requireProposal(ctx, ctx.db, id))

/** Decides against it. A second time changes nothing. */
export const dismissProposal = (ctx: Ctx<SessionPrincipal>, id: string): Promise<void> =>
  ctx.tx(async (tx) => {
    const proposal = (await lockProposal(tx, { id, accountId: ownerOf(ctx) })) ?? fail('NOT_FOUND')
    if (proposal.status === 'dismissed') return
    if (proposal.status !== 'proposed') fail('PROPOSAL_CLOSED')
    await updateProposal(tx, id, { ...proposal, status: 'dismissed' })
  })

const requireProposal = async (ctx: Ctx<SessionPrincipal>, db: CmsDb, id: string): Promise<StoredProposal> =>
  (await findProposal(db, { id, accountId: ownerOf(ctx) })) ?? fail('NOT_FOUND')
