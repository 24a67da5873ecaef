import { createEgress, type Egress } from '@stoa/kit/egress/egress.ts'
import { EgressFailed, EgressRefused } from '@stoa/kit/egress/errors.ts'
import type { Log } from '@stoa/kit/log.ts'
import { z } from 'zod'

/** A message for a judge outside. */
export type Exhibit = {
  readonly bytes: Buffer
  readonly ip: string
  readonly helo: string
  readonly mailFrom: string
  readonly recipients: readonly string[]
}

export type RspamdAnswer = { readonly score: number; readonly action: string; readonly symbols: readonly string[] }
export type ScannerAnswer = { readonly isInfected: boolean; readonly name: string | null }

/** The sender waits meanwhile. */
const TIMEOUT_MS = 8_000
const ANSWER_BYTES = 262_144
/** Larger messages are hardly ever spam, and take long to look through. */
const RSPAMD_BYTES = 5_242_880
const MAX_SYMBOLS = 100

/** Queries rspamd (`POST /checkv2`). Null, no opinion, when it does not answer as it should. */
export const askRspamd = async (url: string, exhibit: Exhibit, log: Log): Promise<RspamdAnswer | null> => {
  if (exhibit.bytes.length > RSPAMD_BYTES) return null
  const target = new URL(url)
  if (target.pathname === '/' || target.pathname === '') target.pathname = '/checkv2'
  const rcpt = exhibit.recipients.slice(0, 100).map(headerSafe).join(', ')
  const headers = {
    ip: headerSafe(exhibit.ip),
    helo: headerSafe(exhibit.helo),
    from: headerSafe(exhibit.mailFrom),
    rcpt,
  }
  const answer = await ask(target.href, exhibit.bytes, headers, { log, judge: 'rspamd' })
  if (!answer) return null
  const parsed = RSPAMD.safeParse(answer.json)
  if (!parsed.success) return noOpinion(log, 'rspamd', 'its answer could not be understood')
  const { score, action, symbols = {} } = parsed.data
  return { score, action, symbols: Object.keys(symbols).slice(0, MAX_SYMBOLS) }
}

/**
 * Queries a malware scanner: `POST` of the message as it is, answered with `{ "infected": true, "name": "…" }`. Null, no
 * opinion, when it does not answer as it should.
 */
export const askScanner = async (url: string, bytes: Buffer, log: Log): Promise<ScannerAnswer | null> => {
  const answer = await ask(url, bytes, {}, { log, judge: 'scanner' })
  if (!answer) return null
  const parsed = SCANNER.safeParse(answer.json)
  if (!parsed.success) return noOpinion(log, 'scanner', 'its answer could not be understood')
  return { isInfected: parsed.data.infected, name: parsed.data.name?.slice(0, 200) ?? null }
}

const RSPAMD = z.object({
  score: z.number(),
  action: z.string().max(100),
  symbols: z.record(z.string(), z.unknown()).optional(),
})
const SCANNER = z.object({ infected: z.boolean(), name: z.string().nullish() })

/** The operator gave the address: it may be a private one, on any port. */
const egress: Egress = createEgress({
  ports: [],
  allowPrivate: true,
  totalTimeoutMs: TIMEOUT_MS,
  maxBodyBytes: ANSWER_BYTES,
})

const ask = async (
  url: string,
  body: Buffer,
  headers: Record<string, string>,
  { log, judge }: { log: Log; judge: string },
): Promise<{ json: unknown } | null> => {
  try {
    const answer = await egress.request({
      url,
      method: 'POST',
      headers: { 'content-type': 'message/rfc822', accept: 'application/json', ...headers },
      body,
    })
    if (answer.status !== 200 || answer.truncated) return noOpinion(log, judge, `it answered ${answer.status}`)
    return { json: JSON.parse(answer.body.toString('utf8')) }
  } catch (error) {
    if (error instanceof EgressFailed || error instanceof EgressRefused) return noOpinion(log, judge, error.reason)
    if (error instanceof SyntaxError) return noOpinion(log, judge, 'its answer is no JSON')
    throw error
  }
}

const noOpinion = (log: Log, judge: string, reason: string): null => {
  log.warn({ judge, reason }, 'a message was checked without an external scanner')
  return null
}

/** Header fields of HTTP are one line of ASCII. */
const headerSafe = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 1_000)
