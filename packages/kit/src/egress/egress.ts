import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { isPublicAddress, parseHost } from './address.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { dial, secure } from './dial.ts'
import { EgressFailed, EgressRefused } from './errors.ts'
import type { HttpConnection, HttpRequest, HttpResponse } from './http.ts'
import { joinPrivateHosts, parsePrivateHosts } from './private-hosts.ts'
import {
  dnsResolve,
  isInnerName,
  isLocalhostName,
  LOCALHOST_ADDRESSES,
  type Resolve,
  systemResolve,
} from './resolve.ts'
import { openStream, type StreamRequest, type StreamResponse } from './stream.ts'
import {
  type EgressTarget,
  hostText,
  parseHostTarget,
  parseUrlTarget,
  type TargetRules,
  type UrlTarget,
} from './target.ts'

export type EgressOptions = {
  /** Ports that may be reached. */
  ports: readonly number[]
  /** The operator's switch: private addresses, any port and plain http become possible. Other schemes never do. */
  allowPrivate?: boolean
  /** Single private targets that may be reached, also by plain http: `host`, `host:port` or a range `10.0.0.0/8`. */
  privateHosts?: readonly string[]
  /** DNS servers as `host:port` instead of the system's. */
  resolvers?: readonly string[]
  /** Takes the place of DNS altogether. */
  resolver?: Resolve
  /** Longest time for DNS, connection, TLS and the whole answer together. */
  totalTimeoutMs?: number
  /** Longest answer that is kept; the rest is cut. */
  maxBodyBytes?: number
  /** PEM certificates trusted in addition to the usual authorities. */
  trustedCa?: readonly string[]
  /** Which addresses may be reached unless private ones are allowed. */
  isAllowed?: (address: string) => boolean
}

/** A target as it stood when it was checked. Checking again at each use is not optional: names change. */
export type Checked = { url: string; host: string; port: number; addresses: readonly string[] }

export type EgressRequest = HttpRequest & { url: string; timeoutMs?: number; maxBytes?: number; signal?: AbortSignal }
export type EgressResponse = HttpResponse & { durationMs: number }
export type EgressConnect = {
  host: string
  port: number
  /** TLS from the first byte, verified for `host`. */
  tls?: 'implicit'
  timeoutMs?: number
  signal?: AbortSignal
}

/** The only way to reach an address that a user gave. All methods throw `EgressRefused` or `EgressFailed`. */
export type Egress = {
  readonly allowPrivate: boolean
  /**
   * What is known of a URL without a network, for refusing it when it is saved: its form, and addresses written as such.
   * No name is looked up, so that nobody learns which ones exist inside.
   */
  checkForm(url: string, options?: { privateHosts?: readonly string[] }): { url: string }
  /** Whether this URL could be reached now. */
  check(url: string): Promise<Checked>
  /** One HTTP exchange. Every status is an answer, redirects too: nothing is followed. */
  request(request: EgressRequest): Promise<EgressResponse>
  /** One HTTP exchange with streamed bodies and limits of its own. See `fetch.ts` for libraries that want a `fetch`. */
  stream(request: StreamRequest): Promise<StreamResponse>
  /** A raw connection for other protocols. The caller must listen for `error` and end it. */
  connect(options: EgressConnect): Promise<Socket>
  /** TLS on a connection of `connect` (STARTTLS), verified for `host`. */
  secure(socket: Socket, options: { host: string; timeoutMs?: number; signal?: AbortSignal }): Promise<TLSSocket>
}

