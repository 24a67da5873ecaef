import { randomUUID } from 'node:crypto'
import { openDatabase } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { listFolders } from '@stoa/mail/store/folders/folders.ts'
import type { MailDatabase } from '@stoa/mail/store/handles.ts'
import { createMailbox } from '@stoa/mail/store/mailbox/mailbox.ts'
import type { Tables } from '@stoa/mail/tables.ts'
import { cloneDatabase } from '@stoa/tests/lib/cluster.ts'
import { mailTemplate } from '@stoa/tests/lib/mail.ts'

export const log = createLogger({ name: 'bench', level: 'silent' })
export const NOW = new Date('2026-06-01T12:00:00.000Z')

export type Seeded = { database: MailDatabase; close(): Promise<void> }

export const openGround = async (): Promise<Seeded> => {
  const own = await cloneDatabase(await mailTemplate())
  const database = openDatabase<Tables>({ url: own.url, poolSize: 4, log, statementTimeoutMs: 120_000 })
  return {
    database,
    async close() {
      await database.close()
      await own.drop()
    },
  }
}

export type SeededMailbox = { addressId: string; inboxId: string; archiveId: string }

export const makeMailbox = async ({ database }: Seeded): Promise<SeededMailbox> => {
  const addressId = newId()
  await database.pool.query(
    `with a as (insert into account (id, email, password_hash, role, referral_code, created_at, updated_at)
        values ($1, $2, 'x', 'member', $2, now(), now()) returning id),
      d as (insert into domain (id, account_id, name, ownership_token, created_at, updated_at)
        select $1, id, $3, 'x', now(), now() from a returning id)
      insert into address (id, account_id, domain_id, local_part, email, password_hash, created_at, updated_at)
      select $1, a.id, d.id, 'x', $2, 'x', now(), now() from a, d`,
    [addressId, `${addressId}@example.test`, `${addressId}.test`],
  )
  await database.tx((tx) => createMailbox(tx, { addressId, now: NOW }))
  const folders = await listFolders(database.db, addressId)
  const idOf = (role: string) => folders.find((folder) => folder.role === role)?.id ?? ''
  return { addressId, inboxId: idOf('inbox'), archiveId: idOf('archive') }
}

/** Bytes in front of a message's number, so that ids are valid and ascend. */
const id = (kind: string, number: string) => `('01900000-0000-7000-${kind}-' || lpad(to_hex(${number}), 12, '0'))::uuid`

const WORDS = 'the quick brown fox jumps over the lazy dog and then writes a letter about invoices and meetings'

/**
 * A mailbox with so many messages in its inbox, three in a thread, one in ten unread, one in a hundred flagged; all can be
 * found by their words. Rows as the store writes them; the check is clean.
 */
