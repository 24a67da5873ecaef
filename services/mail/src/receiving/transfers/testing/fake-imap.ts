import { once } from 'node:events'
import net, { type Socket } from 'node:net'
import tls from 'node:tls'

export type FakeMessage = { uid: number; raw: Buffer; flags: string[]; date: string }
export type FakeFolder = { path: string; attributes: string[]; uidValidity: number; messages: FakeMessage[] }

/** What a source does that it should not. */
export type Faults = {
  /** Cuts each connection after so many messages. */
  perConnection?: number
  /** Answers the first so many sign-ins with this. */
  refuseSignIns?: { times: number; answer: string }
  /** What RFC822.SIZE says in place of the truth. */
  sizeOf?: (message: FakeMessage) => number
  /** UIDs whose bytes it does not give. */
  withheld?: Set<number>
  /** Sends messages in the opposite order. */
  isBackwards?: boolean
  /** Folders that it does not open, and those that it does not open now. */
  closed?: Set<string>
  /** Folders of which it does not say how many messages they have. */
  uncounted?: Set<string>
  busy?: Set<string>
  /** Called before each message is sent; the message waits for it. */
  beforeMessage?: (uid: number) => Promise<void>
}

/** An IMAP server with one mailbox, as far as transfers need one. */
export type FakeImap = {
  readonly port: number
  readonly folders: FakeFolder[]
  readonly faults: Faults
  /** Commands of all connections, without their tags; passwords are left out. */
  readonly commands: string[]
  /** How often each message was sent. */
  readonly sent: Map<string, number>
  connections(): number
  /** A folder with this many messages more; makes it if it is not there. */
  fill(path: string, messages: readonly Partial<Omit<FakeMessage, 'raw'>>[] | number, attributes?: string[]): void
  close(): Promise<void>
}

export type FakeImapOptions = {
  username?: string
  password?: string
  delimiter?: string
  namespace?: string
  tls?: { mode: 'implicit' | 'starttls'; cert: string; key: string }
}

const DATE = '01-Feb-2026 10:00:00 +0100'
let made = 0

/** A small message with a Message-ID of its own. */
export const smallMessage = (text = ''): Buffer => {
  made += 1
  const lines = [
    `Message-ID: <source-${process.pid}-${made}@source.test>`,
    'From: Ann <ann@source.test>',
    'To: Bob <bob@source.test>',
    `Subject: Number ${made}`,
    'Date: Sun, 1 Feb 2026 10:00:00 +0100',
    'Content-Type: text/plain; charset=utf-8',
    '',
    text || `This is message ${made}.`,
    '',
  ]
  return Buffer.from(lines.join('\r\n'))
}

