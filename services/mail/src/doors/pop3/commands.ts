import { readFrom } from '../../wire/smtp/smtp.ts'
import { type Drop, mark, removeMarked, unmarkAll } from './drop.ts'
import { NO_SUCH_MESSAGE, readNumber, sendList, sendMessage } from './messages.ts'
import { maySignIn, NEEDS_TLS, runAuth, runPass } from './sign-in.ts'
import { ConnectionClosed, close, err, ok, type Talk, write } from './talk.ts'

/** What it answers; null when it has. */
type Answer = Promise<string | null> | string | null
/** `takesArgument`: false for commands that have none. */
type Command = { readonly takesArgument: boolean; readonly run: (talk: Talk, argument: string) => Answer }

/** Runs one command line. */
export const runCommand = async (talk: Talk, line: Buffer): Promise<string | null> => {
  const [, name = '', argument = ''] = /^([A-Za-z0-9]{1,10})(?: (.*))?$/s.exec(line.toString('utf8')) ?? []
  const verb = name.toUpperCase()
  const command = talk.drop ? TRANSACTION.get(verb) : AUTHORIZATION.get(verb)
  if (!command) return bad(talk, isKnown(verb) ? 'Not now' : 'Unknown command')
  // A password may begin or end with spaces.
  const given = verb === 'PASS' ? argument : argument.trim()
  if (!command.takesArgument && given !== '') return bad(talk, `${verb} has no argument`)
  return command.run(talk, given)
}

/** Counts what makes no sense; whoever goes on with it is not a mail client. */
const bad = (talk: Talk, text: string): Promise<string> | string => {
  talk.badCommands += 1
  return talk.badCommands >= talk.limits.badCommands ? close(talk, err('Too many bad commands')) : err(text)
}

/** RFC 2449 §5, RFC 6856 §2: the same before and after sign-in, but not before and after TLS. */
const capa = (talk: Talk): string => {
  const names = [
    'TOP',
    'UIDL',
    'RESP-CODES',
    'AUTH-RESP-CODE',
    'PIPELINING',
    'EXPIRE NEVER',
    'UTF8 USER',
    ...(talk.startTls ? ['STLS'] : ['USER', 'SASL PLAIN']),
    'IMPLEMENTATION Stoa',
  ]
  return `${ok('What is offered')}${names.join('\r\n')}\r\n.\r\n`
}

/** RFC 2595 §4. What came before the handshake is forgotten, and so is all that was said (CVE-2021-33515). */
const stls = async (talk: Talk): Promise<string | null> => {
  const { startTls, socket, input, parts } = talk
  if (!startTls) return bad(talk, 'TLS is on already')
  input.detach()
  await write(talk, ok('Begin'))
  const secured = await startTls(socket).catch((error: unknown) => {
    parts.log.debug({ err: error }, 'a TLS handshake failed')
    throw new ConnectionClosed('no TLS', { cause: error })
  })
  talk.socket = secured
  talk.input = readFrom(secured, talk.ending)
  talk.startTls = null
  talk.user = null
  return null
}

const user = (talk: Talk, name: string): Answer => {
  if (!maySignIn(talk)) return NEEDS_TLS
  if (name === '') return bad(talk, 'USER needs an address')
  talk.user = name
  return ok('And the password')
}

const AUTHORIZATION = new Map<string, Command>([
  ['CAPA', { takesArgument: false, run: capa }],
  ['STLS', { takesArgument: false, run: stls }],
  // RFC 6856 §2: whatever is said, messages are sent as they were received.
  ['UTF8', { takesArgument: false, run: () => ok('UTF-8') }],
  ['USER', { takesArgument: true, run: user }],
  ['PASS', { takesArgument: true, run: (talk, text) => (maySignIn(talk) ? runPass(talk, text) : NEEDS_TLS) }],
  ['AUTH', { takesArgument: true, run: (talk, text) => (maySignIn(talk) ? runAuth(talk, text) : NEEDS_TLS) }],
  ['NOOP', { takesArgument: false, run: () => ok() }],
  ['QUIT', { takesArgument: false, run: (talk) => close(talk, ok('Bye')) }],
])

/** A command on the messages. */
const inDrop =
  (run: (talk: Talk, drop: Drop, argument: string) => Answer) =>
  (talk: Talk, argument: string): Answer =>
    talk.drop ? run(talk, talk.drop, argument) : bad(talk, 'Not now')

const retr = inDrop((talk, drop, argument) => {
  const message = readNumber(drop, argument)
  return message ? sendMessage(talk, drop, { message }) : NO_SUCH_MESSAGE
})

const top = inDrop((talk, drop, argument) => {
  const [, number = '', lines = ''] = /^(\S+) +(\d{1,9})$/.exec(argument) ?? []
  if (lines === '') return bad(talk, 'TOP needs the number of a message and of lines')
  const message = readNumber(drop, number)
  return message ? sendMessage(talk, drop, { message, bodyLines: Number(lines) }) : NO_SUCH_MESSAGE
})

const dele = inDrop((_talk, drop, argument) => {
  const message = readNumber(drop, argument)
  if (!message) return NO_SUCH_MESSAGE
  mark(drop, message)
  return ok('Leaves at QUIT')
})

const rset = inDrop((_talk, drop) => {
  unmarkAll(drop)
  return ok(`${drop.count} messages, ${drop.octets} octets`)
})

/** RFC 1939 §6: the update state. */
const quit = inDrop(async (talk, drop) => {
  const { database, clock, log } = talk.parts
  try {
    await removeMarked(database, drop, clock.now)
  } catch (error) {
    log.error({ err: error, addressId: drop.addressId }, 'messages could not be removed')
    return close(talk, err('[SYS/TEMP] Some deleted messages were not removed'))
  }
  return close(talk, ok('Bye'))
})

const TRANSACTION = new Map<string, Command>([
  ['CAPA', { takesArgument: false, run: capa }],
  ['STAT', { takesArgument: false, run: inDrop((_talk, drop) => ok(`${drop.count} ${drop.octets}`)) }],
  [
    'LIST',
    {
      takesArgument: true,
      run: inDrop((talk, drop, argument) =>
        sendList(talk, drop, { argument, lineOf: ({ index, octets }) => `${index + 1} ${octets}` }),
      ),
    },
  ],
  [
    'UIDL',
    {
      takesArgument: true,
      run: inDrop((talk, drop, argument) =>
        sendList(talk, drop, { argument, lineOf: ({ index, uid }) => `${index + 1} ${drop.uidValidity}.${uid}` }),
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
