import { setTimeout as sleep } from 'node:timers/promises'
import type { SignIn } from '../../principal.ts'
import { readPlain } from '../../wire/listen/listen.ts'
import { openDrop } from './drop.ts'
import { close, err, ok, type Talk, write } from './talk.ts'

/** Whether names and passwords may be said: a wire that everybody on the way can read is none for them. */
export const maySignIn = ({ startTls }: Talk): boolean => startTls === null

export const NEEDS_TLS = err('Say STLS first: passwords need an encrypted connection')

/** RFC 1939 §7. The name alone says nothing about whether it exists. */
export const runPass = async (talk: Talk, password: string): Promise<string> => {
  const { user } = talk
  if (user === null) return err('USER comes first')
  talk.user = null
  return signIn(talk, { email: user, password })
}

/** RFC 5034: PLAIN, at once or after we asked. Without a mechanism, the list of them, as some clients want it. */
export const runAuth = async (talk: Talk, argument: string): Promise<string> => {
  if (argument === '') return `${ok()}PLAIN\r\n.\r\n`
  const [mechanism = '', initial, ...more] = argument.split(' ')
  if (!/^plain$/i.test(mechanism)) return err('PLAIN is what there is')
  if (more.length > 0) return err('Too many arguments')
  const said = initial === undefined ? await ask(talk) : initial === '=' ? '' : initial
  if (said === '*') return err('Canceled')
  const given = readPlain(said)
  return given ? signIn(talk, given) : err('The response is not well-formed')
}

const ask = async (talk: Talk): Promise<string> => {
  await write(talk, '+ \r\n')
  const { limits, input } = talk
  const line = await input.line({ ...limits, idleMs: limits.strangerMs })
  return line.kind === 'line' ? line.bytes.toString('latin1') : close(talk, err('[SYS/TEMP] Closing'))
}

const signIn = async (talk: Talk, given: { email: string; password: string }): Promise<string> => {
  const { parts, limits, ip, ending } = talk
  const answer = await parts.credentials.check({ ...given, scope: 'pop3', ip })
  if (answer.ok) return enter(talk, answer)
  talk.failures += 1
  await sleep(limits.failureMs, undefined, { signal: ending }).catch(() => undefined)
  // RFC 3206: only AUTH makes a client ask its person for another password.
  const text =
    answer.reason === 'wrong'
      ? '[AUTH] The address or the password is wrong'
      : '[SYS/TEMP] Too many wrong passwords, try again later'
  return talk.failures >= limits.failedSignIns ? close(talk, err(text)) : err(text)
}

const enter = async (talk: Talk, who: SignIn): Promise<string> => {
  const { parts, end } = talk
  const leave = parts.live.enter(who, { limit: parts.config.imapMaxPerUser, end })
  if (!leave) return close(talk, err('[IN-USE] Too many connections of this mailbox'))
  talk.leave = leave
  const drop = await openDrop(parts.database.db, who)
  if (!drop) return close(talk, err('[SYS/PERM] This mailbox has no inbox'))
  talk.drop = drop
  return ok(`${drop.count} messages, ${drop.octets} octets`)
}
