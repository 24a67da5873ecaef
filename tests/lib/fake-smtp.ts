import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { selfSignedCertificate, type TestCertificate } from './certificate.ts'
import { until } from './waiting.ts'

/** The moments at which a test can interfere: greeting, MAIL, each RCPT, and the end of the message. */
export type SmtpStage = 'connect' | 'mail' | 'rcpt' | 'message'

/**
 * What happens instead of a plain acceptance. `cut` ends the connection: `before-effect` as if the command had never
 * arrived, `before-reply` when it took effect but the reply is lost, `after-reply` right behind the reply.
 */
export type SmtpAction = {
  delayMs?: number
  reply?: { code: number; text: string }
  cut?: 'before-effect' | 'before-reply' | 'after-reply'
}

export type SmtpMoment = {
  stage: SmtpStage
  /** The address of this MAIL or RCPT. */
  address?: string
  envelope: { from: string; to: string[] }
}

export type ReceivedMail = {
  /** Empty for the null sender. */
  from: string
  to: string[]
  /** ESMTP parameters of MAIL and of each RCPT, as smtp-server read them. */
  args: { from: object; to: object[] }
  /** The message exactly as it was before dot-stuffing. */
  raw: Buffer
  isSecure: boolean
  user: string | undefined
  helo: string
  at: Date
}

export type FakeSmtpOptions = {
  /** STARTTLS offered (default), TLS from the first byte, or none at all. */
  tls?: 'starttls' | 'implicit' | 'none'
  /** Names in the certificate. */
  names?: readonly [string, ...string[]]
  /** Demands AUTH with exactly this. */
  auth?: { user: string; password: string }
  host?: string
  maxBytes?: number
}

export type FakeSmtp = {
  readonly host: string
  readonly port: number
  /** Trust `cert` to verify this server. */
  readonly certificate: TestCertificate
  /** Every message that took effect, oldest first. */
  readonly messages: readonly ReceivedMail[]
  /** Protocol violations, such as bare line feeds. Such messages are refused with 550. */
  readonly problems: readonly string[]
  /** How many connections were opened so far. */
  connections(): number
  /** A list is used up one action per occurrence; a function decides each time. Otherwise everything is accepted. */
  script(stage: SmtpStage, actions: readonly SmtpAction[] | ((moment: SmtpMoment) => SmtpAction | undefined)): void
  /** Resolves when that many messages have arrived. */
  waitFor(count: number): Promise<readonly ReceivedMail[]>
  close(): Promise<void>
}

/** An SMTP server on loopback that keeps what it is given and fails on demand. */
export const startFakeSmtp = async (options: FakeSmtpOptions = {}): Promise<FakeSmtp> => {
  const host = options.host ?? '127.0.0.1'
  const certificate = selfSignedCertificate(options.names ?? ['localhost', host])
  const state: State = {
    messages: [],
    problems: [],
    scripts: new Map(),
    sockets: new Map(),
    taps: new Map(),
    opened: 0,
  }
  const server = createServer(options, certificate, state)
  server.server.on('connection', (socket: Socket) => watch(socket, state))
  // A client that is killed is no failure of the server.
  server.on('error', () => undefined)
  server.listen(0, host)
  await once(server.server, 'listening')
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('the SMTP fake has no port')

  return {
    host,
    port: address.port,
    certificate,
    messages: state.messages,
    problems: state.problems,
    connections: () => state.opened,
    script: (stage, actions) =>
      void state.scripts.set(stage, typeof actions === 'function' ? actions : inTurn(actions)),
    async waitFor(count) {
      const isThere = () => state.messages.length >= count
      await until(isThere, () => `${state.messages.length} of ${count} messages arrived`)
      return state.messages
    },
    close() {
      for (const socket of state.sockets.values()) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

type Decide = (moment: SmtpMoment) => SmtpAction | undefined
/** Facts about the raw bytes of one connection so far. */
type Tap = { last: number; hasBareNewline: boolean }
type State = {
  messages: ReceivedMail[]
  problems: string[]
  scripts: Map<SmtpStage, Decide>
  /** The open sockets by the client's port, which identifies the connection. */
  sockets: Map<number, Socket>
  taps: Map<number, Tap>
  opened: number
}
type Reply = (error?: Error | null) => void

const inTurn = (actions: readonly SmtpAction[]): Decide => {
  const left = [...actions]
  return () => left.shift()
}

const createServer = (options: FakeSmtpOptions, certificate: TestCertificate, state: State): SMTPServer =>
  new SMTPServer({
    ...certificate,
    secure: options.tls === 'implicit',
    disabledCommands: [
      ...(options.tls === 'none' || options.tls === 'implicit' ? ['STARTTLS'] : []),
      ...(options.auth ? [] : ['AUTH']),
    ],
    authOptional: options.auth === undefined,
    authMethods: ['PLAIN', 'LOGIN'],
    ...(options.maxBytes ? { size: options.maxBytes } : {}),
    disableReverseLookup: true,
    logger: false,
    onConnect: (session, reply) => void perform(state, session, { stage: 'connect' }, reply),
    onSecure: (socket, session, reply) => {
      state.sockets.set(session.remotePort, socket)
      tap(socket, session.remotePort, state)
      reply()
    },
    onAuth: (given, _session, reply) => {
      const isRight = given.username === options.auth?.user && given.password === options.auth?.password
      if (isRight) reply(null, { user: given.username })
      else reply(rejection(535, '5.7.8 Authentication credentials invalid'))
    },
    onMailFrom: ({ address }, session, reply) => void perform(state, session, { stage: 'mail', address }, reply),
    onRcptTo: ({ address }, session, reply) => void perform(state, session, { stage: 'rcpt', address }, reply),
    onData: (stream, session, reply) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const tooLarge = stream.sizeExceeded ? rejection(552, '5.3.4 Message too large') : null
        const refusal = tooLarge ?? refuseBareNewlines(state, session)
        if (refusal) return reply(refusal)
        const mail = describe(session, Buffer.concat(chunks))
        void perform(state, session, { stage: 'message' }, reply, () => state.messages.push(mail))
      })
    },
  })