export const createEgress = (options: EgressOptions): Egress => {
  const allowPrivate = options.allowPrivate ?? false
  const totalTimeoutMs = options.totalTimeoutMs ?? TOTAL_TIMEOUT_MS
  const maxBodyBytes = options.maxBodyBytes ?? MAX_BODY_BYTES
  const isAllowed = allowPrivate ? () => true : (options.isAllowed ?? isPublicAddress)
  const rules: TargetRules = {
    ports: options.ports,
    allowPrivate,
    privateHosts: parsePrivateHosts(options.privateHosts ?? []),
  }
  const ca = options.trustedCa
  const resolve = chooseResolve(options, allowPrivate)
  const resolveTrusted = chooseResolve(options, true)

  const rulesWith = (privateHosts: readonly string[] = []): TargetRules =>
    privateHosts.length === 0
      ? rules
      : { ...rules, privateHosts: joinPrivateHosts(rules.privateHosts, parsePrivateHosts(privateHosts)) }
  const addressesOf = async (target: EgressTarget, deadline: Deadline, { privateHosts } = rules): Promise<string[]> => {
    const { host, isTrusted, exception } = target
    const lookUp = isTrusted ? resolveTrusted : resolve
    const found = host.kind === 'address' ? [host.address] : await deadline.race(resolveName(lookUp, host.name))
    if (found.length === 0) throw new EgressRefused('no_address')
    // One inner address among public ones is how a name is made to pass a check and then reach inside.
    if (!isTrusted && !found.every((address) => isAllowed(address) || privateHosts.covers(address)))
      throw new EgressRefused('not_public')
    if (exception !== null && !found.every(privateHosts.covers)) throw new EgressRefused(exception)
    return found.slice(0, MAX_ADDRESSES)
  }
  const connectTo = async (target: UrlTarget, deadline: Deadline, allowed = rules): Promise<HttpConnection> => {
    const { signal } = deadline
    // Loaded before the connection opens, so that its events are not missed.
    const http = await import('./http.ts')
    const plain = await dial(await addressesOf(target, deadline, allowed), target.port, signal)
    if (!target.isSecure) return { socket: plain, http }
    const socket = await secure(plain, { host: hostText(target.host), ca, alpn: ['http/1.1'] }, signal)
    return { socket, http }
  }
  const within = async <R>(limits: Limits, run: (deadline: Deadline) => Promise<R>): Promise<R> => {
    const deadline = startDeadline(limits.timeoutMs ?? totalTimeoutMs, limits.signal)
    try {
      return await run(deadline)
    } finally {
      deadline.end()
    }
  }

  return {
    allowPrivate,
    checkForm(text, { privateHosts } = {}) {
      const allowed = rulesWith(privateHosts)
      const { url, host, isTrusted } = parseUrlTarget(text, allowed)
      const isRefused =
        host.kind === 'address'
          ? !isAllowed(host.address) && !allowed.privateHosts.covers(host.address)
          : isInnerName(host.name) && !allowed.privateHosts.hasRanges
      if (isRefused && !isTrusted) throw new EgressRefused('not_public')
      return { url: url.href }
    },
    check: (url) =>
      within({}, async (deadline) => {
        const target = parseUrlTarget(url, rules)
        const addresses = await addressesOf(target, deadline)
        return { url: target.url.href, host: hostText(target.host), port: target.port, addresses }
      }),
    request: (request) =>
      within(request, async (deadline) => {
        const started = performance.now()
        const target = parseUrlTarget(request.url, rules)
        const { socket, http } = await connectTo(target, deadline)
        const maxBytes = request.maxBytes ?? maxBodyBytes
        const response = await http.exchange(socket, target.url, request, { maxBytes, signal: deadline.signal })
        return { ...response, durationMs: Math.round(performance.now() - started) }
      }),
    stream: (request) => {
      const allowed = rulesWith(request.privateHosts)
      return openStream(request, async (text, deadline) => {
        const target = parseUrlTarget(text, allowed)
        return { ...(await connectTo(target, deadline, allowed)), url: target.url }
      })
    },
    connect: (wanted) =>
      within(wanted, async (deadline) => {
        const target = parseHostTarget(wanted.host, wanted.port, rules)
        const plain = await dial(await addressesOf(target, deadline), target.port, deadline.signal)
        if (wanted.tls === undefined) return plain
        return secure(plain, { host: hostText(target.host), ca }, deadline.signal)
      }),
    secure: (socket, wanted) =>
      within(wanted, async (deadline) => {
        const host = parseHost(wanted.host)
        if (host === null) throw new EgressRefused('invalid_url')
        return secure(socket, { host: hostText(host), ca }, deadline.signal)
      }),
  }
}

const TOTAL_TIMEOUT_MS = 10_000
const MAX_BODY_BYTES = 65_536
/** All answers are checked, but only so many are tried: each costs the target's owner a connection. */
const MAX_ADDRESSES = 8

type Limits = { timeoutMs?: number; signal?: AbortSignal }

/** Inner names may be known to the system only, in its hosts file or search list. */
const chooseResolve = (options: EgressOptions, isInner: boolean): Resolve => {
  if (options.resolver) return options.resolver
  if (options.resolvers) return dnsResolve(options.resolvers)
  return isInner ? systemResolve : dnsResolve()
}

const resolveName = async (resolve: Resolve, name: string): Promise<string[]> => {
  if (isLocalhostName(name)) return LOCALHOST_ADDRESSES
  try {
    return await resolve(name)
  } catch (error) {
    throw new EgressFailed('dns', error)
  }
}
