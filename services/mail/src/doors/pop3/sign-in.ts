import { setTimeout as sleep } from 'node:timers/promises'
import type { SignIn } from '../../principal.ts'
import { readPlain } from '../../wire/listen/listen.ts'
import { openDrop } from './drop.ts'
import { close, err, ok, type Pop3Session, write } from './session.ts'

/** Whether names and passwords may be sent: not over a connection that others can read. */
export const maySignIn = ({ startTls }: Pop3Session): boolean => startTls === null

export const NEEDS_TLS = err('Encryption is required, use STLS')

/** RFC 1939 §7. The answer to the name alone does not show whether it exists. */
export const runPass = async (session: Pop3Session, password: string): Promise<string> => {
  const { user } = session
  if (user === null) return err('Send USER first')
  session.user = null
  return signIn(session, { email: user, password })
}

/** RFC 5034: PLAIN, at once or after we asked. Without a mechanism, the list of them, as some clients want it. */
export const runAuth = async (session: Pop3Session, argument: string): Promise<string> => {
  if (argument === '') return `${ok()}PLAIN\r\n.\r\n`
  const [mechanism = '', initial, ...more] = argument.split(' ')
  if (!/^plain$/i.test(mechanism)) return err('Only PLAIN is supported')
  if (more.length > 0) return err('Too many arguments')
  const said = initial === undefined ? await ask(session) : initial === '=' ? '' : initial
  if (said === '*') return err('Canceled')
  const given = readPlain(said)
  return given ? signIn(session, given) : err('Malformed response')
}

const ask = async (session: Pop3Session): Promise<string> => {
  await write(session, '+ \r\n')
  const { limits, input } = session
  const line = await input.line({ ...limits, idleMs: limits.strangerMs })
  return line.kind === 'line' ? line.bytes.toString('latin1') : close(session, err('[SYS/TEMP] Closing'))
}

const signIn = async (session: Pop3Session, given: { email: string; password: string }): Promise<string> => {
  const { parts, limits, ip, ending } = session
  const answer = await parts.credentials.check({ ...given, scope: 'pop3', ip })
  if (answer.ok) return enter(session, answer)
  session.failures += 1
  await sleep(limits.failureMs, undefined, { signal: ending }).catch(() => undefined)
  // RFC 3206: only AUTH makes a client ask its person for another password.
  const text =
    answer.reason === 'wrong'
      ? '[AUTH] Wrong address or password'
      : '[SYS/TEMP] Too many failed sign-ins, try again later'
  return session.failures >= limits.failedSignIns ? close(session, err(text)) : err(text)
}

const enter = async (session: Pop3Session, who: SignIn): Promise<string> => {
  const { parts, end } = session
  const leave = await parts.live.enter(who, { limit: parts.config.imapMaxPerUser, end })
  if (!leave) return close(session, err('[IN-USE] Too many connections to this mailbox'))
  session.leave = leave
  const drop = await openDrop(parts.database.db, who)
  if (!drop) return close(session, err('[SYS/PERM] This mailbox has no inbox'))
  session.drop = drop
  return ok(`${drop.count} messages, ${drop.octets} octets`)
}
