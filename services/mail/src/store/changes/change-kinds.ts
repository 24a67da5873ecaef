import type { MailDb } from '../handles.ts'
import type { ChangeKind } from '../mailbox/mailbox.ts'
import { CHANGE_KINDS, findKindsSince } from './change-kinds-queries.ts'

export type KindsSince = {
  /** How far the mailbox is now. */
  modseq: number
  kinds: ReadonlySet<ChangeKind>
  /** Messages came. */
  hasNewMessages: boolean
}

/**
 * Of which kinds something changed since a modseq; all of them if that was forgotten or never was. Null without a
 * mailbox.
 */
export const kindsSince = async (db: MailDb, addressId: string, since: number): Promise<KindsSince | null> => {
  const row = await findKindsSince(db, addressId, since)
  if (!row) return null
  const isKnown = since >= row.floor && since <= row.modseq
  return isKnown
    ? { ...row, kinds: new Set(row.kinds) }
    : { modseq: row.modseq, kinds: new Set(CHANGE_KINDS), hasNewMessages: true }
}