export const startFakeImap = async (options: FakeImapOptions = {}): Promise<FakeImap> => {
  const folders: FakeFolder[] = []
  const sockets = new Set<Socket>()
  const fake: Shared = {
    options: { username: 'ann', password: 'the source password', delimiter: '/', namespace: '', ...options },
    folders,
    faults: {},
    commands: [],
    sent: new Map(),
  }
  const accept = (socket: Socket): void => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    serve(fake, socket)
  }
  const server =
    options.tls?.mode === 'implicit'
      ? tls.createServer({ cert: options.tls.cert, key: options.tls.key }, accept)
      : net.createServer(accept)
  server.on('tlsClientError', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the source has no port')
  return {
    ...fake,
    faults: fake.faults,
    port: address.port,
    connections: () => sockets.size,
    fill: (path, messages, attributes = []) => fill(folders, path, messages, attributes),
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

type Shared = {
  options: Required<Omit<FakeImapOptions, 'tls'>> & Pick<FakeImapOptions, 'tls'>
  folders: FakeFolder[]
  faults: Faults
  commands: string[]
  sent: Map<string, number>
}

const fill: (folders: FakeFolder[], ...rest: Parameters<FakeImap['fill']>) => void = (
  folders,
  path,
  messages,
  attributes = [],
) => {
  const known = folders.find((folder) => folder.path === path)
  const folder = known ?? { path, attributes, uidValidity: 1_000 + folders.length, messages: [] }
  if (!known) folders.push(folder)
  const wanted = typeof messages === 'number' ? Array.from({ length: messages }, () => ({})) : messages
  for (const message of wanted) {
    const uid = (folder.messages.at(-1)?.uid ?? 0) + 1
    folder.messages.push({ uid, raw: smallMessage(), flags: [], date: DATE, ...message })
  }
}

type Session = {
  fake: Shared
  socket: Socket
  folder: FakeFolder | null
  isSecure: boolean
  sent: number
  upgrade: () => void
}

/** Reads commands one after another; nothing that transfers send has a literal except LOGIN with an odd password. */
const serve = (fake: Shared, first: Socket): void => {
  const isSecure = fake.options.tls?.mode === 'implicit'
  const session: Session = {
    fake,
    socket: first,
    folder: null,
    isSecure,
    sent: 0,
    upgrade: () => upgrade(session, onData),
  }
  let text = ''
  let turn = Promise.resolve()
  const onData = (chunk: Buffer): void => {
    text += chunk.toString('latin1')
    for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
      const line = text.slice(0, end)
      text = text.slice(end + 2)
      turn = turn.then(() => answer(session, line)).catch(() => void session.socket.end())
    }
  }
  first.on('data', onData)
  first.write('* OK ready\r\n')
}

const upgrade = (session: Session, onData: (chunk: Buffer) => void): void => {
  const { tls: certificate } = session.fake.options
  if (!certificate) return
  const plain = session.socket
  plain.removeListener('data', onData)
  const secured = new tls.TLSSocket(plain, { isServer: true, cert: certificate.cert, key: certificate.key })
  secured.on('error', () => undefined).on('data', onData)
  Object.assign(session, { socket: secured, isSecure: true })
}

const capabilities = ({ fake, isSecure }: Session): string => {
  const needsTls = fake.options.tls?.mode === 'starttls' && !isSecure
  return `CAPABILITY IMAP4rev1 NAMESPACE SPECIAL-USE${needsTls ? ' STARTTLS LOGINDISABLED' : ''}`
}

const answer = async (session: Session, line: string): Promise<void> => {
  const { fake } = session
  const [tag = '', verb = '', ...rest] = line.split(' ')
  const command = verb.toUpperCase() === 'UID' ? `UID ${rest[0]?.toUpperCase()}` : verb.toUpperCase()
  fake.commands.push(command === 'LOGIN' ? command : [verb, ...rest].join(' '))
  const say = (text: string) => session.socket.write(`${text}\r\n`)
  const ok = () => say(`${tag} OK done`)
  switch (command) {
    case 'CAPABILITY':
      say(`* ${capabilities(session)}`)
      return void ok()
    case 'STARTTLS':
      ok()
      return session.upgrade()
    case 'LOGIN':
      return void say(`${tag} ${signIn(fake, rest)}`)
    case 'NAMESPACE':
      say(`* NAMESPACE (("${fake.options.namespace}" "${fake.options.delimiter}")) NIL (("Public/" "/"))`)
      return void ok()
    case 'LIST':
      for (const { path, attributes } of fake.folders)
        say(`* LIST (${attributes.join(' ')}) "${fake.options.delimiter}" "${path}"`)
      return void ok()
    case 'LSUB':
    case 'NOOP':
      return void ok()
    case 'STATUS': {
      const folder = find(fake, rest[0] ?? '', rest)
      if (!folder || fake.faults.uncounted?.has(folder.path)) return void say(`${tag} NO none`)
      say(`* STATUS "${folder.path}" (MESSAGES ${folder.messages.length})`)
      return void ok()
    }
    case 'EXAMINE': {
      const folder = find(fake, rest[0] ?? '', rest)
      if (!folder || fake.faults.closed?.has(folder.path)) return void say(`${tag} NO [NOPERM] not for you`)
      if (fake.faults.busy?.has(folder.path)) return void say(`${tag} NO [INUSE] later`)
      session.folder = folder
      say(`* ${folder.messages.length} EXISTS`)
      say(`* OK [UIDVALIDITY ${folder.uidValidity}] here`)
      say(`* OK [UIDNEXT ${(folder.messages.at(-1)?.uid ?? 0) + 1}] next`)
      return void say(`${tag} OK [READ-ONLY] done`)
    }
    case 'UID SEARCH':
      say(`* SEARCH ${search(session, rest.slice(1)).join(' ')}`)
      return void ok()
    case 'UID FETCH':
      return fetch(session, tag, rest)
    case 'LOGOUT':
      say('* BYE')
      return void ok()
    default:
      say(`${tag} BAD what?`)
  }
}

const signIn = ({ options, faults }: Shared, rest: readonly string[]): string => {
  const refuse = faults.refuseSignIns
  if (refuse && refuse.times > 0) {
    refuse.times -= 1
    return refuse.answer
  }
  const given = rest.join(' ')
  return given === `"${options.username}" "${options.password}"`
    ? 'OK signed in'
    : `NO [AUTHENTICATIONFAILED] not with ${given}`
}

const find = (fake: Shared, first: string, rest: readonly string[]): FakeFolder | undefined => {
  const text = rest.join(' ')
  const path = text.startsWith('"') ? (/^"([^"]*)"/.exec(text)?.[1] ?? '') : first
  return fake.folders.find((folder) => folder.path === path)
}

