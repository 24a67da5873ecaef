import { createEgress, type Egress } from '@stoa/kit/egress/egress.ts'
import { EgressFailed, EgressRefused } from '@stoa/kit/egress/errors.ts'
import { type Method, methods } from '@stoa/kit/egress/methods.ts'
import { takeLimits } from '@stoa/kit/limits/limits.ts'
import { z } from 'zod'
import type { Services } from '../../context.ts'
import { HostRefusal, type Json } from '../sandbox/sandbox.ts'
import { invalid } from './own.ts'

const TIMEOUT_MS = 10_000
const MAX_BYTES = 1_048_576
/** Counted across all processes. */
const RATE = { max: 60, windowMs: 60_000 }

/** How plugins reach the hosts that they declare: https, its usual port, no private address. */
export const pluginEgress = (): Egress => createEgress({ ports: [443] })

/** Headers that decide where a request goes, how long it is and how it is sent: plugins cannot set them. */
const OWN_HEADERS =
  /^(host|connection|keep-alive|upgrade|te|trailer|transfer-encoding|content-length|expect|proxy-.*)$/i
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/

const requestInput = z
  .strictObject({
    method: z
      .string()
      .transform((text) => text.toUpperCase())
      .pipe(z.enum(methods)),
    headers: z.record(
      z.string().regex(TOKEN),
      z
        .string()
        .max(8_192)
        .regex(/^[\t\x20-\x7e\x80-\xff]*$/),
    ),
    body: z.string(),
  })
  .partial()

type Asked = { url: string; method: Method; headers: Record<string, string>; body?: string }

const readArguments = (url: Json | undefined, given: Json | undefined): Asked => {
  if (typeof url !== 'string') throw invalid('The first argument of http.fetch must be a URL')
  const parsed = requestInput.safeParse(given ?? {})
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw invalid(`The request of http.fetch is invalid: ${issue?.path.join('.')} ${issue?.message}`)
  }
  const { method = 'GET', headers = {}, body } = parsed.data
  const refused = Object.keys(headers).find((name) => OWN_HEADERS.test(name))
  if (refused) throw invalid(`Plugins can't set the header ${refused}`)
  return { url, method, headers, ...(body !== undefined && { body }) }
}

const forbidden = (message: string): HostRefusal => new HostRefusal('FORBIDDEN', 403, message)

const refuseUndeclared = (text: string, hosts: readonly string[]): void => {
  if (!URL.canParse(text)) throw invalid('The first argument of http.fetch must be a URL')
  const { protocol, hostname } = new URL(text)
  if (protocol !== 'https:') throw forbidden('Plugins can only fetch https URLs')
  if (!hosts.includes(hostname)) throw forbidden(`The plugin doesn't declare the host ${hostname} in plugin.json`)
}

export type Outside = { readonly egress: Egress; readonly services: Pick<Services, 'database' | 'clock'> }

/** One exchange. Redirects are answers: to follow one, the plugin fetches again, if the host is declared. */
export const fetchOutside = async (
  { egress, services: { database, clock } }: Outside,
  plugin: { readonly name: string; readonly hosts: readonly string[] },
  [url, given]: readonly (Json | undefined)[],
  signal: AbortSignal,
): Promise<Json> => {
  const request = readArguments(url, given)
  refuseUndeclared(request.url, plugin.hosts)
  const limit = { key: `http.fetch of the plugin ${plugin.name}`, ...RATE }
  const { allowed, retryAfterSeconds } = await database.tx((tx) => takeLimits(tx, [limit], clock.now()))
  if (!allowed)
    throw new HostRefusal('RATE_LIMITED', 429, `A plugin can send up to ${RATE.max} requests per minute`, {
      retryAfterSeconds,
    })
  try {
    const answer = await egress.request({ ...request, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal })
    if (answer.truncated) throw new EgressFailed('too_large')
    return { status: answer.status, headers: headersOf(answer.headers), body: answer.body.toString('utf8') }
  } catch (error) {
    if (error instanceof EgressRefused) throw forbidden(error.publicMessage)
    if (error instanceof EgressFailed) throw new HostRefusal('FETCH_FAILED', 502, error.publicMessage)
    throw error
  }
}

const headersOf = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : value.join(', ')]],
    ),
  )
