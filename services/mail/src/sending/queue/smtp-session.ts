import { once } from 'node:events'
import type { Socket } from 'node:net'
import { isIP } from 'node:net'
import tls, { type TLSSocket } from 'node:tls'
import { startDeadline } from '@stoa/kit/egress/deadline.ts'
import { dial } from '@stoa/kit/egress/dial.ts'
import { EgressFailed } from '@stoa/kit/egress/errors.ts'
import { matchesTlsa } from './dane.ts'
import { openLine, SmtpFailure, type SmtpLine, type SmtpTimeouts } from './smtp-connection.ts'
import type { Reply } from './smtp-replies.ts'
import type { TlsPolicy, TlsResult } from './tls-policy.ts'

/** A peer that has been greeted and is ready for a message. */
export type SmtpSession = {
  readonly line: SmtpLine
  readonly host: string
  readonly ip: string
  /** The protocol and cipher, or null without TLS. */
  readonly tls: string | null
  readonly policy: TlsPolicy
  /** The extensions of the EHLO response, names in upper case. */
  readonly extensions: ReadonlyMap<string, string>
  /** Messages so far. */
  sent: number
  /** Whether the peer still thinks of an earlier envelope. */
  needsReset: boolean
}

export type SessionInput = {
  host: string
  addresses: readonly string[]
  port: number
  /** The name that we give. */
  hostname: string
  policy: TlsPolicy
  /** TLS from the first byte, as some smart hosts want it. */
  isImplicit?: boolean
  /** Not even tried: the peer offers it and cannot do it. */
  withoutTls?: boolean
  credentials?: { user: string; password: string } | undefined
  trustedCa?: readonly string[] | undefined
  timeouts: SmtpTimeouts
  now: () => Date
  signal: AbortSignal
  /** Receives the result of TLS, for the reports of RFC 8460. */
  onTls: (result: TlsResult) => void
}

/** Connects, greets, secures and signs in. Throws `SmtpFailure`; nothing of a message has been sent then. */
export const openSession = async (input: SessionInput): Promise<SmtpSession> => {
  const socket = await connect(input)
  const onAbort = () => socket.destroy()
  input.signal.addEventListener('abort', onAbort)
  try {
    return await establish(input, socket)
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    input.signal.removeEventListener('abort', onAbort)
  }
}

const connect = async (input: SessionInput): Promise<Socket> => {
  const deadline = startDeadline(input.timeouts.connect, input.signal)
  try {
    return await dial(input.addresses, input.port, deadline.signal)
  } catch (cause) {
    const isLate = cause instanceof EgressFailed && cause.reason === 'timeout'
    throw new SmtpFailure('connect', isLate ? 'connection timed out' : 'connection failed', {
      cause,
    })
  } finally {
    deadline.end()
  }
}

const establish = async (input: SessionInput, plain: Socket): Promise<SmtpSession> => {
  const ip = plain.remoteAddress ?? ''
  const first = input.isImplicit ? await secure(plain, input) : plain
  let line = openLine(first)
  const greeting = await line.reply(input.timeouts.greeting)
  if (greeting.code !== 220) throw rejected('the server is not accepting mail right now', greeting)
  let extensions = await greet(line, input)
  let secured = first instanceof tls.TLSSocket ? first : null
  if (!secured && !input.withoutTls && extensions.has('STARTTLS')) {
    secured = await startTls(line, input)
    line = openLine(secured)
    extensions = await greet(line, input)
  } else if (!secured) {
    input.onTls('starttls-not-supported')
    if (input.policy.kind !== 'opportunistic') throw new SmtpFailure('tls', 'the server does not offer TLS')
  }
  if (input.credentials) await signIn(line, extensions, input.credentials, input.timeouts.command)
  const { host, policy } = input
  return { line, host, ip, tls: secured && describe(secured), policy, extensions, sent: 0, needsReset: false }
}

const describe = (socket: TLSSocket): string => `${socket.getProtocol() ?? 'TLS'} ${socket.getCipher().name}`

