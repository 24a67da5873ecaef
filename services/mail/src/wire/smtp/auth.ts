import { ConnectionClosed, type SmtpConnection, write } from './connection.ts'
import { type Reply, reply } from './replies.ts'

/** Wrong passwords on one connection. */
const MAX_FAILURES = 3

/** AUTH PLAIN (RFC 4616) and AUTH LOGIN. */
export const runAuth = async <User, Recipient>(
  connection: SmtpConnection<User, Recipient>,
  argument: string,
): Promise<Reply> => {
  const { door, session } = connection
  if (!door.auth) return reply(503, '5.5.1', 'Authentication is not available')
  if (session.helo === null || !session.isExtended) return reply(503, '5.5.1', 'Send EHLO first')
  // RFC 4954 §4: before TLS a password would be read by everybody on the way.
  if (!session.tls) return reply(538, '5.7.11', 'Encryption is required, use STARTTLS')
  if (session.user !== null) return reply(503, '5.5.1', 'Already authenticated')
  if (session.envelope) return reply(503, '5.5.1', 'Not allowed during a message')
  const [mechanism = '', initial, ...more] = argument.split(/ +/)
  if (more.length > 0) return reply(501, '5.5.2', 'Too many arguments')
  if (!/^(?:PLAIN|LOGIN)$/i.test(mechanism)) return reply(504, '5.5.4', 'Unsupported mechanism; use PLAIN or LOGIN')
  const given = /^PLAIN$/i.test(mechanism) ? await askPlain(connection, initial) : await askLogin(connection, initial)
  if ('code' in given) return given
  return check(connection, given)
}

type Given = { name: string; password: string }

const check = async <User, Recipient>(connection: SmtpConnection<User, Recipient>, given: Given): Promise<Reply> => {
  const { door, session } = connection
  const found = door.auth ? await door.auth(session, given.name, given.password) : WRONG
  if (!isReply(found)) {
    session.user = found
    return reply(235, '2.7.0', 'Authentication succeeded')
  }
  const failures = (failuresOf.get(session) ?? 0) + 1
  failuresOf.set(session, failures)
  return failures >= MAX_FAILURES ? { ...found, closes: true } : found
}

const failuresOf = new WeakMap<object, number>()

const isReply = (found: unknown): found is Reply =>
  typeof found === 'object' && found !== null && 'code' in found && 'status' in found && 'text' in found

const WRONG: Reply = reply(535, '5.7.8', 'Wrong address or password')

const askPlain = async <User, Recipient>(
  connection: SmtpConnection<User, Recipient>,
  initial: string | undefined,
): Promise<Given | Reply> => {
  const text = initial ?? (await ask(connection, ''))
  const decoded = decode(text)
  if (typeof decoded !== 'string') return decoded
  const [onBehalfOf, name, password, ...more] = decoded.split('\0')
  if (onBehalfOf === undefined || !name || !password || more.length > 0)
    return reply(501, '5.5.2', 'Malformed response')
  // One user cannot act on behalf of another.
  return onBehalfOf === '' || onBehalfOf.toLowerCase() === name.toLowerCase() ? { name, password } : WRONG
}

const askLogin = async <User, Recipient>(
  connection: SmtpConnection<User, Recipient>,
  initial: string | undefined,
): Promise<Given | Reply> => {
  const name = decode(initial ?? (await ask(connection, 'VXNlcm5hbWU6')))
  if (typeof name !== 'string') return name
  const password = decode(await ask(connection, 'UGFzc3dvcmQ6'))
  if (typeof password !== 'string') return password
  return name.includes('\0') || password.includes('\0') || name === '' || password === ''
    ? reply(501, '5.5.2', 'Malformed response')
    : { name, password }
}

const ask = async <User, Recipient>(connection: SmtpConnection<User, Recipient>, prompt: string): Promise<string> => {
  await write(connection, `334 ${prompt}\r\n`)
  const line = await connection.input.line(connection.door.limits)
  if (line.kind === 'line') return line.bytes.toString('latin1')
  await write(connection, '421 4.4.2 Closing\r\n').catch(() => undefined)
  throw new ConnectionClosed(line.problem)
}

const decode = (text: string): string | Reply => {
  if (text === '*') return reply(501, '5.7.0', 'Canceled')
  if (text === '=') return ''
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text))
    return reply(501, '5.5.2', 'Invalid base64')
  return Buffer.from(text, 'base64').toString('utf8')
}
