import type { MailDb, MailTx } from '../handles.ts'
import type { MailboxWrite } from '../mailbox/mailbox.ts'
import type { AnyRole } from './folder-roles.ts'

/** A folder as it is stored. */
export type FolderRow = {
  id: string
  parentId: string | null
  name: string
  role: AnyRole | null
  position: number
  subscribed: boolean
  uidValidity: number
  uidNext: number
  /** Counts leave out what is marked \Deleted. */
  total: number
  unread: number
  threads: number
  unreadThreads: number
  sizeBytes: number
  purgeDays: number | null
  createdModseq: number
  modseq: number
  countsModseq: number
}

const COLUMNS = `id, parent_id as "parentId", name, role, position, subscribed, uid_validity as "uidValidity",
  uid_next as "uidNext", total, threads, size_bytes as "sizeBytes", purge_days as "purgeDays",
  created_modseq as "createdModseq", modseq, counts_modseq as "countsModseq"`

export const findFolders = (db: MailDb, addressId: string): Promise<FolderRow[]> =>
  db.query<FolderRow>({
    name: 'store-find-folders',
    text: `select ${COLUMNS}, unread, unread_threads as "unreadThreads" from folder
      where address_id = $1 order by position, name, id`,
    values: [addressId],
  })

/** Folders with unread counts for a viewer, which are not stored and must be computed. */
export const findViewedFolders = (db: MailDb, addressId: string, viewerId: string): Promise<FolderRow[]> =>
  db.query<FolderRow>({
    // Without a name: a plan from when the mailbox was empty would read it many times. First by two indexes what was not
    // seen, then the messages: of a large mailbox most were.
    text: `with unseen as materialized (
        select p.folder_id, p.message_id from message_folder p where p.address_id = $1 and not p.deleted
          and not exists (select from viewed v
            where v.address_id = $1 and v.viewer_id = $2 and v.message_id = p.message_id)
      ), counted as (
        select u.folder_id, count(*)::int as unseen, count(distinct m.thread_id)::int as unseen_threads
        from unseen u join message m on m.address_id = $1 and m.id = u.message_id
        where not m.keywords && '{$draft}'::text[] group by u.folder_id
      )
      select ${COLUMNS}, coalesce(unseen, 0) as unread, coalesce(unseen_threads, 0) as "unreadThreads"
      from folder left join counted on folder_id = id where address_id = $1 order by position, name, id`,
    values: [addressId, viewerId],
  })

/** The id of the folder with this role, or null. */
export const findRoleFolder = async (db: MailDb, addressId: string, role: AnyRole): Promise<string | null> => {
  const [row] = await db.query<{ id: string }>({
    name: 'store-find-role-folder',
    text: 'select id from folder where address_id = $1 and role = $2',
    values: [addressId, role],
  })
  return row?.id ?? null
}

/** Which of these folders are there. */
export const findFolderIds = async (db: MailDb, addressId: string, ids: readonly string[]): Promise<string[]> => {
  const rows = await db.query<{ id: string }>({
    name: 'store-find-folder-ids',
    text: 'select id from folder where address_id = $1 and id = any($2::uuid[])',
    values: [addressId, ids],
  })
  return rows.map(({ id }) => id)
}

export type FolderMembers = Pick<FolderRow, 'name' | 'parentId' | 'role' | 'position' | 'subscribed' | 'purgeDays'>

/** Null: the name is taken. */
export const insertFolder = async (
  tx: MailTx,
  box: MailboxWrite,
  { id, name, parentId, role, position, subscribed, purgeDays }: FolderMembers & { id: string },
): Promise<boolean> => {
  const rows = await tx.query({
    text: `with validity as (
        update mailbox set next_uid_validity = next_uid_validity + 1 where address_id = $1
        returning next_uid_validity - 1 as value
      )
      insert into folder (address_id, id, name, parent_id, role, position, subscribed, purge_days, uid_validity,
        created_modseq, modseq, counts_modseq)
      select $1, $3, $4, $5, $6, $7, $8, $9, value, $2, $2, $2 from validity
      on conflict on constraint folder_name_key do nothing returning id`,
    values: [box.addressId, box.modseq, id, name, parentId, role, position, subscribed, purgeDays],
  })
  return rows.length > 0
}

export const updateFolderRow = async (
  tx: MailTx,
  box: MailboxWrite,
  { id, name, parentId, role, position, subscribed, purgeDays }: FolderMembers & { id: string },
): Promise<void> => {
  await tx.query({
    text: `update folder set name = $4, parent_id = $5, role = $6, position = $7, subscribed = $8, purge_days = $9,
        modseq = $2 where address_id = $1 and id = $3`,
    values: [box.addressId, box.modseq, id, name, parentId, role, position, subscribed, purgeDays],
  })
}

export const deleteFolderRow = async (tx: MailTx, addressId: string, id: string): Promise<void> => {
  await tx.query({ text: 'delete from folder where address_id = $1 and id = $2', values: [addressId, id] })
}

/** Ids of messages with a place in the folder, those with the lowest UIDs first. */
export const findFolderMessages = async (
  db: MailDb,
  addressId: string,
  folderId: string,
  limit: number,
): Promise<string[]> => {
  const rows = await db.query<{ id: string }>({
    name: 'store-folder-messages',
    text: `select message_id as id from message_folder where address_id = $1 and folder_id = $2
      order by uid limit $3`,
    values: [addressId, folderId, limit],
  })
  return rows.map(({ id }) => id)
}

/** The folders with a role, by their ids. */
export const findRoles = async (db: MailDb, addressId: string): Promise<Map<string, string | null>> => {
  const rows = await db.query<{ id: string; role: string | null }>({
    name: 'folder_roles',
    text: 'select id, role from folder where address_id = $1 and role is not null',
    values: [addressId],
  })
  return new Map(rows.map(({ id, role }) => [id, role]))
}
