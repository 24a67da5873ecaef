import type { Socket } from 'node:net'
import { Fault } from '@stoa/kit/errors.ts'
import type { Connection } from '../../wire/listen/listen.ts'
import { readFrom } from '../../wire/smtp/smtp.ts'
import { capabilitiesText } from './capabilities.ts'
import { STOPPING, signOut } from './commands/session.ts'
import { runCommand, wrong } from './commands.ts'
import type { ManageSieveLimits } from './limits.ts'
import { write } from './output.ts'
import { type Given, readCommand } from './read-command.ts'
import { bye, no, type Reply, replyText } from './replies.ts'
import { ConnectionClosed, type ManageSieveParts, type ManageSieveSession } from './session.ts'

/** Talks ManageSieve (RFC 5804) until either side ends it. Never throws. */
export const serveConnection = async (
  parts: ManageSieveParts,
  limits: ManageSieveLimits,
  connection: Connection,
  stopping: AbortSignal,
): Promise<void> => {
  const session = openSession(parts, limits, connection, stopping)
  try {
    await write(session, `${capabilitiesText(session)}${replyText({ status: 'OK', text: 'Stoa ManageSieve ready.' })}`)
    for (;;) await turn(session, stopping)
  } catch (error) {
    if (!(error instanceof ConnectionClosed)) parts.log.error({ err: error }, 'a ManageSieve session failed')
  } finally {
    signOut(session)
    await close(session.socket)
  }
}

const openSession = (
  parts: ManageSieveParts,
  limits: ManageSieveLimits,
  { socket, ip, tls, early, startTls }: Connection,
  stopping: AbortSignal,
): ManageSieveSession => {
  const ended = new AbortController()
  const ending = AbortSignal.any([stopping, ended.signal])
  const input = readFrom(socket, ending)
  input.putBack(early)
  return {
    parts,
    limits,
    ip,
    ending,
    end: () => ended.abort(),
    socket,
    input,
    startTls,
    isSecure: tls !== null || startTls === null,
    signIn: null,
    leave: null,
    errors: 0,
    failures: 0,
  }
}

const turn = async (session: ManageSieveSession, stopping: AbortSignal): Promise<void> => {
  const { limits, signIn } = session
  // A client that has pipelined commands gets it, too.
  if (session.ending.aborted) return say(session, farewell('stopping', stopping))
  const given = await readCommand(
    session,
    signIn
      ? limits
      : {
          ...limits,
          literalBytes: limits.earlyLiteralBytes,
          skippedBytes: limits.earlyLiteralBytes,
          idleMs: limits.earlyIdleMs,
        },
  )
  const reply = given.kind === 'gone' ? farewell(problemOf(session, given), stopping) : await answer(session, given)
  await say(session, reply)
}

const say = async (session: ManageSieveSession, reply: Reply): Promise<void> => {
  await write(session, replyText(reply))
  if (reply.status === 'BYE') throw new ConnectionClosed('closed by us')
}

const answer = async (session: ManageSieveSession, given: Exclude<Given, { kind: 'gone' }>): Promise<Reply> => {
  if (given.kind === 'bad')
    return given.isTooLarge
      ? no(`A script has at most ${session.limits.literalBytes} bytes.`, 'QUOTA/MAXSIZE')
      : wrong(session, given.problem)
  try {
    return await runCommand(session, given)
  } catch (error) {
    if (error instanceof ConnectionClosed) throw error
    if (error instanceof Fault && error.kind === 'unavailable') return no('Try again later.', 'TRYLATER')
    session.parts.log.error({ err: error }, 'a ManageSieve command failed')
    return no('The server ran into an unexpected error. Try again later.', 'TRYLATER')
  }
}

type Problem = Extract<Given, { kind: 'gone' }>['problem']

const problemOf = ({ ending }: ManageSieveSession, { problem }: { problem: Problem }): Problem =>
  ending.aborted && problem !== 'closed' ? 'stopping' : problem

const farewell = (problem: Problem, stopping: AbortSignal): Reply => {
  switch (problem) {
    case 'closed':
      throw new ConnectionClosed('the peer has gone')
    case 'stopping':
      return stopping.aborted ? STOPPING : bye('Your session has ended. Sign in again.')
    case 'idle':
    case 'slow':
      return bye('Connection closed after inactivity.', 'TRYLATER')
    case 'bare':
      return bye('Lines must end with CR LF, without other CR or LF.')
    case 'too_long':
    case 'too_much':
      return bye('The command is too large.')
  }
}

/** How long we wait for a peer to close its side too. */
const LINGER_MS = 2_000

/** Lets the last words arrive: closing with bytes unread would make the system drop them. */
const close = async (socket: Socket): Promise<void> => {
  if (socket.destroyed) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, LINGER_MS)
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
