import { isUtf8 } from 'node:buffer'
import { describeTls } from '../listen/listen.ts'
import { runAuth } from './auth.ts'
import { ConnectionClosed, type SmtpConnection, write } from './connection.ts'
import { runData } from './data.ts'
import type { MailParameters, RcptParameters } from './door.ts'
import { readFrom } from './input.ts'
import { readMailParameters, readRcptParameters } from './parameters.ts'
import { type Path, type PathCommand, parsePathCommand } from './paths.ts'
import { closing, type Reply, refuse, reply } from './replies.ts'

/** Null: it has been answered. */
type Command = <User, Recipient>(
  connection: SmtpConnection<User, Recipient>,
  argument: string,
) => Promise<Reply | null> | Reply

/** Runs the command of a line. Throws Refused for what handlers refuse, and ConnectionClosed when the connection has to end. */
export const runCommand = async <User, Recipient>(
  connection: SmtpConnection<User, Recipient>,
  line: Buffer,
): Promise<Reply | null> => {
  if (line.some((byte) => byte < 0x20 || byte === 0x7f))
    return reply(501, '5.5.2', 'Control characters are not allowed')
  if (!isUtf8(line)) return reply(501, '5.5.2', 'Commands must be ASCII or UTF-8')
  const text = line.toString('utf8')
  const [, verb = '', argument = ''] = /^([A-Za-z]+)(?: +(.*))?$/.exec(text.trimEnd()) ?? []
  const command = COMMANDS.get(verb.toUpperCase())
  if (!command) return unknown(connection, text)
  if (!isPlain(text) && command !== mail && command !== rcpt && command !== verify)
    return reply(501, '5.5.2', 'Only ASCII is allowed here')
  return command(connection, argument.trim())
}

const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

/** A browser that was led here must not get a second line through. */
const unknown = <User, Recipient>(_talk: SmtpConnection<User, Recipient>, text: string): Reply =>
  /^(?:GET|POST|PUT|HEAD|OPTIONS|CONNECT) .* HTTP\//i.test(text)
    ? closing(554, '5.5.1', 'This is not a web server')
    : reply(500, '5.5.1', 'Unknown command')

/** RFC 2920 §3.1: commands after which a client waits. What came already would be taken for something that it is not. */
const mustBeLast = <User, Recipient>({ input }: SmtpConnection<User, Recipient>): Reply | null =>
  input.waiting() > 0 ? closing(503, '5.5.0', 'Improper use of pipelining') : null

const HELO_NAME = /^[A-Za-z0-9._:[\]-]{1,255}$/

const helo: Command = (connection, name) => {
  const early = mustBeLast(connection)
  if (early) return early
  if (!HELO_NAME.test(name)) return reply(501, '5.5.4', 'HELO requires a host name')
  hello(connection, name, false)
  return { code: 250, status: null, text: connection.door.hostname }
}

const ehlo: Command = (connection, name) => {
  const early = mustBeLast(connection)
  if (early) return early
  if (!HELO_NAME.test(name)) return reply(501, '5.5.4', 'EHLO requires a host name')
  hello(connection, name, true)
  const { door, session, startTls } = connection
  const offers = [
    door.hostname,
    'PIPELINING',
    `SIZE ${door.maxMessageBytes}`,
    ...(startTls && !session.tls ? ['STARTTLS'] : []),
    // RFC 4954 §4: what is not allowed yet is not offered.
    ...(door.auth && session.tls && session.user === null ? ['AUTH PLAIN LOGIN'] : []),
    'ENHANCEDSTATUSCODES',
    '8BITMIME',
    'SMTPUTF8',
    'DSN',
    ...(door.auth && session.tls ? ['REQUIRETLS'] : []),
    ...(door.maxHoldSeconds > 0
      ? [`FUTURERELEASE ${door.maxHoldSeconds} ${latestHold(door.clock.now(), door.maxHoldSeconds)}`]
      : []),
  ]
  return { code: 250, status: null, text: offers.join('\n') }
}

/** RFC 4865 §4: sent as an absolute time, though it moves. */
const latestHold = (now: Date, seconds: number): string =>
  new Date(now.getTime() + seconds * 1_000).toISOString().replace(/\.\d+/, '')

const hello = <User, Recipient>(
  connection: SmtpConnection<User, Recipient>,
  name: string,
  isExtended: boolean,
): void => {
  connection.session.helo = name
  connection.session.isExtended = isExtended
  resetEnvelope(connection)
}

const resetEnvelope = <User, Recipient>(connection: SmtpConnection<User, Recipient>): void => {
  connection.session.envelope = null
  connection.recipientsTried = 0
}

const mail: Command = async (connection, argument) => {
  const { session, door } = connection
  if (session.helo === null) return reply(503, '5.5.1', 'Send EHLO first')
  if (door.auth && session.user === null)
    return session.tls
      ? reply(530, '5.7.0', 'Authentication required')
      : reply(530, '5.7.0', 'Must issue a STARTTLS command first')
  if (session.envelope) return reply(503, '5.5.1', 'Sender already specified')
  if (connection.messages >= door.limits.messages) return closing(421, '4.7.0', 'Too many messages on this connection')
  const command = parsePathCommand('FROM', argument)
  if (!command) return reply(501, '5.5.4', 'Syntax: MAIL FROM:<address>')
  const parameters = readMailParameters(command.parameters, {
    requiresTls: door.auth !== null && session.tls !== null,
    maxHoldSeconds: door.maxHoldSeconds,
    clock: door.clock,
  })
  const from = senderOf(command, parameters)
  if (parameters.size !== null && parameters.size > door.maxMessageBytes)
    return reply(552, '5.3.4', `Messages can have up to ${door.maxMessageBytes} bytes`)
  await door.mail(session, command.path, parameters)
  session.envelope = { from, parameters, recipients: [] }
  return reply(250, '2.1.0', 'Ok')
}