export const fillMailbox = async (
  { database }: Seeded,
  { addressId, inboxId }: SeededMailbox,
  count: number,
): Promise<void> => {
  const kind = `8${randomUUID().slice(0, 3)}`
  const [message, thread] = [id(kind, 'n'), id(`9${kind.slice(1)}`, 'n / 3')]
  const received = `timestamptz '2025-01-01' + n * interval '1 minute'`
  const keywords = `case when n % 10 = 0 then '{}'::text[] when n % 100 = 1 then '{$flagged,$seen}' else '{$seen}' end`
  const values = [addressId, count]
  const statements = [
    `insert into message (address_id, id, thread_id, blob_key, size, structure, keywords, received_at, sent_at, subject,
        preview, has_attachment, envelope, from_sort, to_sort, subject_sort, created_modseq, modseq, indexed)
      select $1, ${message}, ${thread}, md5(n::text) || md5(n::text), 29000 + n % 100, decode(repeat('ab', 300), 'hex'),
        ${keywords}, ${received}, ${received}, 'Message number ' || n, repeat('A preview of the text. ', 8), n % 7 = 0,
        jsonb_build_object('from', jsonb_build_array(jsonb_build_object('name', 'Sender ' || n % 500, 'email',
          'sender' || n % 500 || '@example.org')), 'sender', '[]'::jsonb, 'replyTo', '[]'::jsonb, 'to',
          jsonb_build_array(jsonb_build_object('name', null, 'email', 'bob@example.test')), 'cc', '[]'::jsonb, 'bcc', '[]'::jsonb,
          'messageId', jsonb_build_array(n || '@example.org'), 'inReplyTo', '[]'::jsonb, 'references', '[]'::jsonb),
        'sender ' || n % 500, 'bob', 'message number ' || n, n + 1, n + 1, true
      from generate_series(1, $2::bigint) n`,
    `insert into message_folder (address_id, folder_id, uid, message_id, modseq, received_at, added_at)
      select $1, '${inboxId}', n, ${message}, n + 1, ${received}, ${received} from generate_series(1, $2::bigint) n`,
    `insert into thread_link (address_id, id_hash, subject_hash, message_id, thread_id)
      select $1, decode(md5(n::text), 'hex'), decode(md5('s'), 'hex'), ${message}, ${thread} from generate_series(1, $2::bigint) n`,
    `insert into blob_link (owner_id, blob_key, kind, ref_id, size, created_at)
      select $1, md5(n::text) || md5(n::text), 'message', ${message}, 29000 + n % 100, now() from generate_series(1, $2::bigint) n`,
    `insert into change (address_id, kind, modseq, object_id, op)
      select $1, 'message', n + 1, ${message}, 'created' from generate_series(1, $2::bigint) n`,
    `insert into message_search (address_id, message_id, words, text, headers)
      select $1, ${message}, array_to_tsvector(string_to_array('smessage snumber s' || n || ' fsender' || n % 500 ||
          ' bword' || n % 1000 || ' ball b' || replace('${WORDS}', ' ', ' b'), ' ')),
        'message number ' || n || chr(1) || 'sender' || n % 500 || '@example.org' || chr(1) || 'bob@example.test' || chr(1) ||
          chr(1) || chr(1) || 'all ${WORDS} word' || n % 1000 || ' part' || (n * 7919) % 100003 || 'end ' || repeat('${WORDS} ', 5) ||
          chr(1),
        chr(1) || 'list-id:list' || n % 50 || chr(1) || repeat('received:from a by b with esmtps id ' || md5(n::text) || chr(1), 20)
      from generate_series(1, $2::bigint) n`,
  ]
  for (const text of statements) await database.pool.query(text, values)
  // What PostgreSQL knew of smaller tables would make the next statement take minutes.
  await database.pool.query('analyze message, message_folder')
  await database.pool.query(
    `insert into folder_thread (address_id, folder_id, thread_id, total, unread)
      select $1, p.folder_id, m.thread_id, count(*), count(*) filter (where not m.keywords && '{$seen,$draft}')
      from message_folder p join message m on m.address_id = p.address_id and m.id = p.message_id
      where p.address_id = $1 group by 2, 3`,
    [addressId],
  )
  await database.pool.query(
    `update folder f set uid_next = $2::bigint + 1, total = s.total, unread = s.unread, threads = s.threads,
        unread_threads = s.unread_threads, counts_modseq = $2::bigint + 1,
        size_bytes = (select sum(size) from message where address_id = $1)
      from (select sum(total) as total, sum(unread) as unread, count(*) as threads,
          count(*) filter (where unread > 0) as unread_threads from folder_thread where address_id = $1) s
      where f.address_id = $1 and f.id = $3`,
    [addressId, count, inboxId],
  )
  await database.pool.query(
    `update mailbox set modseq = $2::bigint + 1, message_count = $2,
        used_bytes = (select sum(size) from message where address_id = $1) where address_id = $1`,
    [addressId, count],
  )
  await database.pool.query('vacuum analyze')
}
