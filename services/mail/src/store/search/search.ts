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
import { readBlob } from '../blobs/blobs.ts'
import type { MailDatabase } from '../handles.ts'
import { lockMailbox } from '../mailbox/mailbox-queries.ts'
import { readRanges } from '../messages/content.ts'
import { StoreRefusal } from '../refusal.ts'
import {
  findPending,
  findPendingMailboxes,
  type IndexedMessage,
  insertIndexed,
  markIndexed,
  type PendingMessage,
} from './search-queries.ts'
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
