import type { MailDb } from '../handles.ts'
import { keywordsSql, unreadMessageSql, viewerStatement } from '../mailbox/viewer-queries.ts'

export type SelectionRow = {
  modseq: number
  highestModseq: number
  uidValidity: number
  uidNext: number
  uids: string | null
}

/** Of its messages and of those that were expunged; a folder without any has the one it was made with. */
const HIGHEST = `greatest(f.created_modseq,
  (select max(modseq) from message_folder where address_id = $1 and folder_id = $2),
  (select max(modseq) from expunged where address_id = $1 and folder_id = $2))`

/** UIDs as one text: a hundred thousand rows would take ten times as long. */
export const findSelection = async (
  db: MailDb,
  { addressId, folderId }: { addressId: string; folderId: string },
): Promise<SelectionRow | undefined> => {
  const [row] = await db.query<SelectionRow>({
    name: 'store-find-selection',
    text: `select b.modseq, f.uid_validity as "uidValidity", f.uid_next as "uidNext", ${HIGHEST} as "highestModseq",
        (select string_agg(uid::text, ',' order by uid) from message_folder where address_id = $1 and folder_id = $2) as uids
      from mailbox b join folder f on f.address_id = b.address_id
      where b.address_id = $1 and f.id = $2`,
    values: [addressId, folderId],
  })
  return row
}

export type DeltaRow = {
  modseq: number
  floor: number
  isThere: boolean
  expunged: string | null
  entries: { uid: number; modseq: number; deleted: boolean; keywords: string[] }[] | null
}

/**
 * What happened in a folder since two moments: for flags and new messages, and for what was expunged (null: not asked).
 * `offset 0` keeps PostgreSQL from walking through all UIDs in place of the few that changed.
 */
export const findDelta = async (
  db: MailDb,
  input: {
    addressId: string
    viewerId: string | null
    folderId: string
    since: number
    expungedSince: number | null
    afterUid: number
    limit: number
  },
): Promise<DeltaRow | undefined> => {
  const [row] = await db.query<DeltaRow>(
    viewerStatement(input.viewerId, {
      name: 'store-find-delta',
      text: (viewer) => `select b.modseq, b.floor,
          exists (select from folder where address_id = $1 and id = $2) as "isThere",
          (select string_agg(uid::text, ',' order by uid) from expunged
            where address_id = $1 and folder_id = $2 and modseq > $4) as expunged,
          (select json_agg(e) from (
            select p.uid, p.modseq, p.deleted, ${keywordsSql('m', viewer)} as keywords
            from (
              select uid, modseq, deleted, message_id from message_folder
              where address_id = $1 and folder_id = $2 and modseq > $3 offset 0
            ) p join message m on m.address_id = $1 and m.id = p.message_id
            where p.uid > $5 order by p.uid limit $6
          ) e) as entries
        from mailbox b where b.address_id = $1`,
      values: [input.addressId, input.folderId, input.since, input.expungedSince, input.afterUid, input.limit],
    }),
  )
  return row
}

/** The lowest UID of a message that was not read, looked for among those that were not read, or in the order of UIDs. */
export const findFirstUnread = async (
  db: MailDb,
  {
    addressId,
    viewerId,
    folderId,
    isRare,
  }: { addressId: string; viewerId: string | null; folderId: string; isRare: boolean },
): Promise<number | null> => {
  const [row] = await db.query<{ uid: number | null }>(
    viewerStatement(viewerId, {
      name: isRare ? 'store-find-first-unread-rare' : 'store-find-first-unread',
      text: (viewer) =>
        isRare
          ? `select min(p.uid) as uid from message m join message_folder p
              on p.address_id = m.address_id and p.message_id = m.id
            where m.address_id = $1 and p.folder_id = $2 and ${unreadMessageSql('m', viewer)}`
          : `select p.uid from message_folder p join message m on m.address_id = p.address_id and m.id = p.message_id
            where p.address_id = $1 and p.folder_id = $2 and ${unreadMessageSql('m', viewer)} order by p.uid limit 1`,
      values: [addressId, folderId],
    }),
  )
  return row?.uid ?? null
}
