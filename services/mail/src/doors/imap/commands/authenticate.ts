import { isUtf8 } from 'node:buffer'
import { type Completion, defineCommand, no } from '../command.ts'
import { bad } from '../parse/bad-command.ts'
import type { ImapSession } from '../session.ts'
import { finishSignIn, NEEDS_TLS, signInByPassword } from '../sign-in.ts'

type Mechanism = (session: ImapSession, initial: string | null) => Promise<Completion>

/** RFC 9051 §6.2.2, with an initial response (RFC 4959). */
export const authenticate = defineCommand({
  name: 'AUTHENTICATE',
  states: ['start'],
  capabilities: () => ['SASL-IR'],
  parse(args) {
    const mechanism = args.keyword()
    const initial = args.take(' ') ? (args.match(/[A-Za-z0-9+/=]+/y) ?? bad('Expected base64')) : null
    return { mechanism, initial }
  },
  async run(session, { mechanism, initial }) {
    if (!session.connection.isSecure) return NEEDS_TLS
    const run = MECHANISMS[mechanism]
    return run ? run(session, initial) : no('Unsupported mechanism; use PLAIN, LOGIN or OAUTHBEARER', 'CANNOT')
  },
})

/** RFC 4616. */
const plain: Mechanism = async (session, initial) => {
  const [onBehalfOf, email, password, ...more] = decode(initial ?? (await session.connection.ask(''))).split('\0')
  if (onBehalfOf === undefined || !email || !password || more.length > 0) return bad(NOT_WELL_FORMED)
  // One user cannot act on behalf of another.
  if (onBehalfOf !== '' && onBehalfOf.toLowerCase() !== email.toLowerCase())
    return no('You can only sign in as yourself', 'AUTHORIZATIONFAILED')
  return signInByPassword(session, { email, password })
}

const loginByPrompts: Mechanism = async (session, initial) => {
  const email = decode(initial ?? (await session.connection.ask('VXNlcm5hbWU6')))
  const password = decode(await session.connection.ask('UGFzc3dvcmQ6'))
  return email === '' || password === '' ? bad(NOT_WELL_FORMED) : signInByPassword(session, { email, password })
}

/** RFC 7628, with an app password as the token. */
const oauthBearer: Mechanism = async (session, initial) => {
  const { parts, ip, connection } = session
  const given = readBearer(decode(initial ?? (await connection.ask(''))))
  const answer = await parts.credentials.checkToken({ token: given.token, scope: 'imap', ip })
  const isTheirs = answer.ok && (given.email === '' || answer.address.email === given.email)
  if (isTheirs) return finishSignIn(session, answer)
  // RFC 7628 §3.2.3: the client gets the reason, and acknowledges it.
  await connection.ask(INVALID_TOKEN)
  return finishSignIn(session, answer.ok ? { ok: false, reason: 'wrong' } : answer)
}

/** RFC 7628 §3.1: a GS2 header, then `key=value` pairs, each before a ^A, and one more at the end. */
const readBearer = (said: string): { email: string; token: string } => {
  const [head = '', ...pairs] = said.split(SEPARATOR)
  const name = /^[ny],(?:a=([^,]*))?,$/.exec(head)
  const token = pairs.map((pair) => /^auth=Bearer +(\S+)$/i.exec(pair)?.[1]).find((found) => found !== undefined)
  if (!name || token === undefined || !said.endsWith(SEPARATOR + SEPARATOR)) return bad(NOT_WELL_FORMED)
  return { email: (name[1] ?? '').replace(/=2C/gi, ',').replace(/=3D/gi, '=').toLowerCase(), token }
}

const SEPARATOR = '\x01'
const INVALID_TOKEN = Buffer.from('{"status":"invalid_token"}').toString('base64')

const MECHANISMS: Readonly<Record<string, Mechanism>> = {
  PLAIN: plain,
  LOGIN: loginByPrompts,
  OAUTHBEARER: oauthBearer,
}

const NOT_WELL_FORMED = 'Malformed response'

const decode = (text: string): string => {
  if (text === '*') return bad('Canceled')
  if (text === '=') return ''
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return bad('Invalid base64')
  const bytes = Buffer.from(text, 'base64')
  return isUtf8(bytes) ? bytes.toString('utf8') : bad(NOT_WELL_FORMED)
}
