import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { type Cidr, limitKeyOf } from '@stoa/kit/http/client-address.ts'
import type { Door } from './door.ts'
import { readFrom } from './input.ts'
import { membersOf } from './networks.ts'
import { plain, readProxyHeader } from './proxy.ts'
import { runSession } from './session.ts'
import { type CertificateSource, createTls, describeTls, type TlsServer } from './tls.ts'

export type SmtpServerOptions<User, Recipient> = {
  door: Door<User, Recipient>
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
  /** How long a trusted proxy may take to say whom it speaks for. */
  proxyMs?: number
}

export type SmtpServer = {
  readonly port: number
  /** Connections that are open. */
  connections(): number
  /** Nothing new is accepted; messages that are complete are finished, the others are told to come back. */
  stop(): Promise<void>
}

const MAX_CONNECTIONS = 2_000
const PROXY_MS = 1_000
/** What is finished by then is finished. */
const STOP_MS = 4_000

/** Listens for SMTP. */
export const startSmtpServer = async <User, Recipient>(
  options: SmtpServerOptions<User, Recipient>,
): Promise<SmtpServer> => {
  const { door } = options
  const stopping = new AbortController()
  const tls = options.certificate && createTls(options.certificate, door.limits.handshakeMs)
  const proxies = membersOf(options.trustedProxies)
  const exempt = membersOf(options.limitExempt)
  const perIp = new Map<string, number>()
  const sockets = new Map<Socket, Promise<void>>()

  const serve = async (socket: Socket): Promise<void> => {
    const opened = await open(socket, { tls, options, isProxy: proxies, stopping: stopping.signal })
    if (!opened) return
    const key = limitKeyOf(opened.ip)
    const isLimited = !exempt(opened.ip)
    const count = (perIp.get(key) ?? 0) + 1
    const refusal = isLimited && count > options.maxPerIp ? '421 4.7.0 Too many connections from you' : null
    if (refusal) return void opened.socket.end(`${refusal}\r\n`)
    if (isLimited) perIp.set(key, count)
    try {
      await runSession(opened, door, stopping.signal)
    } finally {
      if (isLimited) release(perIp, key)
    }
  }

  const server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => {
    socket.on('error', (error) => door.log.debug({ err: error }, 'an SMTP connection broke'))
    if (sockets.size >= (options.maxConnections ?? MAX_CONNECTIONS))
      return void socket.end('421 4.3.2 Too many connections\r\n', () => socket.destroy())
    const done = serve(socket)
      .catch((error: unknown) => door.log.error({ err: error }, 'an SMTP connection failed'))
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
      }, STOP_MS)
      await Promise.all(sockets.values())
      clearTimeout(timer)
      await closed
    },
  }
}

type Opening<User, Recipient> = {
  tls: TlsServer | null
  options: SmtpServerOptions<User, Recipient>
  isProxy: (ip: string) => boolean
  stopping: AbortSignal
}

/** What happens before the conversation: whom a proxy speaks for, and TLS where it comes first. */
const open = async <User, Recipient>(socket: Socket, { tls, options, isProxy, stopping }: Opening<User, Recipient>) => {
  const peer = plain(socket.remoteAddress ?? '')
  const said = isProxy(peer)
    ? await askProxy(socket, stopping, options.proxyMs ?? PROXY_MS)
    : { ip: null, early: Buffer.alloc(0) }
  if (!said) return null
  const ip = said.ip ?? peer
  const starts = tls ?? null
  if (!options.isImplicit || !starts) return { socket, ip, tls: null, early: said.early, startTls: starts }
  if (said.early.length > 0) socket.unshift(said.early)
  const secured = await starts(socket).catch((error: unknown) => {
    options.door.log.debug({ err: error }, 'a TLS handshake failed')
    return null
  })
  return secured && { socket: secured, ip, tls: describeTls(secured), early: Buffer.alloc(0), startTls: null }
}

const askProxy = async (
  socket: Socket,
  stopping: AbortSignal,
  ms: number,
): Promise<{ ip: string | null; early: Buffer } | null> => {
  const input = readFrom(socket, stopping)
  const deadline = performance.now() + ms
  let bytes: Buffer = Buffer.alloc(0)
  try {
    for (;;) {
      const header = readProxyHeader(bytes)
      if (header.kind === 'header') return { ip: header.ip, early: bytes.subarray(header.length) }
      if (header.kind === 'broken') return null
      if (header.kind === 'none' && bytes.length > 0) return { ip: null, early: bytes }
      const left = deadline - performance.now()
      if (left <= 0 || !(await input.hasSome(left))) return bytes.length > 0 ? null : { ip: null, early: bytes }
      bytes = Buffer.concat([bytes, input.takeAll()])
    }
  } finally {
    input.detach()
  }
}

const release = (perIp: Map<string, number>, key: string): void => {
  const left = (perIp.get(key) ?? 1) - 1
  if (left > 0) perIp.set(key, left)
  else perIp.delete(key)
}

const portOf = (server: Server): number => {
  const address = server.address()
  return address !== null && typeof address === 'object' ? address.port : 0
}
