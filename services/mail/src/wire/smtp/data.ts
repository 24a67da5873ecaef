import { ConnectionClosed, type SmtpConnection, write } from './connection.ts'
import type { Envelope, Taken } from './door.ts'
import { DataError } from './input.ts'
import { closing, Refused, type Reply, reply } from './replies.ts'

/** After a refusal in the middle of a message, so much more of it is read to say so properly. */
const DRAIN_BYTES = 67_108_864

/** Takes one message and gives the answer to it. */
export const runData = async <User, Recipient>(
  connection: SmtpConnection<User, Recipient>,
  envelope: Envelope<Recipient>,
): Promise<Reply> => {
  const { door, input, session } = connection
  await write(connection, '354 End with CR LF . CR LF\r\n')
  const content = input.data(door.limits)
  try {
    const { reply: answer, onAcknowledged } = await taken(connection, () =>
      door.message(session, envelope, kept(content)),
    )
    await drain(content)
    // Only a client that sends something after the answer can have read it: what came before proves nothing.
    connection.onAcknowledged = onAcknowledged && input.waiting() === 0 ? onAcknowledged : null
    return answer
  } catch (error) {
    if (!(error instanceof DataError)) throw error
    return interrupted(error)
  }
}

const taken = async <User, Recipient>(
  connection: SmtpConnection<User, Recipient>,
  work: () => Promise<Taken>,
): Promise<Taken> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refused) return { reply: error.reply }
    if (error instanceof DataError) throw error
    connection.door.log.error({ err: error, session: connection.session.id }, 'a message could not be taken')
    return { reply: reply(451, '4.3.0', 'Try again later') }
  }
}

const interrupted = ({ problem }: DataError): Reply => {
  switch (problem) {
    case 'closed':
      throw new ConnectionClosed('the peer has gone')
    case 'stopping':
      return closing(421, '4.3.2', 'The server is shutting down, try again later')
    case 'slow':
      return closing(421, '4.4.2', 'Timed out, closing the connection')
    case 'bare':
      return closing(550, '5.5.2', 'Lines must end with CR LF, without other CR or LF')
  }
}

/** An iterator that can be left early without ending the generator: the rest must still be read. */
const kept = (content: AsyncGenerator<Buffer, void, undefined>): AsyncIterable<Buffer> => ({
  [Symbol.asyncIterator]: () => ({ next: () => content.next() }),
})

const drain = async (content: AsyncGenerator<Buffer, void, undefined>): Promise<void> => {
  let bytes = 0
  for await (const piece of content) {
    bytes += piece.length
    if (bytes > DRAIN_BYTES) throw new Refused(closing(552, '5.3.4', 'Message too large'))
  }
}
