import { newId } from '@stoa/kit/ids.ts'
import type { CmsTx, Ctx } from '../../context.ts'
import type { Json } from '../../people/call-route/call-route.ts'
import type { ProposalDraft } from '../tools/tools.ts'
import { insertProposal, lockOpenOf, supersede } from './queries.ts'
import { partOf, pathOf, type StoredProposal } from './record.ts'

const LIFE_MS = 7 * 86_400_000

export type NewProposalInput = {
  readonly conversationId: string
  readonly messageId: string
  readonly callId: string
  readonly accountId: string
  readonly tool: string
  readonly args: Json
  readonly draft: ProposalDraft
  /** Everything that the person wrote in this conversation. */
  readonly userTexts: readonly string[]
}

/** Keeps what a tool proposes. It takes the place of open ones in the same conversation that change the same. */
export const storeProposal = async (
  ctx: Pick<Ctx, 'now'>,
  tx: CmsTx,
  { draft: { anchors, requests, ...draft }, userTexts, ...given }: NewProposalInput,
): Promise<StoredProposal> => {
  const at = ctx.now()
  const stored = { ...draft, requests: requests.map((request) => ({ ...request, done: false })) }
  const changed = new Set(touchedBy({ ...stored, tool: given.tool }))
  const open = await lockOpenOf(tx, given.conversationId)
  const older = open.filter((proposal) => touchedBy(proposal).some((place) => changed.has(place)))
  if (older.length > 0)
    await supersede(
      tx,
      older.map(({ id }) => id),
    )
  return insertProposal(tx, {
    ...given,
    ...stored,
    id: newId(),
    warning: warningFor(anchors, userTexts),
    createdAt: at,
    expiresAt: new Date(at.getTime() + LIFE_MS),
  })
}

type Touching = Pick<StoredProposal, 'tool' | 'requests' | 'changes' | 'target'>

/** Every record that a proposal would change. New records are identified by their name. */
const touchedBy = (proposal: Touching): string[] =>
  proposal.changes.flatMap((change) => {
    const part = partOf(proposal, change.path)
    if (part === null || part.request.done) return []
    const { record } = part.request
    const made = () => [proposal.tool, pathOf(part.request), proposal.target.label]
    return [JSON.stringify([...(record ? [record.kind, record.id] : made()), part.path])]
  })

/** A name that the person did not write came from content the model read, and may be somebody else's wish. */
const warningFor = (anchors: readonly string[] | null, userTexts: readonly string[]): string | null => {
  if (anchors === null || anchors.some((anchor) => userTexts.some((text) => names(text, anchor)))) return null
  return `Suggested by content, not by you: you didn't mention ${anchors[0] ?? 'this'} in this conversation.`
}

/** Whether the text has the anchor as a whole word, in any case, and not as a part of another host's name. */
const names = (text: string, anchor: string): boolean => {
  const words = text.toLowerCase()
  const wanted = anchor.toLowerCase().trim()
  if (wanted === '') return false
  for (let at = words.indexOf(wanted); at >= 0; at = words.indexOf(wanted, at + 1))
    if (!WORD_BEFORE.test(words.slice(Math.max(0, at - 4), at)) && !WORD_AFTER.test(words.slice(at + wanted.length)))
      return true
  return false
}

const WORD_BEFORE = /[\p{L}\p{N}][.-]?$/u
const WORD_AFTER = /^[.-]?[\p{L}\p{N}]/u
