import { isUtf8 } from 'node:buffer'
import { once } from 'node:events'
import { BlockList, createServer, isIPv4, isIPv6, type Server, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { type Cidr, limitKeyOf } from '@stoa/kit/http/client-address.ts'
import type { Log } from '@stoa/kit/log.ts'
import { STOP_GRACE_MS } from '@stoa/kit/stop-deadline.ts'
import type { CertificateSource } from '@stoa/kit/tls/source.ts'
import { openSlots, type Slots } from '@stoa/kit/workers/slots.ts'
import type { Config } from '../../config.ts'
import { askProxy, plain } from './proxy.ts'
import { createTls, describeTls, type TlsServer } from './tls.ts'

export { addChunk } from './chunks.ts'
export { drained } from './drained.ts'
export { describeTls } from './tls.ts'

/** The address of a door, and the clients that it admits. */
export type DoorOptions = {
  host: string
  port: number
  /** Null: no TLS at all, which only tests want. */
  certificate: CertificateSource | null
  /** TLS from the first byte. */
  isImplicit: boolean
  trustedProxies: readonly Cidr[]
  maxPerIp: number
  limitExempt: readonly Cidr[]
  maxConnections?: number
  /** How long a trusted proxy may take to send the client's address. */
  proxyMs?: number
  handshakeMs: number
}

export type ListenConfig = Pick<Config, 'host' | 'trustedProxies' | 'smtpMaxPerIp' | 'limitExempt'>

/** What a door for mail is opened with. */
export type Listen = { port: number; config: ListenConfig; certificate: CertificateSource | null }

/** What a protocol does with its connections. */
export type Protocol = {
  /** For the log. */
  readonly name: string
  readonly log: Log
  /** Lines, with their ends, for those that are turned away. */
  readonly tooManyFromYou: string
  readonly tooMany: string
  /** Talks until either side ends it. The socket is destroyed when it resolves. */
  serve(connection: Connection, stopping: AbortSignal): Promise<void>
}

export type Connection = {
  readonly socket: Socket
  /** The peer, or the client that a trusted proxy names. */
  readonly ip: string
  readonly tls: { protocol: string; cipher: string } | null
  /** Bytes that came before the conversation began. */
  readonly early: Buffer
  /** Gives the TLS side of the connection; null when there is none to be had, or it has begun already. */
  readonly startTls: ((socket: Socket) => Promise<TLSSocket>) | null
}

export type DoorServer = {
  readonly port: number
  /** Connections that are open. */
  connections(): number
  /** Stops accepting; open connections are notified by their signal, and cut after a while. */
  stop(): Promise<void>
}

const MAX_CONNECTIONS = 2_000
const PROXY_MS = 1_000

/** Listens for connections of a protocol. */
export const startDoor = async (options: DoorOptions, protocol: Protocol): Promise<DoorServer> => {
  const { log, name } = protocol
  const stopping = new AbortController()
  const tls = options.certificate && createTls(options.certificate, { ...options, stopping: stopping.signal })
  const isProxy = membersOf(options.trustedProxies)
  const isExempt = membersOf(options.limitExempt)
  const perIp = openSlots(`connections ${name} ${options.port}`)
  const handshakesPerIp = openSlots(`handshakes ${name} ${options.port}`)
  const enter = (slots: Slots, ip: string) =>
    isExempt(ip) ? () => undefined : slots.enter(limitKeyOf(ip), options.maxPerIp)
  const sockets = new Map<Socket, Promise<void>>()

  const serve = async (socket: Socket): Promise<void> => {
    const beginHandshake = (ip: string) => enter(handshakesPerIp, ip)
    const connection = await open(socket, { tls, options, isProxy, beginHandshake, stopping: stopping.signal, log })
    if (!connection) return
    const leave = await enter(perIp, connection.ip)
    if (!leave) return void connection.socket.end(protocol.tooManyFromYou)
    try {
      await protocol.serve(connection, stopping.signal)
    } finally {
      leave()
    }
  }

  const server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => {
    socket.on('error', (error) => log.debug({ err: error }, `an ${name} connection broke`))
    if (sockets.size >= (options.maxConnections ?? MAX_CONNECTIONS))
      return void socket.end(protocol.tooMany, () => socket.destroy())
    const done = serve(socket)
      .catch((error: unknown) => log.error({ err: error }, `an ${name} connection failed`))
      .finally(() => {
        sockets.delete(socket)
        socket.destroy()
      })
    sockets.set(socket, done)
  })
  server.listen(options.port, options.host)
  await once(server, 'listening')
  return {
    port: portOf(server),
    connections: () => sockets.size,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      stopping.abort()
      const timer = setTimeout(() => {
        for (const socket of sockets.keys()) socket.destroy()
      }, STOP_GRACE_MS)
      await Promise.all(sockets.values())
      clearTimeout(timer)
      await closed
    },
  }
}

type Opening = {
  tls: TlsServer | null
  options: DoorOptions
  isProxy: (ip: string) => boolean
  /** Before TLS a client can't be told that it has too many connections, so these are counted for themselves. */
  beginHandshake: (ip: string) => ReturnType<Slots['enter']>
  stopping: AbortSignal
  log: Log
}

/** Prepares a connection: the client's address from a proxy, and TLS where it comes first. */
const open = async (
  socket: Socket,
  { tls, options, isProxy, beginHandshake, stopping, log }: Opening,
): Promise<Connection | null> => {
  const peer = plain(socket.remoteAddress ?? '')
  const said = isProxy(peer)
    ? await askProxy(socket, { ms: options.proxyMs ?? PROXY_MS, stopping })
    : { ip: null, early: Buffer.alloc(0) }
  if (!said) return null
  const ip = said.ip ?? peer
  if (!options.isImplicit || !tls) return { socket, ip, tls: null, early: said.early, startTls: tls }
  const endHandshake = await beginHandshake(ip)
  if (!endHandshake) return null
  if (said.early.length > 0) socket.unshift(said.early)
  const secured = await tls(socket)
    .catch((error: unknown) => {
      log.debug({ err: error }, 'a TLS handshake failed')
      return null
    })
    .finally(endHandshake)
  return secured && { socket: secured, ip, tls: describeTls(secured), early: Buffer.alloc(0), startTls: null }
}

const portOf = (server: Server): number => {
  const address = server.address()
  return address !== null && typeof address === 'object' ? address.port : 0
}

/** Whether an address is in one of these networks. */
export const membersOf = (ranges: readonly Cidr[]): ((ip: string) => boolean) => {
  const list = new BlockList()
  for (const [address, bits] of ranges) list.addSubnet(address.toString(), bits, address.kind())
  return (ip) => (isIPv4(ip) && list.check(ip, 'ipv4')) || (isIPv6(ip) && list.check(ip, 'ipv6'))
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Decodes SASL PLAIN (RFC 4616) from base64; null when it is malformed or names another user to act for. */
export const readPlain = (encoded: string): { email: string; password: string } | null => {
  if (!BASE64.test(encoded)) return null
  const bytes = Buffer.from(encoded, 'base64')
  if (!isUtf8(bytes)) return null
  const [actsFor, email, password, ...more] = bytes.toString('utf8').split('\0')
  if (actsFor === undefined || !email || !password || more.length > 0) return null
  return actsFor === '' || actsFor.toLowerCase() === email.toLowerCase() ? { email, password } : null
}
