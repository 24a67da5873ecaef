import type { Ctx } from '../../context.ts'
import { senderWarnings, type Warning } from '../../formats/trust/trust.ts'
import { signInOf } from '../../principal.ts'
import type { WholeMessage } from '../../store/store.ts'
import type { Findings } from './findings.ts'
import { findCircle } from './trust-queries.ts'

/** Reasons to look twice at a message: who claims to have sent it, and where its links lead. */
export const warningsOf = async (
  ctx: Ctx,
  { envelope: { from }, keywords }: WholeMessage,
  { results, links, isList }: Findings,
): Promise<Warning[]> => {
  const [sender] = from
  const { id: addressId, accountId, email } = signInOf(ctx).address
  const isOwn = keywords.includes('$draft') || sender?.email.toLowerCase() === email
  if (!sender || isOwn) return [...links]
  const isVerifiedList = isList && results?.dmarc.result === 'pass'
  const circle = await findCircle(ctx.db, { addressId, accountId })
  return [...senderWarnings({ from: sender, isVerifiedList }, circle), ...links]
}