/** Does what the script says for this moment; `effect` is what the command changes on the server. */
const perform = async (
  state: State,
  session: SMTPServerSession,
  at: Omit<SmtpMoment, 'envelope'>,
  reply: Reply,
  effect: () => void = () => undefined,
): Promise<void> => {
  const action = state.scripts.get(at.stage)?.({ ...at, envelope: envelopeOf(session) }) ?? {}
  const socket = state.sockets.get(session.remotePort)
  if (action.delayMs) await sleep(action.delayMs)
  if (action.cut === 'before-effect') return void socket?.destroy()
  if (action.reply && action.reply.code >= 400) reply(rejection(action.reply.code, action.reply.text))
  else {
    effect()
    if (action.cut === 'before-reply') return void socket?.destroy()
    reply()
  }
  // A moment for the reply to leave, through TLS too.
  if (action.cut === 'after-reply') setTimeout(() => socket?.destroy(), 20)
}

const rejection = (responseCode: number, text: string): Error => Object.assign(new Error(text), { responseCode })

const envelopeOf = ({ envelope }: SMTPServerSession) => ({
  from: envelope.mailFrom ? envelope.mailFrom.address : '',
  to: envelope.rcptTo.map(({ address }) => address),
})

const describe = (session: SMTPServerSession, raw: Buffer): ReceivedMail => ({
  ...envelopeOf(session),
  args: {
    from: session.envelope.mailFrom ? session.envelope.mailFrom.args : {},
    to: session.envelope.rcptTo.map(({ args }) => args),
  },
  raw,
  isSecure: session.secure,
  user: session.user,
  helo: session.hostNameAppearsAs,
  at: new Date(),
})

const watch = (socket: Socket, state: State): void => {
  const port = socket.remotePort
  if (port === undefined) return
  // smtp-server leaves Nagle's algorithm on, which costs 40 ms per command.
  socket.setNoDelay(true)
  state.opened += 1
  state.sockets.set(port, socket)
  tap(socket, port, state)
  socket.on('close', () => {
    state.sockets.delete(port)
    state.taps.delete(port)
  })
}

/**
 * smtp-server takes bare line feeds for line ends and so changes such messages; the bytes before it show what was sent.
 */
const tap = (socket: Socket, port: number, state: State): void => {
  const seen: Tap = { last: 0, hasBareNewline: false }
  state.taps.set(port, seen)
  socket.on('data', (chunk: Buffer) => {
    for (const byte of chunk) {
      if ((byte === LF) !== (seen.last === CR)) seen.hasBareNewline = true
      seen.last = byte
    }
  })
}

const CR = 13
const LF = 10

const refuseBareNewlines = (state: State, session: SMTPServerSession): Error | null => {
  const seen = state.taps.get(session.remotePort)
  if (!seen?.hasBareNewline) return null
  seen.hasBareNewline = false
  state.problems.push(`bare CR or LF from ${envelopeOf(session).from}`)
  return rejection(550, '5.5.2 Bare CR or LF')
}
