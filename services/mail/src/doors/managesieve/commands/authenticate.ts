import type { CredentialAnswer } from '../../../hosting/addresses/addresses.ts'
import { bytesOf, textOf } from '../arguments.ts'
import { write } from '../output.ts'
import { readString } from '../read-command.ts'
import { bye, no, ok, type Reply } from '../replies.ts'
import { type Command, ConnectionClosed, type ManageSieveSession } from '../session.ts'

/** RFC 5804 §2.1 with PLAIN (RFC 4616), whose response may come with the command or when it is asked for. */
export const authenticate: Command = {
  name: 'AUTHENTICATE',
  isOpen: true,
  takes: ['string', '?', 'string'],
  async run(session, [mechanism, initial]) {
    if (session.signIn) return no('You are already signed in.')
    if (textOf(mechanism).toUpperCase() !== 'PLAIN') return no('Only PLAIN is supported.')
    // Before TLS a password would be read by everybody on the way.
    if (!session.isSecure) return no('Encryption is required. Use STARTTLS.', 'ENCRYPT-NEEDED')
    const response = initial ? bytesOf(initial).toString('latin1') : await ask(session)
    if (response === null || response === '*') return no('Sign-in was canceled.')
    const given = readPlain(response)
    return given ? signIn(session, given) : no('Malformed response.')
  },
}

const ask = async (session: ManageSieveSession): Promise<string | null> => {
  await write(session, '""\r\n')
  const { limits } = session
  const answer = await readString(session, {
    ...limits,
    literalBytes: limits.earlyLiteralBytes,
    idleMs: limits.earlyIdleMs,
  })
  if (answer.kind === 'gone') throw new ConnectionClosed(answer.problem)
  const [response, ...more] = answer.kind === 'command' ? answer.args : []
  return response?.kind === 'string' && more.length === 0 ? response.bytes.toString('latin1') : null
}

type GivenPassword = { email: string; password: string }

const readPlain = (response: string): GivenPassword | null => {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(response)) return null
  const [onBehalfOf, email, password, ...more] = Buffer.from(response, 'base64').toString('utf8').split('\0')
  if (onBehalfOf === undefined || !email || !password || more.length > 0) return null
  // One user cannot act on behalf of another.
  return onBehalfOf === '' || onBehalfOf.toLowerCase() === email.toLowerCase() ? { email, password } : null
}

const signIn = async (session: ManageSieveSession, given: GivenPassword): Promise<Reply> => {
  const { parts, ip, limits } = session
  const answer = await parts.credentials.check({ ...given, scope: 'managesieve', ip })
  if (!answer.ok) return refused(session, answer)
  const leave = await parts.live.enter(answer, { limit: limits.perAddress, end: () => session.end() })
  if (!leave) return no('Too many connections to this mailbox. Close one and try again.', 'TRYLATER')
  session.signIn = answer
  session.leave = leave
  return ok('Signed in.')
}

const refused = (session: ManageSieveSession, { reason }: Extract<CredentialAnswer, { ok: false }>): Reply => {
  session.failures += 1
  const isLast = session.failures >= session.limits.failures
  if (reason === 'limited') return (isLast ? bye : no)('Too many failed sign-ins. Try again later.', 'TRYLATER')
  return (isLast ? bye : no)('Wrong address or password.')
}
