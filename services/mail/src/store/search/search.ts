import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import { eachOnItsOwn, inPages } from '@stoa/kit/db/batches.ts'
import type { Log } from '@stoa/kit/log.ts'
import {
  attachmentNames,
  type Bytes,
  bytesOfPieces,
  decodeStructure,
  headerRanges,
  type MimeStructure,
  parseMessage,
  readBody,
  readForm,
  searchTextOf,
} from '../../formats/mime/mime.ts'
import type { MessageEnvelope } from '../../tables/store.ts'
import { readBlob } from '../blobs/blobs.ts'
import type { MailDatabase, MailDb, MailTx } from '../handles.ts'
import { lockMailbox } from '../mailbox/mailbox-queries.ts'
import { readRanges } from '../messages/content.ts'
import { StoreRefusal } from '../refusal.ts'
import { indexHeaders, indexText, indexWords, searchTexts } from './words.ts'

/** What reading and indexing messages needs. */
export type StoreParts = { database: MailDatabase; blobs: Blobs; log: Log }

/** Messages that are read into memory at once. */
const BATCH = 20
/** A search waits for so many messages; after a large import the rest follows in the background. */
const MAX_CATCH_UP = 2_000
/** Looked up at once. */
const MAILBOXES = 500
/** Larger messages are not read whole. */
const WHOLE_BYTES = 4 * 2 ** 20
/** Of one text part of such a message. */
const PART_BYTES = 4 * 2 ** 20

/** Makes messages of a mailbox that have just arrived findable. Gives how many; those that wait longer than that stay. */
export const indexMailbox = async (parts: StoreParts, addressId: string, max = MAX_CATCH_UP): Promise<number> => {
  const { database, log } = parts
  let done = 0
  const failed: string[] = []
  while (done + failed.length < max) {
    const limit = Math.min(BATCH, max - done)
    const pending = await findPending(database.db, { addressId, except: failed, limit })
    if (pending.length === 0) break
    const indexed: string[] = []
    // The words take long, and one by one they keep nobody waiting; only the marks need the mailbox.
    await eachOnItsOwn(
      pending,
      async (message) => {
        const words = await indexMessage(parts, message)
        await database.tx((tx) => insertIndexed(tx, addressId, words))
        indexed.push(message.id)
      },
      (err, { id }) => {
        failed.push(id)
        log.error({ err, addressId, messageId: id }, 'a message could not be made findable')
      },
    )
    if (indexed.length > 0)
      await database.tx(async (tx) => {
        await lockMailbox(tx, addressId)
        await markIndexed(tx, addressId, indexed)
      })
    done += indexed.length
  }
  return done
}

/** The background's share: every mailbox with messages that cannot be found yet. */
export const indexPending = async (parts: StoreParts): Promise<number> => {
  const { database, log } = parts
  let done = 0
  await eachOnItsOwn(
    inPages<string>(MAILBOXES, (after, limit) => findPendingMailboxes(database.db, after, limit)),
    async (addressId) => {
      done += await indexMailbox(parts, addressId)
    },
    (err, addressId) => log.error({ err, addressId }, 'the mail of a mailbox could not be made findable'),
  )
  return done
}

/** A message whose bytes are damaged is still found by what the database knows of it. */
const indexMessage = async (parts: StoreParts, message: PendingMessage): Promise<IndexedMessage> => {
  const content = await readContent(parts, message).catch((error: unknown) => {
    if (error instanceof StoreRefusal && error.kind === 'no_such_blob')
      return { body: '', attachments: [], headers: [] }
    throw error
  })
  const texts = searchTexts(message.envelope, { subject: message.subject, ...content })
  return {
    id: message.id,
    words: indexWords(texts),
    text: indexText(texts),
    headers: indexHeaders([...fieldsOf(parseMessage(message.prefix), message.prefix), ...content.headers]),
  }
}

const readContent = async (parts: StoreParts, message: PendingMessage) => {
  const structure = decodeStructure(message.structure)
  if (structure && structure.size > WHOLE_BYTES) return readLarge(parts, message, structure)
  const bytes = await readBlob(parts.blobs, message, { log: parts.log })
  return contentOf(structure ?? parseMessage(bytes), bytes)
}

const contentOf = (structure: MimeStructure, bytes: Bytes) => {
  const body = readBody(structure, bytes)
  return {
    body: searchTextOf(body, bytes),
    attachments: attachmentNames(body),
    headers: fieldsOf(structure, bytes),
  }
}

const fieldsOf = ({ root }: MimeStructure, bytes: Bytes): { name: string; value: string }[] =>
  root.fields.map((field) => ({ name: field.name, value: readForm(bytes, field, 'text') }))

/** Only the headers, and the beginning of each part with text. */
const readLarge = async (parts: StoreParts, message: PendingMessage, structure: MimeStructure) => {
  const headers = await readRanges(parts, message, headerRanges(structure))
  const body = readBody(structure, bytesOfPieces(headers))
  const texts = [...new Set([...body.textBody, ...body.htmlBody])].filter(({ type }) => type.startsWith('text/'))
  const beginnings = texts.slice(0, 20).map(({ part: { bodyStart, end } }) => ({
    start: bodyStart,
    end: Math.min(end, bodyStart + PART_BYTES),
  }))
  return contentOf(structure, bytesOfPieces(await readRanges(parts, message, beginnings), headers))
}

/** A message that cannot be found by its words yet. */
type PendingMessage = {
  id: string
  blobKey: string
  prefix: Buffer
  size: number
  structure: Buffer
  subject: string | null
  envelope: MessageEnvelope
}

const findPending = (
  db: MailDb,
  { addressId, except, limit }: { addressId: string; except: readonly string[]; limit: number },
): Promise<PendingMessage[]> =>
  db.query<PendingMessage>({
    name: 'store-find-pending',
    text: `select id, blob_key as "blobKey", prefix, size, structure, subject, envelope from message
      where address_id = $1 and not indexed and not id = any ($2::uuid[]) limit $3`,
    values: [addressId, except, limit],
  })

/** In the order of their ids. */
const findPendingMailboxes = async (db: MailDb, after: string | null, limit: number): Promise<string[]> => {
  const rows = await db.query<{ id: string }>({
    name: 'store-find-pending-mailboxes',
    text: `select distinct address_id as id from message
      where not indexed and ($1::uuid is null or address_id > $1) order by id limit $2`,
    values: [after, limit],
  })
  return rows.map(({ id }) => id)
}

type IndexedMessage = { id: string; words: readonly string[]; text: string; headers: string }

/** A message that was removed in the meantime is left out. */
const insertIndexed = async (tx: MailTx, addressId: string, message: IndexedMessage): Promise<void> => {
  await tx.query({
    name: 'store-insert-indexed',
    text: `insert into message_search (address_id, message_id, words, text, headers)
      select $1, m.id, array_to_tsvector(string_to_array($3::text, E'\\n')), $4::text, $5::text
      from message m where m.address_id = $1 and m.id = $2 for key share of m
      on conflict (address_id, message_id) do nothing`,
    values: [addressId, message.id, message.words.join('\n'), message.text, message.headers],
  })
}

const markIndexed = async (tx: MailTx, addressId: string, ids: readonly string[]): Promise<void> => {
  await tx.query({
    name: 'store-mark-indexed',
    text: `update message m set indexed = true where m.address_id = $1 and m.id = any($2::uuid[]) and not m.indexed
      and exists (select from message_search s where s.address_id = $1 and s.message_id = m.id)`,
    values: [addressId, ids],
  })
}