const search = ({ folder }: Session, rest: readonly string[]): number[] => {
  const text = rest.join(' ')
  const from = Number(/UID (\d+):\*/.exec(text)?.[1] ?? 1)
  const since = /SINCE "?([\w-]+)"?/.exec(text)?.[1]
  const messages = folder?.messages ?? []
  const last = messages.at(-1)?.uid ?? 0
  return messages
    .filter(({ uid }) => uid >= from || uid === last)
    .filter(({ date }) => since === undefined || new Date(date.slice(0, 11)) >= new Date(since))
    .map(({ uid }) => uid)
}

const fetch = async (session: Session, tag: string, rest: readonly string[]): Promise<void> => {
  const { folder, fake } = session
  const wanted = new Set((rest[1] ?? '').split(',').map(Number))
  const items = rest.slice(2).join(' ')
  const found = (folder?.messages ?? []).filter(({ uid }) => wanted.has(uid))
  if (fake.faults.isBackwards) found.reverse()
  const isBody = items.includes('BODY.PEEK[]')
  const limit = Number(/<0\.(\d+)>/.exec(items)?.[1] ?? Number.MAX_SAFE_INTEGER)
  for (const message of found) {
    if (isBody && fake.faults.withheld?.has(message.uid))
      return void session.socket.write(`${tag} NO [SERVERBUG] lost\r\n`)
    if (isBody) await sendBytes(session, message, limit)
    else session.socket.write(overview(folder, message, fake.faults))
  }
  session.socket.write(`${tag} OK done\r\n`)
}

const overview = (folder: FakeFolder | null, message: FakeMessage, faults: Faults): string => {
  const seq = (folder?.messages.indexOf(message) ?? 0) + 1
  const id = /^Message-ID: (.*)\r$/m.exec(message.raw.toString('latin1'))?.[1]
  const envelope = `(NIL "a subject" NIL NIL NIL NIL NIL NIL NIL ${id ? JSON.stringify(id) : 'NIL'})`
  const size = faults.sizeOf?.(message) ?? message.raw.length
  return `* ${seq} FETCH (UID ${message.uid} FLAGS (${message.flags.join(' ')}) INTERNALDATE "${message.date}" RFC822.SIZE ${size} ENVELOPE ${envelope})\r\n`
}

const sendBytes = async (session: Session, message: FakeMessage, limit: number): Promise<void> => {
  const { folder, fake, socket } = session
  await fake.faults.beforeMessage?.(message.uid)
  const bytes = message.raw.subarray(0, limit)
  const seq = (folder?.messages.indexOf(message) ?? 0) + 1
  const key = `${folder?.path} ${message.uid}`
  if (session.sent === fake.faults.perConnection) {
    // What was sent before arrives.
    socket.end()
    throw new Error('cut')
  }
  session.sent += 1
  fake.sent.set(key, (fake.sent.get(key) ?? 0) + 1)
  socket.write(`* ${seq} FETCH (UID ${message.uid} BODY[]<0> {${bytes.length}}\r\n`)
  socket.write(bytes)
  if (!socket.write(')\r\n')) await once(socket, 'drain')
}
