import { openDatabase } from '@stoa/kit/db/database.ts'
import { encodeStructure } from '@stoa/mail/formats/mime/stored.ts'
import { listFolders } from '@stoa/mail/store/folders/folders.ts'
import { readMessage } from '@stoa/mail/store/messages/read.ts'
import type { Tables } from '@stoa/mail/tables.ts'
import type { MailService } from '../lib/mail.ts'
import { letter } from './mail-page.ts'

type Planting = {
  addressId: string
  folderId: string
  count: number
  /** Ids of one planting differ from those of another. */
  mark?: string
}

const CHECKS = [
  ['message', 'message_address_id_fkey'],
  ['message_folder', 'message_folder_folder_fkey'],
  ['message_folder', 'message_folder_message_fkey'],
  ['folder_thread', 'folder_thread_folder_fkey'],
] as const

const BATCH = 25_000
/** A busy machine takes its time. */
const PATIENCE_MS = 120_000

/**
 * Puts many messages into an empty folder as the store writes them. All of them have the same few bytes, and no search
 * finds them by their words.
 */
export const plantMessages = async (
  { databaseUrl, parts: { blobs, log } }: MailService,
  { addressId, folderId, count, mark = '8001' }: Planting,
): Promise<void> => {
  const id = (kind: string) => `('01900000-0000-7000-${kind}-' || lpad(to_hex(n), 12, '0'))::uuid`
  const thread = id(`9${mark.slice(1)}`)
  const received = `timestamptz '2025-01-01' + n * interval '1 minute'`
  const bytes = Buffer.from(letter({ Subject: 'Planted' }))
  const { key } = await blobs.put(bytes, { maxBytes: 10_000 })
  const { structure, headers } = readMessage(bytes)
  const numbers = 'generate_series($3::bigint, $4::bigint) n'
  const statements: readonly [string, ...string[]] = [
    `insert into message (address_id, id, thread_id, blob_key, size, structure, keywords, received_at, sent_at, subject,
        preview, has_attachment, envelope, from_sort, to_sort, subject_sort, created_modseq, modseq, indexed, headers)
      select $1, ${id(mark)}, ${thread}, $2, 2000, $5, case when n % 10 = 0 then '{}'::text[] else '{$seen}' end,
        ${received}, ${received}, 'Message number ' || n, 'What message ' || n || ' begins with.', n % 7 = 0,
        ('{"from":[{"name":"Sender ' || n % 500 || '","email":"sender' || n % 500 || '@example.org"}],"sender":[],' ||
          '"replyTo":[],"to":[],"cc":[],"bcc":[],"messageId":[],"inReplyTo":[],"references":[]}')::jsonb,
        '', '', '', 2, 2, true, $6 from ${numbers}`,
    `insert into message_folder (address_id, folder_id, uid, message_id, modseq, received_at, added_at)
      select $1, $2, n, ${id(mark)}, 2, ${received}, ${received} from ${numbers}`,
    `insert into folder_thread (address_id, folder_id, thread_id, total, unread)
      select $1, $2, ${thread}, 1, case when n % 10 = 0 then 1 else 0 end from ${numbers}`,
  ]
  const database = openDatabase<Tables>({ url: databaseUrl, poolSize: 1, log, statementTimeoutMs: PATIENCE_MS })
  await database.tx(async (tx) => {
    // The rows belong together by how they are made: to check each of them takes most of the time
    for (const [table, name] of CHECKS)
      await tx.query({ text: `alter table ${table} drop constraint if exists ${name}` })
    for (let from = 1; from <= count; from += BATCH) {
      const values = [addressId, folderId, from, Math.min(count, from + BATCH - 1)]
      const [message, ...places] = statements
      const ownValues = [addressId, key, from, values[3], encodeStructure(structure), headers]
      await tx.query({ text: message, values: ownValues })
      for (const text of places) await tx.query({ text, values })
    }
    const values = [addressId, folderId, count]
    await tx.query({
      text: `update folder set uid_next = $3::bigint + 1, total = $3, unread = $3 / 10, threads = $3, unread_threads = $3 / 10,
          size_bytes = $3::bigint * 2000, counts_modseq = 2 where address_id = $1 and id = $2`,
      values,
    })
    await tx.query({
      text: `update mailbox set modseq = greatest(modseq, 2), message_count = message_count + $2,
          used_bytes = used_bytes + $2::bigint * 2000 where address_id = $1`,
      values: [addressId, count],
    })
  })
  await database.db.query({ text: 'analyze message (address_id, thread_id, received_at)' })
  await database.db.query({ text: 'analyze message_folder' })
  await database.close()
}

/** The id of a folder that every mailbox has. */
export const folderOf = async ({ database }: MailService, addressId: string, role: string): Promise<string> => {
  const folder = (await listFolders(database.db, addressId)).find((each) => each.role === role)
  if (!folder) throw new Error(`no folder ${role}`)
  return folder.id
}
