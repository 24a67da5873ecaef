import { newId } from '@stoa/kit/ids.ts'
import type { AddMessage } from '@stoa/mail/store/messages/messages.ts'
import type pg from 'pg'

/**
 * What somebody would send to PostgreSQL for these three and nothing else: prepared statements one after the other, for
 * one folder and one message, without rules, options, quotas, merged threads or notices.
 */
export const deliverByHand = async (client: pg.PoolClient, input: AddMessage, structure: Buffer): Promise<void> => {
  const { addressId, blob, read, now } = input
  const [folderId] = input.folderIds
  const id = newId()
  const run = async (name: string, text: string, values: unknown[]) =>
    (await client.query({ name: `hand-${name}`, text, values })).rows[0]
  await client.query('begin')
  const { modseq } = await run(
    'box',
    `update mailbox set modseq = modseq + 1, used_bytes = used_bytes + $2, message_count = message_count + 1
      where address_id = $1 returning modseq`,
    [addressId, blob.size],
  )
  const found = await run(
    'thread',
    `select thread_id from thread_link where address_id = $1 and id_hash = any($2::bytea[]) and subject_hash = $3 limit 1`,
    [addressId, read.threadIds, read.subjectHash],
  )
  const threadId = found?.thread_id ?? newId()
  const counted = await run(
    'folder-thread',
    `insert into folder_thread as t (address_id, folder_id, thread_id, total, unread) values ($1, $2, $3, 1, 1)
      on conflict (address_id, folder_id, thread_id) do update set total = t.total + 1, unread = t.unread + 1
      returning total, unread`,
    [addressId, folderId, threadId],
  )
  const { uid } = await run(
    'folder',
    `update folder set uid_next = uid_next + 1, total = total + 1, unread = unread + 1, size_bytes = size_bytes + $3,
        threads = threads + $4, unread_threads = unread_threads + $5, counts_modseq = $6
      where address_id = $1 and id = $2 returning uid_next - 1 as uid`,
    [addressId, folderId, blob.size, counted.total === 1 ? 1 : 0, counted.unread === 1 ? 1 : 0, modseq],
  )
  await run(
    'message',
    `insert into message (address_id, id, thread_id, blob_key, size, structure, received_at, sent_at, subject, preview,
        has_attachment, envelope, from_sort, to_sort, subject_sort, created_modseq, modseq, indexed)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16, true)`,
    [
      addressId,
      id,
      threadId,
      blob.key,
      blob.size,
      structure,
      input.receivedAt,
      read.sentAt,
      read.subject,
      read.preview,
      read.hasAttachment,
      JSON.stringify(read.envelope),
      read.fromSort,
      read.toSort,
      read.subjectSort,
      modseq,
    ],
  )
  await run(
    'searched',
    `insert into message_unindexed (address_id, message_id, words, text, headers)
      values ($1, $2, array_to_tsvector(string_to_array($3::text, E'\\n')), $4, $5)`,
    [addressId, id, read.searched.words, read.searched.text, read.searched.headers],
  )
  await run(
    'place',
    `insert into message_folder (address_id, folder_id, uid, message_id, modseq, received_at, added_at)
      values ($1, $2, $3, $4, $5, $6, $7)`,
    [addressId, folderId, uid, id, modseq, input.receivedAt, now],
  )
  await run(
    'links',
    `insert into thread_link (address_id, id_hash, subject_hash, message_id, thread_id)
      select $1, h, $3, $4, $5 from unnest($2::bytea[]) h`,
    [addressId, read.threadIds, read.subjectHash, id, threadId],
  )
  await run(
    'blob',
    `insert into blob_link (owner_id, blob_key, kind, ref_id, size, created_at) values ($1, $2, 'message', $3, $4, $5)`,
    [addressId, blob.key, id, blob.size, now],
  )
  await run(
    'changes',
    `insert into change (address_id, kind, modseq, object_id, op) values ($1, 'message', $2, $3, 'created'),
      ($1, 'thread', $2, $4, 'created'), ($1, 'folder_counts', $2, $5, 'updated'), ($1, 'quota', $2, $1, 'updated')`,
    [addressId, modseq, id, threadId, folderId],
  )
  await client.query('commit')
}

/** \Seen on or off, for a message in one folder whose thread has one message. */
export const flagByHand = async (
  client: pg.PoolClient,
  {
    addressId,
    folderId,
    messageId,
    isSeen,
  }: { addressId: string; folderId: string; messageId: string; isSeen: boolean },
): Promise<void> => {
  const run = async (name: string, text: string, values: unknown[]) =>
    (await client.query({ name: `hand-${name}`, text, values })).rows[0]
  const gain = isSeen ? -1 : 1
  await client.query('begin')
  const { modseq } = await run(
    'next',
    'update mailbox set modseq = modseq + 1 where address_id = $1 returning modseq',
    [addressId],
  )
  const { thread_id } = await run(
    'flag',
    `update message set keywords = $3, modseq = $4 where address_id = $1 and id = $2 returning thread_id`,
    [addressId, messageId, isSeen ? ['$seen'] : [], modseq],
  )
  await run('flag-place', 'update message_folder set modseq = $3 where address_id = $1 and message_id = $2', [
    addressId,
    messageId,
    modseq,
  ])
  await run(
    'flag-thread',
    `update folder_thread set unread = unread + $4 where address_id = $1 and folder_id = $2 and thread_id = $3`,
    [addressId, folderId, thread_id, gain],
  )
  await run(
    'flag-folder',
    `update folder set unread = unread + $3, unread_threads = unread_threads + $3, counts_modseq = $4
      where address_id = $1 and id = $2`,
    [addressId, folderId, gain, modseq],
  )
  await run(
    'flag-changes',
    `insert into change (address_id, kind, modseq, object_id, op)
      values ($1, 'message', $2, $3, 'updated'), ($1, 'folder_counts', $2, $4, 'updated')`,
    [addressId, modseq, messageId, folderId],
  )
  await client.query('commit')
}

export const listByHand = async (client: pg.PoolClient, addressId: string, folderId: string): Promise<number> => {
  const { rows } = await client.query({
    name: 'hand-list',
    text: `select m.id, m.thread_id, m.keywords, m.size, m.received_at, m.sent_at, m.subject, m.preview, m.has_attachment,
        m.envelope, m.snoozed_until, m.created_modseq, m.modseq,
        array(select folder_id from message_folder x where x.address_id = m.address_id and x.message_id = m.id and not x.deleted)
      from message_folder p join message m on m.address_id = p.address_id and m.id = p.message_id
      where p.address_id = $1 and p.folder_id = $2 and not p.deleted
      order by p.received_at desc, p.message_id desc limit 50`,
    values: [addressId, folderId],
  })
  return rows.length
}
