import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import { selfSignedCertificate } from '@stoa/tests/lib/certificate.ts'
import { type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { MAILBOX_PASSWORD, type PlantedAddress, plantAddress } from '../../../hosting/addresses/testing/hosting.ts'
import { folderByRole } from '../../../store/folders/folders.ts'
import { type AddedMessage, addMessage } from '../../../store/messages/messages.ts'
import { readMessage } from '../../../store/messages/read.ts'
import type { DoorServer } from '../../../wire/listen/listen.ts'
import type { Pop3Limits } from '../limits.ts'
import { startPop3 } from '../server.ts'

export type Pop3Ground = {
  mail: MailService
  /** Without a certificate, with STLS, with TLS from the start. */
  plain: DoorServer
  stls: DoorServer
  secure: DoorServer
  open(options?: OpenOptions): Promise<DoorServer>
  plant(): Promise<PlantedAddress>
  add(address: PlantedAddress, raw: string, more?: { prefix?: string }): Promise<AddedMessage>
  close(): Promise<void>
}

export type OpenOptions = {
  limits?: Partial<Pop3Limits>
  tls?: 'none' | 'stls' | 'implicit'
  /** Called with the number of message bytes that are read from the blob store. */
  onRead?: (bytes: number) => void
}

const FAST: Partial<Pop3Limits> = { failureMs: 1 }

/** The POP3 door on a database of its own. */
export const startPop3Ground = async (): Promise<Pop3Ground> => {
  const mail = await startMail({ env: { LIMIT_EXEMPT: '127.0.0.0/8' } })
  const { parts } = mail
  const pair = selfSignedCertificate(['localhost'])
  const opened: DoorServer[] = []
  const open: Pop3Ground['open'] = async ({ limits = {}, tls = 'none', onRead } = {}) => {
    const certificate = tls === 'none' ? null : { current: () => pair, onChange: () => undefined }
    const config = { host: '127.0.0.1', trustedProxies: [], imapMaxPerIp: 50, limitExempt: [] }
    const listen = { port: 0, config, certificate, isImplicit: tls === 'implicit' }
    const server = await startPop3({ ...parts, blobs: onRead ? watched(parts.blobs, onRead) : parts.blobs }, listen, {
      limits: { ...FAST, ...limits },
    })
    opened.push(server)
    return server
  }
  let addresses = 0
  return {
    mail,
    plain: await open(),
    stls: await open({ tls: 'stls' }),
    secure: await open({ tls: 'implicit' }),
    open,
    plant: () => plantAddress(mail.database, `person@pop${++addresses}.test`),
    async add({ id }, raw, { prefix = '' } = {}) {
      const bytes = Buffer.from(raw, 'latin1')
      const blob = await parts.blobs.put(bytes, { maxBytes: 60_000_000 })
      const inbox = await folderByRole(mail.database.db, id, 'inbox')
      const now = parts.clock.now()
      const message = { blob, prefix: Buffer.from(prefix, 'latin1'), read: readMessage(bytes), keywords: [] }
      const input = { ...message, addressId: id, folderIds: [inbox?.id ?? ''], receivedAt: now, now, quotaBytes: null }
      return mail.database.tx((tx) => addMessage(tx, input))
    },
    async close() {
      await Promise.all(opened.map((server) => server.stop()))
      await mail.close()
    },
  }
}

const watched = (blobs: Blobs, onRead: (bytes: number) => void): Blobs => ({
  ...blobs,
  get: async (key, options) => {
    const found = await blobs.get(key, options)
    const count = async function* (source: AsyncIterable<Buffer>) {
      for await (const chunk of source) {
        onRead(chunk.length)
        yield chunk
      }
    }
    return { ...found, stream: Readable.from(count(found.stream)) }
  },
})

/** A client that sees every byte. */
export type RawPop3 = {
  readonly socket: Socket
  /** The next line, without its end; null when the connection is over. */
  line(): Promise<string | null>
  /** The lines up to the closing dot, as they came, with their ends. */
  block(): Promise<string>
  send(text: string): void
  /** Sends a line; gives the first line of the answer. */
  say(text: string): Promise<string | null>
  /** The same for answers of many lines. */
  ask(text: string): Promise<{ first: string | null; block: string }>
  signIn(address: PlantedAddress): Promise<string | null>
  startTls(): Promise<void>
  close(): void
}

export const connectPop3 = async (port: number, { tls = false } = {}): Promise<RawPop3> => {
  let socket: Socket = tls
    ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
    : connect({ port, host: '127.0.0.1' })
  await once(socket, tls ? 'secureConnect' : 'connect')
  let held = ''
  let isOver = false
  let wake = () => undefined as undefined
  const follow = (followed: Socket) => {
    followed.setEncoding('latin1')
    followed.on('data', (text) => {
      held += text
      wake()
    })
    const over = () => {
      isOver = true
      wake()
    }
    followed.on('close', over).on('end', over).on('error', over)
  }
  follow(socket)
  const cut = async (endOf: () => number): Promise<string | null> => {
    for (;;) {
      const end = endOf()
      if (end !== -1) {
        const text = held.slice(0, end)
        held = held.slice(end)
        return text
      }
      if (isOver) return null
      await new Promise<void>((resolve) => {
        wake = () => void resolve()
      })
    }
  }
  const line = async () => {
    const text = await cut(() => {
      const at = held.indexOf('\r\n')
      return at === -1 ? -1 : at + 2
    })
    return text === null ? null : text.slice(0, -2)
  }
  const block = async () => {
    const text = await cut(() => {
      if (held.startsWith('.\r\n')) return 3
      const at = held.indexOf('\r\n.\r\n')
      return at === -1 ? -1 : at + 5
    })
    return text === null ? '' : text.slice(0, -3)
  }
  const made: RawPop3 = {
    get socket() {
      return socket
    },
    line,
    block,
    send: (text) => void socket.write(text, 'latin1'),
    async say(text) {
      made.send(`${text}\r\n`)
      return line()
    },
    async ask(text) {
      const first = await made.say(text)
      return { first, block: first?.startsWith('+OK') ? await block() : '' }
    },
    async signIn({ email }) {
      await made.say(`USER ${email}`)
      return made.say(`PASS ${MAILBOX_PASSWORD}`)
    },
    async startTls() {
      socket.removeAllListeners()
      socket = connectTls({ socket, rejectUnauthorized: false })
      await once(socket, 'secureConnect')
      follow(socket)
    },
    close: () => void socket.destroy(),
  }
  await line()
  return made
}