const greet = async (line: SmtpLine, { hostname, timeouts }: SessionInput): Promise<Map<string, string>> => {
  line.send([`EHLO ${hostname}`])
  const reply = await line.reply(timeouts.command)
  if (reply.code === 250) return extensionsOf(reply)
  if (reply.code === 421 || reply.code < 500) throw rejected('the server is not accepting mail right now', reply)
  // RFC 5321 §4.1.4: an old server knows HELO only.
  line.send([`HELO ${hostname}`])
  const plain = await line.reply(timeouts.command)
  if (plain.code !== 250) throw rejected('the server rejected our host name', plain)
  return new Map()
}

const extensionsOf = ({ lines }: Reply): Map<string, string> =>
  new Map(
    lines.slice(1).map((text) => {
      const [name = '', ...rest] = text.split(/[ =]/)
      return [name.toUpperCase(), rest.join(' ')]
    }),
  )

const startTls = async (line: SmtpLine, input: SessionInput): Promise<TLSSocket> => {
  line.send(['STARTTLS'])
  const reply = await line.reply(input.timeouts.command)
  if (reply.code !== 220) {
    input.onTls('starttls-not-supported')
    throw new SmtpFailure('tls', 'the server offered TLS but refused it', { reply })
  }
  return secure(line.detach(), input)
}

/** TLS on the connection, and the certificate judged by the policy. */
const secure = async (plain: Socket, input: SessionInput): Promise<TLSSocket> => {
  const { host, policy, timeouts } = input
  const socket = tls.connect({
    socket: plain,
    host,
    // RFC 6066 §3: an address is never sent as a server name.
    ...(isIP(host) ? {} : { servername: host }),
    ...(input.trustedCa ? { ca: [...tls.getCACertificates('default'), ...input.trustedCa] } : {}),
    minVersion: 'TLSv1.2',
    // Whether it may go on is decided below, by the policy of this host.
    rejectUnauthorized: false,
  })
  try {
    const deadline = AbortSignal.timeout(timeouts.tls)
    await Promise.race([
      once(socket, 'secureConnect', { signal: AbortSignal.any([deadline, input.signal]) }),
      once(socket, 'close').then(() => Promise.reject(new Error('connection closed during the TLS handshake'))),
    ])
  } catch (cause) {
    socket.on('error', ignoreLateError).destroy()
    input.onTls('validation-failure')
    throw new SmtpFailure('tls', 'the TLS handshake failed', { cause })
  }
  const problem = judge(socket, policy, input.now())
  input.onTls(problem ?? 'success')
  if (problem !== null && policy.kind !== 'opportunistic') {
    socket.on('error', ignoreLateError).destroy()
    throw new SmtpFailure('tls', `the certificate was not accepted: ${problem}`)
  }
  return socket
}

/** What is wrong with the certificate under this policy. One that no policy requires is never wrong. */
const judge = (socket: TLSSocket, policy: TlsPolicy, now: Date): TlsResult | null => {
  if (policy.kind === 'dane')
    return matchesTlsa(socket, policy.records, { names: policy.names, now }) ? null : 'validation-failure'
  // Under a policy that is being tried out, what would fail is counted.
  const isChecked = policy.kind === 'verified' || policy.counted === 'sts'
  if (!isChecked || socket.authorized) return null
  const reason = String(socket.authorizationError)
  if (reason.includes('ALTNAME')) return 'certificate-host-mismatch'
  if (reason.includes('EXPIRED')) return 'certificate-expired'
  return 'certificate-not-trusted'
}

const signIn = async (
  line: SmtpLine,
  extensions: ReadonlyMap<string, string>,
  { user, password }: { user: string; password: string },
  timeoutMs: number,
): Promise<void> => {
  const offered = (extensions.get('AUTH') ?? '').toUpperCase().split(' ')
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const ask = async (command: string) => {
    line.send([command])
    return line.reply(timeoutMs)
  }
  let reply: Reply
  if (offered.includes('PLAIN') || !offered.includes('LOGIN')) {
    reply = await ask(`AUTH PLAIN ${base64(`\0${user}\0${password}`)}`)
  } else {
    reply = await ask('AUTH LOGIN')
    if (reply.code === 334) reply = await ask(base64(user))
    if (reply.code === 334) reply = await ask(base64(password))
  }
  if (reply.code !== 235) throw rejected('the relay rejected the credentials', reply)
}

const rejected = (message: string, reply: Reply): SmtpFailure => new SmtpFailure('rejected', message, { reply })

/** The failure has been reported; a destroyed socket may still complain once. */
const ignoreLateError = () => undefined
