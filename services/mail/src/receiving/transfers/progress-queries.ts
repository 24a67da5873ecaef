import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { FolderRole } from '../../store/store.ts'
import type { Tables } from '../../tables.ts'
import type { PlannedFolder } from './folders.ts'

/** A folder of the source and how far it is copied. */
export type FolderProgress = {
  ordinal: number
  path: string
  targetPath: string
  role: FolderRole | null
  uidValidity: number | null
  lastUid: number
  messages: number
  isRest: boolean
}

export const insertPlan = async (
  tx: Tx<Tables>,
  { id, folders, firstModseq }: { id: string; folders: readonly PlannedFolder[]; firstModseq: number },
): Promise<void> => {
  await tx.query({
    text: `insert into transfer_folder (transfer_id, ordinal, path, target_path, role, messages, is_rest)
      select $1, nth, path, target_path, role, messages, is_rest
      from unnest($2::text[], $3::text[], $4::text[], $5::int[], $6::boolean[]) with ordinality
        as f (path, target_path, role, messages, is_rest, nth)`,
    values: [
      id,
      folders.map(({ path }) => path),
      folders.map(({ targetPath }) => targetPath),
      folders.map(({ role }) => role),
      folders.map(({ messages }) => messages),
      folders.map(({ isRest }) => isRest),
    ],
  })
  await tx.query({
    text: `update transfer set folders_total = $2, messages_total = $3, first_modseq = $4, attempts = 0, error = null
      where id = $1`,
    values: [id, folders.length, folders.reduce((sum, { messages }) => sum + messages, 0), firstModseq],
  })
}

/** Folders that are not finished, in their order. */
export const listFolderProgress = (db: Db<Tables>, id: string): Promise<FolderProgress[]> =>
  db.query<FolderProgress>({
    text: `select ordinal, path, target_path as "targetPath", role, uid_validity as "uidValidity", last_uid as "lastUid",
        messages, is_rest as "isRest"
      from transfer_folder where transfer_id = $1 and not done order by ordinal`,
    values: [id],
  })

type Beginning = {
  id: string
  folder: FolderProgress
  uidValidity: number
  /** How many there turned out to be, if it begins at its first. */
  messages?: number
}

/** Records which folder is being copied, and where its UIDs begin. */
export const beginFolder = async (
  tx: Tx<Tables>,
  { id, folder, uidValidity, messages = folder.messages }: Beginning,
): Promise<void> => {
  await tx.query({
    text: `with at as (
        update transfer_folder set uid_validity = $3, last_uid = case when uid_validity = $3 then last_uid else 0 end,
          messages = $5
        where transfer_id = $1 and ordinal = $2
      )
      update transfer set current_folder = $4, messages_total = greatest(messages_total + $6, 0) where id = $1`,
    values: [id, folder.ordinal, uidValidity, folder.path, messages, messages - folder.messages],
  })
}

export type Counted = { copied: number; skipped: number; failed: number; bytes: number; unwanted: number }

/** Counts what was done in a folder; everything up to `lastUid` is behind us. */
export const addProgress = async (
  tx: Tx<Tables>,
  { id, ordinal, lastUid, counted }: { id: string; ordinal: number; lastUid: number; counted: Counted },
): Promise<void> => {
  await tx.query({
    name: 'transfer-add-progress',
    text: `with at as (
        update transfer_folder set last_uid = greatest(last_uid, $3) where transfer_id = $1 and ordinal = $2
      )
      update transfer set messages_copied = messages_copied + $4, messages_skipped = messages_skipped + $5,
        messages_failed = messages_failed + $6, bytes_copied = bytes_copied + $7,
        messages_total = greatest(messages_total - $8, 0), attempts = 0, error = null
      where id = $1`,
    values: [id, ordinal, lastUid, counted.copied, counted.skipped, counted.failed, counted.bytes, counted.unwanted],
  })
}

/** A folder is done. What is counted may be more than was planned: mail came in meanwhile. */
export const finishFolder = async (
  tx: Tx<Tables>,
  { id, ordinal, failed = 0 }: { id: string; ordinal: number; failed?: number },
): Promise<void> => {
  await tx.query({
    text: `with at as (
        update transfer_folder set done = true where transfer_id = $1 and ordinal = $2 and not done returning ordinal
      )
      update transfer set folders_done = folders_done + (select count(*) from at)::int,
        messages_failed = messages_failed + $3,
        messages_total = greatest(messages_total, messages_copied + messages_skipped + messages_failed + $3)
      where id = $1`,
    values: [id, ordinal, failed],
  })
}

/** Deletes the plan of a transfer that will not continue. */
export const deletePlan = async (tx: Tx<Tables>, id: string): Promise<void> => {
  await tx.deleteFrom('transfer_folder').where('transfer_id', '=', id).execute()
}

/** Once all is done, as many as there turned out to be. */
export const settleTotal = async (tx: Tx<Tables>, id: string): Promise<void> => {
  await tx.query({
    text: `update transfer set messages_total = messages_copied + messages_skipped + messages_failed where id = $1`,
    values: [id],
  })
}
