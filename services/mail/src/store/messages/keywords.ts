import { MERGED_CHANGE } from '../changes/change-queries.ts'
import type { MailTx } from '../handles.ts'
import { type MailboxWrite, openMailbox } from '../mailbox/mailbox.ts'
import { viewedSql, withSeenSql } from '../mailbox/viewer-queries.ts'
import { refuse } from '../refusal.ts'
import { hidden } from './hidden.ts'
import { MAX_KEYWORDS, normaliseKeywords, unreadSql } from './keyword-rules.ts'
import { checkNumber } from './removal.ts'

export type ChangeKeywords = {
  addressId: string
  /** The viewer who changes them, if it is not the owner: `$seen` is per viewer, all others are shared. */
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
  if (having('full').length > 0) refuse('too_many', `a message can have up to ${MAX_KEYWORDS} keywords`)
  const updated = having('changed')
  if (updated.length > 0) box.notify('message', 'folder_counts')
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

type KeywordChange = {
  messageIds: readonly string[]
  /** Instead of what they have; `add` and `remove` are empty then. */
  replacement: readonly string[] | null
  add: readonly string[]
  /** None of those to add. */
  remove: readonly string[]
  maxKeywords: number
  /** Messages that changed later are left alone (RFC 7162 §3.1.3). */
  unchangedSince: number | null
}

type KeywordResult = { id: string; outcome: 'changed' | 'same' | 'modified' | 'full'; keywords: string[] }

/** Changes keywords of messages, with the unread counts of every folder they are in; returns the result of each. */
const updateKeywords = (tx: MailTx, box: MailboxWrite, change: KeywordChange): Promise<KeywordResult[]> =>
  tx.query<KeywordResult>({
    name: 'store-update-keywords',
    text: OWNER_UPDATE,
    values: valuesOf(box, change),
  })

/**
 * The same for a viewer: `$seen` is a mark of theirs, and the owner's stays in every case. Nothing is found once the mailbox
 * is not shared with them any more.
 */
const updateViewedKeywords = (
  tx: MailTx,
  box: MailboxWrite,
  /** `isSeen`: null leaves it as it is; the other members have no `$seen`. */
  { viewerId, isSeen, ...change }: KeywordChange & { viewerId: string; isSeen: boolean | null },
): Promise<KeywordResult[]> =>
  tx.query<KeywordResult>({
    name: 'store-update-keywords-viewed',
    text: VIEWER_UPDATE,
    values: [...valuesOf(box, change), viewerId, isSeen],
  })

const valuesOf = (box: MailboxWrite, change: KeywordChange): unknown[] => [
  box.addressId,
  box.modseq,
  change.messageIds,
  change.replacement,
  change.add,
  change.remove,
  change.maxKeywords,
  change.unchangedSince,
]

/** The parts of the statement that differ for viewers: expressions on `m`, `old` and `new`, or more steps. */
type Variant = {
  replacement: string
  columns: string
  share: string
  isSame: string
  recounts: string
  steps: string
  keywords: string
}

const ADDRESS = hidden('$1::uuid')

// Collated by bytes, as JavaScript sorts. IDs come from a query so that PostgreSQL doesn't plan anew for each number of them;
// keys are named twice because a plan from a nearly empty table would read the whole mailbox for the join.
const updateSql = (variant: Variant): string => `with named as materialized (
    select m.id, m.thread_id, m.modseq, m.keywords as old, case when $4::text[] is not null then ${variant.replacement}
      else array(
        select distinct keyword collate "C" from unnest(m.keywords || $5::text[]) keyword
        where keyword <> all($6::text[]) order by 1
      ) end as new ${variant.columns}
    from message m ${variant.share} where m.address_id = ${ADDRESS} and m.id = any(array(select unnest($3::uuid[])))
  ), target as materialized (
    select *, case when $8::bigint is not null and modseq > $8 then 'modified'
      when ${variant.isSame} then 'same' when cardinality(new) > $7::int then 'full' else 'changed' end as outcome
    from named
  ), changed as materialized (
    select *, (${unreadSql('new')})::int - (${unreadSql('old')})::int as gain, ${variant.recounts} as recounts
    from target where outcome = 'changed'
  ), messages as (
    update message m set keywords = c.new, modseq = $2 from changed c
    where m.address_id = ${ADDRESS} and m.id = c.id and m.id = any(array(select id from changed))
  ), ${variant.steps} places as (
    update message_folder p set modseq = $2 from changed c
    where p.address_id = ${ADDRESS} and p.message_id = c.id and p.message_id = any(array(select id from changed))
    returning p.folder_id, c.id, c.thread_id, c.gain, c.recounts, p.deleted
  ), delta as materialized (
    select folder_id, thread_id, sum(gain)::int as gain from places
    where not deleted group by folder_id, thread_id having sum(gain) <> 0 or bool_or(recounts)
  ), thread_counted as (
    update folder_thread t set unread = t.unread + d.gain from delta d
    where t.address_id = ${ADDRESS} and t.folder_id = d.folder_id and t.thread_id = d.thread_id
      and t.folder_id = any(array(select folder_id from delta)) and t.thread_id = any(array(select thread_id from delta))
    returning t.folder_id, d.gain, (t.unread > 0)::int - (t.unread - d.gain > 0)::int as threads
  ), folder_counted as (
    update folder f set unread = f.unread + s.gain, unread_threads = f.unread_threads + s.threads, counts_modseq = $2
    from (
      select folder_id, sum(gain)::int as gain, sum(threads)::int as threads from thread_counted group by folder_id
    ) s where f.address_id = ${ADDRESS} and f.id = s.folder_id
    returning f.id
  ), changes as (
    insert into change (address_id, kind, modseq, object_id, op)
    select distinct $1::uuid, 'message', $2::bigint, id, 'updated' from places where not deleted
    union all
    select $1, 'folder_counts', $2, id, 'updated' from folder_counted
    ${MERGED_CHANGE}
  )
  select id, outcome, ${variant.keywords} as keywords from target`

/** Not unread for the owner before and after, but perhaps for others who count. */
const DRAFT_CHANGES = `(new @> '{$draft}'::text[]) <> (old @> '{$draft}'::text[])`
const SHARED_NOW = `case when outcome = 'changed' then new else old end`

const OWNER_UPDATE = updateSql({
  replacement: '$4::text[]',
  columns: '',
  share: '',
  isSame: 'new = old',
  recounts: DRAFT_CHANGES,
  steps: '',
  keywords: SHARED_NOW,
})

const VIEWER_UPDATE = updateSql({
  replacement: `case when m.keywords @> '{$seen}'::text[] then ${withSeenSql('$4::text[]')} else $4::text[] end`,
  columns: `, ${viewedSql('m', '$9')} as was_seen, coalesce($10::boolean, ${viewedSql('m', '$9')}) as is_seen`,
  share: 'join share on share.address_id = $1 and share.with_address_id = $9',
  isSame: 'new = old and is_seen = was_seen',
  recounts: `is_seen <> was_seen or ${DRAFT_CHANGES}`,
  steps: `marked as (
    insert into viewed (address_id, viewer_id, message_id) select $1, $9, id from changed where is_seen and not was_seen
  ), unmarked as (
    delete from viewed v using changed c
    where v.address_id = $1 and v.viewer_id = $9 and v.message_id = c.id and not c.is_seen
  ),`,
  keywords: `case when case when outcome = 'changed' then is_seen else was_seen end
    then ${withSeenSql(`array_remove(${SHARED_NOW}, '$seen')`)} else array_remove(${SHARED_NOW}, '$seen') end`,
})
