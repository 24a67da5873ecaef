import assert from 'node:assert/strict'
import type { Folder } from '../folders/folder-paths.ts'
import { listFolders } from '../folders/folders.ts'
import { checkMailbox } from '../mailbox/check.ts'
import { getMessages, type ListedMessage } from '../messages/list.ts'
import type { Mailbox, StoreGround } from './ground.ts'

/** The invariants hold. */
export const assertClean = async (store: StoreGround, ...mailboxes: Mailbox[]): Promise<void> => {
  for (const { addressId } of mailboxes) assert.deepEqual(await checkMailbox(store.database.db, addressId), [])
}

export const folderOf = async (store: StoreGround, mailbox: Mailbox, id: string): Promise<Folder> => {
  const found = (await listFolders(store.database.db, mailbox.addressId)).find((folder) => folder.id === id)
  assert.ok(found, `folder ${id}`)
  return found
}

/** total, unread, threads, unread threads */
export const countsOf = async (store: StoreGround, mailbox: Mailbox, id: string): Promise<number[]> => {
  const { total, unread, threads, unreadThreads } = await folderOf(store, mailbox, id)
  return [total, unread, threads, unreadThreads]
}

export const messageOf = async (store: StoreGround, mailbox: Mailbox, id: string): Promise<ListedMessage | null> =>
  (await getMessages(store.database.db, mailbox.addressId, [id]))[0] ?? null

/** Changes of one modseq as `kind op`, with how many. */
export const changesAt = async (store: StoreGround, mailbox: Mailbox, modseq: number): Promise<string[]> => {
  const { rows } = await store.database.pool.query<{ line: string }>(
    `select kind || ' ' || op || ' ' || count(*) as line from change where address_id = $1 and modseq = $2
     group by kind, op order by line`,
    [mailbox.addressId, modseq],
  )
  return rows.map(({ line }) => line)
}

export const modseqOf = async (store: StoreGround, mailbox: Mailbox): Promise<number> => {
  const { rows } = await store.database.pool.query<{ modseq: string }>(
    'select modseq from mailbox where address_id = $1',
    [mailbox.addressId],
  )
  return Number(rows[0]?.modseq)
}
