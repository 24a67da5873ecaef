import type { Socket } from 'node:net'
import { newId } from '@stoa/kit/ids.ts'
import type { Connection as AcceptedConnection } from '../listen/listen.ts'
import { runCommand } from './commands.ts'
import { ConnectionClosed, type SmtpConnection, send } from './connection.ts'
import type { Door, DoorSession } from './door.ts'
import { type Line, type LineProblem, readFrom } from './input.ts'
import { closing, Refused, type Reply, reply } from './replies.ts'

/** Talks SMTP with one peer until either side ends it. Never throws; the socket is closed when it resolves. */
export const runSession = async <User, Recipient>(
  accepted: AcceptedConnection,
  door: Door<User, Recipient>,
  stopping: AbortSignal,
): Promise<void> => {
  const { socket, early } = accepted
  const input = readFrom(socket, stopping)
  input.putBack(early)
  const connection: SmtpConnection<User, Recipient> = {
    door,
    session: sessionOf(accepted),
    stopping,
    socket,
    input,
    startTls: accepted.startTls,
    errors: 0,
    idleCommands: 0,
    messages: 0,
    recipientsTried: 0,
    onAcknowledged: null,
  }
  try {
    await greet(connection)
    for (;;) await turn(connection)
  } catch (error) {
    if (!(error instanceof ConnectionClosed))
      door.log.error({ err: error, session: connection.session.id }, 'an SMTP session failed')
  } finally {
    await end(connection.socket, door.limits.writeMs)
  }
}

const sessionOf = <User, Recipient>({ ip, tls }: AcceptedConnection): DoorSession<User, Recipient> => ({
  id: newId(),
  ip,
  helo: null,
  isExtended: false,
  tls,
  user: null,
  envelope: null,
})

const greet = async <User, Recipient>(connection: SmtpConnection<User, Recipient>): Promise<void> => {
  const { door, input, stopping } = connection
  if (stopping.aborted) return send(connection, STOPPING)
  // RFC 5321 §4.3.1: a client waits for the greeting. Programs that only spray mail do not.
  if (input.waiting() > 0 || (door.limits.greetingMs > 0 && (await input.hasSome(door.limits.greetingMs))))
    return send(connection, closing(554, '5.5.0', 'Client spoke before the greeting'))
  await send(connection, { code: 220, status: null, text: `${door.hostname} ESMTP` })
}

const turn = async <User, Recipient>(connection: SmtpConnection<User, Recipient>): Promise<void> => {
  const { limits } = connection.door
  const line = await connection.input.line(
    connection.session.helo === null ? { ...limits, idleMs: limits.firstMs } : limits,
  )
  if (line.kind === 'problem') return giveUp(connection, line.problem)
  connection.onAcknowledged?.()
  connection.onAcknowledged = null
  const said = await answer(connection, line)
  if (said) await send(connection, said)
}

const answer = async <User, Recipient>(
  connection: SmtpConnection<User, Recipient>,
  { bytes }: Extract<Line, { kind: 'line' }>,
): Promise<Reply | null> => {
  try {
    return await runCommand(connection, bytes)
  } catch (error) {
    if (error instanceof Refused) return error.reply
    if (error instanceof ConnectionClosed) throw error
    connection.door.log.error({ err: error, session: connection.session.id }, 'an SMTP command failed')
    return reply(451, '4.3.0', 'Try again later')
  }
}

const STOPPING: Reply = closing(421, '4.3.2', 'The server is shutting down, try again later')

const giveUp = <User, Recipient>(connection: SmtpConnection<User, Recipient>, problem: LineProblem): Promise<void> => {
  switch (problem) {
    case 'closed':
      throw new ConnectionClosed('the peer has gone')
    case 'stopping':
      return send(connection, STOPPING)
    case 'idle':
    case 'slow':
      return send(connection, closing(421, '4.4.2', 'Timed out, closing the connection'))
    case 'bare':
      return send(connection, closing(550, '5.5.2', 'Lines must end with CR LF, without other CR or LF'))
    case 'too_long':
      return send(connection, { ...reply(500, '5.5.2', 'Line too long'), closes: true })
  }
}

/** Lets the last words arrive: closing with bytes unread would make the system drop them. */
const end = async (socket: Socket, ms: number): Promise<void> => {
  if (socket.destroyed) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, Math.min(ms, LINGER_MS))
    socket.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
    socket.on('error', () => undefined)
    socket.end()
    socket.resume()
  })
  socket.destroy()
}

/** How long we wait for a peer to close its side too. */
const LINGER_MS = 2_000
