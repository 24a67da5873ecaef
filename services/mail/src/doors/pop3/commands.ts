import { readFrom } from '../../wire/smtp/smtp.ts'
import { type Drop, mark, removeMarked, unmarkAll } from './drop.ts'
import { NO_SUCH_MESSAGE, readNumber, sendList, sendMessage } from './messages.ts'
import { ConnectionClosed, close, err, ok, type Pop3Session, write } from './session.ts'
import { maySignIn, NEEDS_TLS, runAuth, runPass } from './sign-in.ts'

/** The response to send; null once it has been sent. */
type Answer = Promise<string | null> | string | null
/** `takesArgument`: false for commands that have none. */
type Command = { readonly takesArgument: boolean; readonly run: (session: Pop3Session, argument: string) => Answer }

/** Runs one command line. */
export const runCommand = async (session: Pop3Session, line: Buffer): Promise<string | null> => {
  const [, name = '', argument = ''] = /^([A-Za-z0-9]{1,10})(?: (.*))?$/s.exec(line.toString('utf8')) ?? []
  const verb = name.toUpperCase()
  const command = session.drop ? TRANSACTION.get(verb) : AUTHORIZATION.get(verb)
  if (!command) return bad(session, isKnown(verb) ? 'Not allowed now' : 'Unknown command')
  // A password may begin or end with spaces.
  const given = verb === 'PASS' ? argument : argument.trim()
  if (!command.takesArgument && given !== '') return bad(session, `${verb} takes no argument`)
  return command.run(session, given)
}

/** Counts invalid commands; a peer that keeps sending them is not a mail client. */
const bad = (session: Pop3Session, text: string): Promise<string> | string => {
  session.badCommands += 1
  return session.badCommands >= session.limits.badCommands
    ? close(session, err('Too many invalid commands'))
    : err(text)
}

/** RFC 2449 §5, RFC 6856 §2: the same before and after sign-in, but not before and after TLS. */
const capa = (session: Pop3Session): string => {
  const names = [
    'TOP',
    'UIDL',
    'RESP-CODES',
    'AUTH-RESP-CODE',
    'PIPELINING',
    'EXPIRE NEVER',
    'UTF8 USER',
    ...(session.startTls ? ['STLS'] : ['USER', 'SASL PLAIN']),
    'IMPLEMENTATION Stoa',
  ]
  return `${ok('Capabilities')}${names.join('\r\n')}\r\n.\r\n`
}

/** RFC 2595 §4. What came before the handshake is discarded, and the session starts over (CVE-2021-33515). */
const stls = async (session: Pop3Session): Promise<string | null> => {
  const { startTls, socket, input, parts } = session
  if (!startTls) return bad(session, 'TLS is already active')
  input.detach()
  await write(session, ok('Begin TLS negotiation'))
  const secured = await startTls(socket).catch((error: unknown) => {
    parts.log.debug({ err: error }, 'a TLS handshake failed')
    throw new ConnectionClosed('no TLS', { cause: error })
  })
  session.socket = secured
  session.input = readFrom(secured, session.ending)
  session.startTls = null
  session.user = null
  return null
}

const user = (session: Pop3Session, name: string): Answer => {
  if (!maySignIn(session)) return NEEDS_TLS
  if (name === '') return bad(session, 'USER requires an email address')
  session.user = name
  return ok('Send the password')
}

const AUTHORIZATION = new Map<string, Command>([
  ['CAPA', { takesArgument: false, run: capa }],
  ['STLS', { takesArgument: false, run: stls }],
  // RFC 6856 §2: messages are always sent as they were received.
  ['UTF8', { takesArgument: false, run: () => ok('UTF-8') }],
  ['USER', { takesArgument: true, run: user }],
  ['PASS', { takesArgument: true, run: (session, text) => (maySignIn(session) ? runPass(session, text) : NEEDS_TLS) }],
  ['AUTH', { takesArgument: true, run: (session, text) => (maySignIn(session) ? runAuth(session, text) : NEEDS_TLS) }],
  ['NOOP', { takesArgument: false, run: () => ok() }],
  ['QUIT', { takesArgument: false, run: (session) => close(session, ok('Bye')) }],
])

/** A command on the messages. */
const inDrop =
  (run: (session: Pop3Session, drop: Drop, argument: string) => Answer) =>
  (session: Pop3Session, argument: string): Answer =>
    session.drop ? run(session, session.drop, argument) : bad(session, 'Sign in first')

const retr = inDrop((session, drop, argument) => {
  const message = readNumber(drop, argument)
  return message ? sendMessage(session, drop, { message }) : NO_SUCH_MESSAGE
})

const top = inDrop((session, drop, argument) => {
  const [, number = '', lines = ''] = /^(\S+) +(\d{1,9})$/.exec(argument) ?? []
  if (lines === '') return bad(session, 'TOP requires a message number and a number of lines')
  const message = readNumber(drop, number)
  return message ? sendMessage(session, drop, { message, bodyLines: Number(lines) }) : NO_SUCH_MESSAGE
})

const dele = inDrop((_talk, drop, argument) => {
  const message = readNumber(drop, argument)
  if (!message) return NO_SUCH_MESSAGE
  mark(drop, message)
  return ok('Marked for deletion')
})

const rset = inDrop((_talk, drop) => {
  unmarkAll(drop)
  return ok(`${drop.count} messages, ${drop.octets} octets`)
})

/** RFC 1939 §6: the update state. */
const quit = inDrop(async (session, drop) => {
  const { database, clock, log } = session.parts
  try {
    await removeMarked(database, drop, clock.now)
  } catch (error) {
    log.error({ err: error, addressId: drop.addressId }, 'messages could not be removed')
    return close(session, err('[SYS/TEMP] Some deleted messages were not removed'))
  }
  return close(session, ok('Bye'))
})

const TRANSACTION = new Map<string, Command>([
  ['CAPA', { takesArgument: false, run: capa }],
  ['STAT', { takesArgument: false, run: inDrop((_talk, drop) => ok(`${drop.count} ${drop.octets}`)) }],
  [
    'LIST',
    {
      takesArgument: true,
      run: inDrop((session, drop, argument) =>
        sendList(session, drop, { argument, lineOf: ({ index, octets }) => `${index + 1} ${octets}` }),
      ),
    },
  ],
  [
    'UIDL',
    {
      takesArgument: true,
      run: inDrop((session, drop, argument) =>
        sendList(session, drop, { argument, lineOf: ({ index, uid }) => `${index + 1} ${drop.uidValidity}.${uid}` }),
      ),
    },
  ],
  ['RETR', { takesArgument: true, run: retr }],
  ['TOP', { takesArgument: true, run: top }],
  ['DELE', { takesArgument: true, run: dele }],
  ['RSET', { takesArgument: false, run: rset }],
  ['NOOP', { takesArgument: false, run: () => ok() }],
  ['QUIT', { takesArgument: false, run: quit }],
])

const isKnown = (verb: string): boolean => AUTHORIZATION.has(verb) || TRANSACTION.has(verb)
