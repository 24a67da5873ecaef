import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { isPublicAddress, parseHost } from './address.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { dial, secure } from './dial.ts'
import { EgressFailed, EgressRefused } from './errors.ts'
import { exchange, type HttpRequest, type HttpResponse } from './http.ts'
import {
  dnsResolve,
  isInnerName,
  isLocalhostName,
  LOCALHOST_ADDRESSES,
  type Resolve,
  systemResolve,
} from './resolve.ts'
import { hostText, parseHostTarget, parseUrlTarget, type Target } from './target.ts'

export type EgressOptions = {
  /** Ports that may be reached. */
  ports: readonly number[]
  /** The operator's switch: private addresses, any port and plain http become possible. Other schemes never do. */
  allowPrivate?: boolean
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
  checkForm(url: string): { url: string }
  /** Whether this URL could be reached now. */
  check(url: string): Promise<Checked>
  /** One HTTP exchange. Every status is an answer, redirects too: nothing is followed. */
  request(request: EgressRequest): Promise<EgressResponse>
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
  const rules = { ports: options.ports, allowPrivate }
  const ca = options.trustedCa
  const resolve = chooseResolve(options, allowPrivate)

  const addressesOf = async ({ host }: Target, deadline: Deadline): Promise<string[]> => {
    const found = host.kind === 'address' ? [host.address] : await deadline.race(resolveName(resolve, host.name))
    if (found.length === 0) throw new EgressRefused('no_address')
    // One inner address among public ones is how a name is made to pass a check and then reach inside.
    if (!found.every(isAllowed)) throw new EgressRefused('not_public')
    return found.slice(0, MAX_ADDRESSES)
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
    checkForm(text) {
      const { url, host } = parseUrlTarget(text, rules)
      const isRefused = host.kind === 'address' ? !isAllowed(host.address) : !allowPrivate && isInnerName(host.name)
      if (isRefused) throw new EgressRefused('not_public')
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
        const { signal } = deadline
        const plain = await dial(await addressesOf(target, deadline), target.port, signal)
        const socket = target.isSecure
          ? await secure(plain, { host: hostText(target.host), ca, alpn: ['http/1.1'] }, signal)
          : plain
        const maxBytes = request.maxBytes ?? maxBodyBytes
        const response = await exchange(socket, target.url, request, { maxBytes, signal })
        return { ...response, durationMs: Math.round(performance.now() - started) }
      }),
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

const chooseResolve = (options: EgressOptions, allowPrivate: boolean): Resolve => {
  if (options.resolver) return options.resolver
  if (options.resolvers) return dnsResolve(options.resolvers)
  return allowPrivate ? systemResolve : dnsResolve()
}

const resolveName = async (resolve: Resolve, name: string): Promise<string[]> => {
  if (isLocalhostName(name)) return LOCALHOST_ADDRESSES
  try {
    return await resolve(name)
  } catch (error) {
    throw new EgressFailed('dns', error)
  }
}
