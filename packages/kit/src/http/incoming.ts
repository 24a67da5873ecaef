import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type AddressPolicy, limitKeyOf } from './client-address.ts'
import { parseCookies } from './cookies.ts'

/** The parts of a request that credentials, limits and logs look at; costly ones are worked out on first use. */
export class Incoming {
  readonly id: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly raw: IncomingMessage
  readonly #addresses: AddressPolicy
  #ip: string | undefined
  #cookies: ReadonlyMap<string, string> | undefined

  constructor(id: string, raw: IncomingMessage, addresses: AddressPolicy) {
    this.id = id
    this.raw = raw
    this.method = raw.method ?? 'GET'
    this.headers = raw.headers
    this.#addresses = addresses
  }

  /** The address of the client: the right-most hop that no trusted proxy vouches for. */
  get ip(): string {
    this.#ip ??= this.#addresses.clientOf(this.raw.socket.remoteAddress ?? '', this.header('x-forwarded-for'))
    return this.#ip
  }

  /** What limits count by: the address, or the /64 of an IPv6 one. */
  get limitKey(): string {
    return limitKeyOf(this.ip)
  }

  get userAgent(): string | null {
    return this.header('user-agent')?.slice(0, MAX_USER_AGENT) ?? null
  }

  header(name: string): string | undefined {
    const value = this.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  cookie(name: string): string | undefined {
    this.#cookies ??= parseCookies(this.header('cookie'))
    return this.#cookies.get(name)
  }
}

/** Stored with sessions; a longer one is an attack or a mistake. */
const MAX_USER_AGENT = 400