const senderOf = ({ path }: PathCommand, { isUtf8 }: MailParameters): string => {
  if (path.kind === 'null') return ''
  if (path.kind !== 'mailbox') return refuse(501, '5.1.7', 'Invalid address')
  if (!isPlain(path.address) && !isUtf8) return refuse(501, '5.6.7', 'The address requires SMTPUTF8')
  return path.address
}

const rcpt: Command = async (connection, argument) => {
  const { session, door } = connection
  const { envelope } = session
  if (!envelope) return reply(503, '5.5.1', 'Send MAIL first')
  connection.recipientsTried += 1
  if (connection.recipientsTried > door.limits.recipients * MAX_TRIES)
    return closing(421, '4.5.3', 'Too many recipients, closing the connection')
  if (envelope.recipients.length >= door.limits.recipients) return reply(452, '4.5.3', 'Too many recipients')
  const command = parsePathCommand('TO', argument)
  if (!command || command.path.kind === 'null') return reply(501, '5.5.4', 'Syntax: RCPT TO:<address>')
  if (!isPlain(addressOf(command.path)) && !envelope.parameters.isUtf8)
    return reply(501, '5.6.7', 'The address requires SMTPUTF8')
  const parameters: RcptParameters = readRcptParameters(command.parameters)
  const { address, value } = await door.rcpt(session, command.path, envelope)
  const known = envelope.recipients.findIndex((other) => other.address === address)
  envelope.recipients.splice(known === -1 ? envelope.recipients.length : known, 1, { address, parameters, value })
  return reply(250, '2.1.5', 'Ok')
}

const addressOf = (path: Path): string => (path.kind === 'mailbox' ? path.address : '')

/** A client that goes on after so many times the limit is not one that sends mail. */
const MAX_TRIES = 10

const data: Command = async (connection, argument) => {
  const early = mustBeLast(connection)
  if (early) return early
  if (argument !== '') return reply(501, '5.5.4', 'DATA takes no argument')
  const { envelope } = connection.session
  if (!envelope) return reply(503, '5.5.1', 'Send MAIL first')
  if (envelope.recipients.length === 0) return reply(554, '5.5.1', 'No valid recipients')
  connection.messages += 1
  try {
    return await runData(connection, envelope)
  } finally {
    resetEnvelope(connection)
  }
}

const rset: Command = (connection) => {
  resetEnvelope(connection)
  return idle(connection, reply(250, '2.0.0', 'Ok'))
}

/** Commands without effect count as errors once there are too many of them. */
const idle = <User, Recipient>(connection: SmtpConnection<User, Recipient>, answer: Reply): Reply => {
  connection.idleCommands += 1
  if (connection.idleCommands > connection.door.limits.idleCommands) connection.errors += 1
  return connection.errors >= connection.door.limits.hardErrors
    ? closing(421, '4.7.0', 'Too many commands, closing the connection')
    : answer
}

/** RFC 5321 §7.3: nobody learns here who has a mailbox. Asking often is an error. */
const verify: Command = (connection) => {
  connection.errors += 1
  return idle(
    connection,
    reply(252, '2.1.5', 'Cannot verify the user, but will accept the message and attempt delivery'),
  )
}

const startTls: Command = async (connection, argument) => {
  const { session, input, socket } = connection
  if (argument !== '') return reply(501, '5.5.4', 'STARTTLS takes no argument')
  if (session.tls || !connection.startTls) return reply(503, '5.5.1', 'STARTTLS is not available')
  // RFC 3207 §4.2 and CVE-2021-33515: what came before the handshake is discarded, with the state of the session.
  input.detach()
  await write(connection, '220 2.0.0 Ready to start TLS\r\n')
  const secured = await connection.startTls(socket).catch((error: unknown) => {
    connection.door.log.debug({ err: error, session: session.id }, 'a TLS handshake failed')
    throw new ConnectionClosed('no TLS', { cause: error })
  })
  connection.socket = secured
  connection.input = readFrom(secured, connection.stopping)
  connection.onAcknowledged = null
  Object.assign(session, { helo: null, isExtended: false, user: null, tls: describeTls(secured) })
  resetEnvelope(connection)
  return null
}

const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['HELO', helo],
  ['EHLO', ehlo],
  ['MAIL', mail],
  ['RCPT', rcpt],
  ['DATA', data],
  ['RSET', rset],
  ['NOOP', (connection) => idle(connection, reply(250, '2.0.0', 'Ok'))],
  ['HELP', (connection) => idle(connection, reply(214, '2.0.0', 'RFC 5321'))],
  ['VRFY', verify],
  ['EXPN', () => reply(502, '5.5.1', 'Not supported')],
  ['STARTTLS', startTls],
  ['AUTH', runAuth],
  ['QUIT', () => closing(221, '2.0.0', 'Bye')],
])
