import { findInMaildrop, streamBytes } from '../../store/store.ts'
import { type Drop, type DropMessage, messageAt, messagesOf } from './drop.ts'
import { wireLines } from './lines.ts'
import { ConnectionClosed, err, ok, type Talk, write } from './talk.ts'

/** RFC 1939: numbers of messages begin with 1. Null when there is no such message. */
export const readNumber = (drop: Drop, text: string): DropMessage | null =>
  /^\d{1,9}$/.test(text) ? messageAt(drop, Number(text) - 1) : null

export const NO_SUCH_MESSAGE = err('No such message')

/** One line for each message, or for one. */
export const sendList = async (
  talk: Talk,
  drop: Drop,
  { argument, lineOf }: { argument: string; lineOf: (message: DropMessage) => string },
): Promise<string | null> => {
  if (argument !== '') {
    const message = readNumber(drop, argument)
    return message ? ok(lineOf(message)) : NO_SUCH_MESSAGE
  }
  await write(talk, ok(`${drop.count} messages`))
  let held = ''
  for (const message of messagesOf(drop)) {
    held += `${lineOf(message)}\r\n`
    if (held.length < HELD_CHARACTERS) continue
    await write(talk, held)
    held = ''
  }
  return `${held}.\r\n`
}

const HELD_CHARACTERS = 32_768

/**
 * The bytes of a message, or the header and so many lines. They are read as fast as the client takes them. Bytes that
 * turn out to be damaged after the first ones were sent end the connection: the closing dot would say that it is whole.
 */
export const sendMessage = async (
  talk: Talk,
  drop: Drop,
  { message, bodyLines }: { message: DropMessage; bodyLines?: number },
): Promise<string> => {
  const { parts } = talk
  const { addressId, folderId } = drop
  const found = await findInMaildrop(parts.database.db, { addressId, folderId, uid: message.uid })
  const source = streamBytes(parts.blobs, found, parts.log)
  const lines = wireLines(source, bodyLines === undefined ? {} : { bodyLines })
  try {
    // The own fields come from the database: whether the rest is there shows with the chunk after them.
    const first = await lines.next()
    const begun = found.prefix.length > 0 && !first.done ? [first, await lines.next()] : [first]
    await write(talk, ok(bodyLines === undefined ? `${message.octets} octets` : ''))
    for (const piece of begun) if (!piece.done) await write(talk, piece.value)
    await sendRest(talk, lines)
    return '.\r\n'
  } finally {
    source.destroy()
  }
}

const sendRest = async (talk: Talk, lines: AsyncIterable<Buffer>): Promise<void> => {
  try {
    for await (const piece of lines) {
      if (talk.ending.aborted) throw new ConnectionClosed('the service stops')
      await write(talk, piece)
    }
  } catch (error) {
    throw error instanceof ConnectionClosed
      ? error
      : new ConnectionClosed('the message could not be read', { cause: error })
  }
}
