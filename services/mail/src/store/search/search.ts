import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import { eachOnItsOwn, inBatches, inPages, runSteps, togetherOrEach } from '@stoa/kit/db/batches.ts'
import type { Log } from '@stoa/kit/log.ts'
import {
  bytesOfPieces,
  decodeStructure,
  headerRanges,
  type MimeStructure,
  parseMessage,
  readBody,
} from '../../formats/mime/mime.ts'
import { readBlob } from '../blobs/blobs.ts'
import type { MailDatabase } from '../handles.ts'
import { readRanges } from '../messages/content.ts'
import { StoreRefusal } from '../refusal.ts'
import {
  adoptUnindexed,
  findUnindexed,
  findUnindexedMailboxes,
  findUnread,
  moveToIndex,
  storeSearched,
  tidyIndexes,
  type UnreadMessage,
} from './search-queries.ts'
import { type Searched, searchedContent, searchedOf, withPrefix } from './searched.ts'

/** What reading and indexing messages needs. */
export type StoreParts = { database: MailDatabase; blobs: Blobs; log: Log }

/** Messages whose words go into the indexes in one transaction: a tenth of a second, and who deletes one waits for it. */
const BATCH = 50
/** Messages of one mailbox before others get their turn. */
const TURN = 1_000
/** Looked up at once. */
const MAILBOXES = 500
const ADOPTED = 500
/** Larger messages are not read whole. */
const WHOLE_BYTES = 4 * 2 ** 20
/** The most bytes per text part of such a message. */
const PART_BYTES = 4 * 2 ** 20

/**
 * Puts messages of a mailbox into the indexes that searches use. Nobody waits for it: what is not there yet is found one by
 * one. Gives how many were done; there may be more than that.
 */
export const indexMailbox = async (parts: StoreParts, addressId: string, max = TURN): Promise<number> => {
  const { database, log } = parts
  const failed: string[] = []
  const fail = (err: unknown, id: string): void => {
    failed.push(id)
    log.error({ err, addressId, messageId: id }, 'a message could not be indexed for search')
  }
  await readMissing(parts, addressId, fail)
  let done = 0
  while (done < max) {
    const ids = await findUnindexed(database.db, { addressId, except: failed, limit: BATCH })
    if (ids.length === 0) break
    const before = done + failed.length
    const work = (some: readonly string[]) => database.tx((tx) => moveToIndex(tx, addressId, some))
    done += await togetherOrEach(ids, work, fail)
    // All of these are in the hands of others.
    if (done + failed.length === before) break
  }
  return done
}

/** The background's share: every mailbox in turn, until none has any that wait. */
export const indexPending = async (parts: StoreParts): Promise<number> => {
  const { database, log } = parts
  let done = 0
  const indexMailboxes = async (): Promise<void> => {
    for (let before = -1; before < done; ) {
      before = done
      await eachOnItsOwn(
        inPages<string>(MAILBOXES, (after, limit) => findUnindexedMailboxes(database.db, after, limit)),
        async (addressId) => {
          done += await indexMailbox(parts, addressId)
        },
        (err, addressId) => log.error({ err, addressId }, 'the mail of a mailbox could not be indexed for search'),
      )
      if (done > before) await tidyIndexes(database.db)
    }
  }
  await runSteps([() => inBatches(database, ADOPTED, adoptUnindexed), indexMailboxes])
  return done
}

/** Reads the bytes of messages that nobody has read for searching. */
const readMissing = async (
  parts: StoreParts,
  addressId: string,
  fail: (error: unknown, id: string) => void,
): Promise<void> => {
  const failed: string[] = []
  for (let count = BATCH; count === BATCH; ) {
    const messages = await findUnread(parts.database.db, { addressId, except: failed, limit: BATCH })
    count = messages.length
    await eachOnItsOwn(
      messages,
      async (message) =>
        storeSearched(parts.database.db, addressId, { id: message.id, ...(await readSearched(parts, message)) }),
      (error, { id }) => {
        failed.push(id)
        fail(error, id)
      },
    )
  }
}

/** A message whose bytes are damaged is still found by what the database has of it. */
const readSearched = async (parts: StoreParts, message: UnreadMessage): Promise<Searched> => {
  const { envelope, subject, prefix } = message
  const searched = await readContent(parts, message).catch((error: unknown) => {
    if (error instanceof StoreRefusal && error.kind === 'no_such_blob')
      return searchedContent(envelope, { subject, body: '', attachments: [], headers: [] })
    throw error
  })
  return withPrefix(searched, prefix)
}

const readContent = async (parts: StoreParts, message: UnreadMessage): Promise<Searched> => {
  const known = decodeStructure(message.structure)
  if (known && known.size > WHOLE_BYTES) return readLarge(parts, message, known)
  const bytes = await readBlob(parts.blobs, message, { log: parts.log })
  const structure = known ?? parseMessage(bytes)
  return searchedOf({ ...message, structure, body: readBody(structure, bytes) }, bytes)
}

/** Only the headers, and the beginning of each part with text. */
const readLarge = async (parts: StoreParts, message: UnreadMessage, structure: MimeStructure): Promise<Searched> => {
  const headers = await readRanges(parts, message, headerRanges(structure))
  const body = readBody(structure, bytesOfPieces(headers))
  const texts = [...new Set([...body.textBody, ...body.htmlBody])].filter(({ type }) => type.startsWith('text/'))
  const beginnings = texts.slice(0, 20).map(({ part: { bodyStart, end } }) => ({
    start: bodyStart,
    end: Math.min(end, bodyStart + PART_BYTES),
  }))
  const bytes = bytesOfPieces(await readRanges(parts, message, beginnings), headers)
  return searchedOf({ ...message, structure, body: readBody(structure, bytes) }, bytes)
}
