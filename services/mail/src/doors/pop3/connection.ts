import type { Socket } from 'node:net'
import { type RefusalKind, StoreRefusal } from '../../store/store.ts'
import type { Connection } from '../../wire/listen/listen.ts'
import { type LineProblem, readFrom } from '../../wire/smtp/smtp.ts'
import { runCommand } from './commands.ts'
import type { Pop3Limits } from './limits.ts'
import { ConnectionClosed, close, err, ok, type Pop3Parts, type Pop3Session, write } from './session.ts'

/** Talks POP3 with one client until either side ends it. Only QUIT removes what the client marked. */
export const servePop3 = async (
  connection: Connection,
  { parts, limits, stopping }: { parts: Pop3Parts; limits: Pop3Limits; stopping: AbortSignal },
): Promise<void> => {
  const revoked = new AbortController()
  const ending = AbortSignal.any([stopping, revoked.signal])
  const { socket, early, startTls, ip } = connection
  const input = readFrom(socket, ending)
  input.putBack(early)
  const session: Pop3Session = {
    parts,
    limits,
    ip,
    ending,
    end: () => revoked.abort(),
    socket,
    input,
    startTls,
    user: null,
    drop: null,
    leave: () => undefined,
    failures: 0,
    badCommands: 0,
    commands: 0,
  }
  try {
    await write(session, ok(`${parts.config.hostname} POP3`))
    for (;;) await turn(session)
  } catch (error) {
    if (!(error instanceof ConnectionClosed)) parts.log.error({ err: error }, 'a POP3 session failed')
  } finally {
    session.leave()
    await end(session.socket)
  }
}

const turn = async (session: Pop3Session): Promise<void> => {
  const { limits, input, drop, ending } = session
  const line = await input.line(drop ? limits : { ...limits, idleMs: limits.strangerMs })
  if (line.kind === 'problem') return close(session, PROBLEMS[line.problem])
  if (ending.aborted) return close(session, PROBLEMS.stopping)
  session.commands += 1
  if (!drop && session.commands > limits.strangerCommands) return close(session, err('Too many commands'))
  const answer = await runCommand(session, line.bytes).catch((error: unknown) => failed(session, error))
  if (answer !== null) await write(session, answer)
}

/** The error response. A StoreRefusal comes before any of the response was sent. */
const failed = (session: Pop3Session, error: unknown): string => {
  if (error instanceof ConnectionClosed) throw error
  if (error instanceof StoreRefusal) return err(REFUSALS[error.kind])
  session.parts.log.error({ err: error }, 'a POP3 command failed')
  return err('[SYS/TEMP] Try again later')
}

const PROBLEMS: Record<LineProblem, string> = {
  closed: '',
  stopping: err('[SYS/TEMP] Closing the connection, try again'),
  idle: err('[SYS/TEMP] Connection closed after inactivity'),
  slow: err('[SYS/TEMP] Timed out'),
  bare: err('Lines must end with CR LF'),
  too_long: err('The line is too long'),
}

const REFUSALS: Record<RefusalKind, string> = {
  no_such_folder: '[SYS/PERM] The inbox does not exist',
  folder_exists: '[SYS/TEMP] Try again later',
  folder_has_children: '[SYS/TEMP] Try again later',
  folder_not_empty: '[SYS/TEMP] Try again later',
  folder_protected: '[SYS/TEMP] Try again later',
  bad_name: '[SYS/TEMP] Try again later',
  role_taken: '[SYS/TEMP] Try again later',
  no_such_message: 'The message no longer exists',
  no_such_blob: '[SYS/PERM] The message is damaged',
  over_quota: '[SYS/TEMP] The mailbox is full',
  too_many: '[SYS/TEMP] Try again later',
  too_large: '[SYS/PERM] The message is too large',
  state_mismatch: '[SYS/TEMP] Try again later',
}

/** Lets the last words arrive: closing with bytes unread would make the system drop them. */
const end = async (socket: Socket): Promise<void> => {
  if (socket.destroyed) return
  while (socket.writableCorked > 0) socket.uncork()
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

/** How long we wait for a peer to close its side too. */
const LINGER_MS = 2_000
