import { findInMaildrop, streamBytes } from '../../store/store.ts'
import { type Drop, type DropMessage, messageAt, messagesOf } from './drop.ts'
import { wireLines } from './lines.ts'
import { ConnectionClosed, err, ok, type Pop3Session, write } from './session.ts'

/** RFC 1939: numbers of messages begin with 1. Null when there is no such message. */
export const readNumber = (drop: Drop, text: string): DropMessage | null =>
  /^\d{1,9}$/.test(text) ? messageAt(drop, Number(text) - 1) : null

export const NO_SUCH_MESSAGE = err('No such message')

/** One line for each message, or for one. */
export const sendList = async (
  session: Pop3Session,
  drop: Drop,
  { argument, lineOf }: { argument: string; lineOf: (message: DropMessage) => string },
): Promise<string | null> => {
  if (argument !== '') {
    const message = readNumber(drop, argument)
    return message ? ok(lineOf(message)) : NO_SUCH_MESSAGE
  }
  await write(session, ok(`${drop.count} messages`))
  let held = ''
  for (const message of messagesOf(drop)) {
    held += `${lineOf(message)}\r\n`
    if (held.length < HELD_CHARACTERS) continue
    await write(session, held)
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
  session: Pop3Session,
  drop: Drop,
  { message, bodyLines }: { message: DropMessage; bodyLines?: number },
): Promise<string> => {
  const { parts } = session
  const { addressId, folderId } = drop
  const found = await findInMaildrop(parts.database.db, { addressId, folderId, uid: message.uid })
  const source = streamBytes(parts.blobs, found, parts.log)
  const lines = wireLines(source, bodyLines === undefined ? {} : { bodyLines })
  try {
    // The own fields come from the database: whether the rest is there shows with the chunk after them.
    const first = await lines.next()
    const begun = found.prefix.length > 0 && !first.done ? [first, await lines.next()] : [first]
    await write(session, ok(bodyLines === undefined ? `${message.octets} octets` : ''))
    for (const piece of begun) if (!piece.done) await write(session, piece.value)
    await sendRest(session, lines)
    return '.\r\n'
  } finally {
    source.destroy()
  }
}

const sendRest = async (session: Pop3Session, lines: AsyncIterable<Buffer>): Promise<void> => {
  try {
    for await (const piece of lines) {
      if (session.ending.aborted) throw new ConnectionClosed('the service stops')
      await write(session, piece)
    }
  } catch (error) {
    throw error instanceof ConnectionClosed
      ? error
      : new ConnectionClosed('the message could not be read', { cause: error })
  }
}
