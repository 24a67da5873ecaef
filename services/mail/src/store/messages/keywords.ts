import type { MailTx } from '../handles.ts'
import { openMailbox } from '../mailbox/mailbox.ts'
import { refuse } from '../refusal.ts'
import { type KeywordChange, type KeywordResult, updateKeywords, updateViewedKeywords } from './keyword-queries.ts'
import { MAX_KEYWORDS, normaliseKeywords } from './keyword-rules.ts'
import { checkNumber } from './removal.ts'

export type ChangeKeywords = {
  addressId: string
  /** Who changes them, if it is not the owner: `$seen` is theirs, all others are shared. */
  viewerId?: string | null
  messageIds: readonly string[]
  add?: readonly string[]
  remove?: readonly string[]
  /** Exactly these, instead of adding and removing. */
  replace?: readonly string[]
  unchangedSince?: number
}

export type ChangedKeywords = {
  modseq: number
  /** With the keywords that they have now. */
  updated: Map<string, string[]>
  unchanged: string[]
  /** Changed after `unchangedSince`, and left alone. */
  modified: string[]
  notFound: string[]
}

/** Changes keywords of messages, which are the same in every folder; `too_many` leaves all as they are. */
export const changeKeywords = async (tx: MailTx, input: ChangeKeywords): Promise<ChangedKeywords> => {
  checkNumber(input.messageIds)
  const messageIds = [...new Set(input.messageIds)]
  const add = normaliseKeywords(input.add ?? [])
  const box = await openMailbox(tx, input.addressId)
  const change: KeywordChange = {
    messageIds,
    replacement: input.replace ? normaliseKeywords(input.replace) : null,
    add,
    remove: normaliseKeywords(input.remove ?? []).filter((keyword) => !add.includes(keyword)),
    maxKeywords: MAX_KEYWORDS,
    unchangedSince: input.unchangedSince ?? null,
  }
  const { viewerId = null } = input
  const rows = await (viewerId === null
    ? updateKeywords(tx, box, change)
    : updateViewedKeywords(tx, box, { ...withoutSeen(change), viewerId, isSeen: wantsSeen(change) }))
  const having = (outcome: KeywordResult['outcome']) => rows.filter((row) => row.outcome === outcome)
  if (having('full').length > 0) refuse('too_many', `a message has at most ${MAX_KEYWORDS} keywords`)
  const updated = having('changed')
  if (updated.length > 0) box.told('message', 'folder_counts')
  const known = new Set(rows.map(({ id }) => id))
  return {
    modseq: box.modseq,
    updated: new Map(updated.map(({ id, keywords }) => [id, keywords])),
    unchanged: having('same').map(({ id }) => id),
    modified: having('modified').map(({ id }) => id),
    notFound: messageIds.filter((id) => !known.has(id)),
  }
}

const SEEN = '$seen'

/** Null: neither. */
const wantsSeen = ({ replacement, add, remove }: KeywordChange): boolean | null => {
  if (replacement) return replacement.includes(SEEN)
  if (add.includes(SEEN)) return true
  return remove.includes(SEEN) ? false : null
}

const withoutSeen = (change: KeywordChange): KeywordChange => {
  const others = (keywords: readonly string[]) => keywords.filter((keyword) => keyword !== SEEN)
  const { replacement, add, remove } = change
  return { ...change, replacement: replacement && others(replacement), add: others(add), remove: others(remove) }
}
