import { z } from 'zod'
import type { Change } from '../db/database.ts'

/** PostgreSQL refuses a notification of 8000 bytes and more; the database adds the time. */
const MAX_PAYLOAD_BYTES = 7_400
/** Longer strings are content; what identifies a record is short. */
const MAX_ID_CHARACTERS = 64

const changeSchema = z.object({ topic: z.string(), event: z.string(), data: z.record(z.string(), z.unknown()) })
const envelopeSchema = z.object({
  from: z.string(),
  part: z.number(),
  isLast: z.boolean().optional(),
  changes: z.array(changeSchema),
  /** Missing in notifications of older versions, which may still run beside this one. */
  xid: z.coerce.number().optional(),
  snapshot: z.string().optional(),
})

export type Envelope = z.infer<typeof envelopeSchema>

/**
 * The changes of one transaction as few notifications as they fit into. A change that alone is too large keeps only
 * the short members of its data (its ids) and gets `oversize: true`: its listeners read the rest from the database.
 */
export const encodeChanges = (from: string, changes: readonly Change[]): string[] => {
  const open = `{"from":${JSON.stringify(from)},"changes":[`
  // Equal notifications of one transaction arrive once; the number keeps them apart.
  const close = (part: number, isLast: boolean) => `],"part":${part},"isLast":${isLast}}`
  const room = MAX_PAYLOAD_BYTES - Buffer.byteLength(open) - close(changes.length, false).length
  const payloads: string[] = []
  let texts: string[] = []
  let used = 0
  const flush = (isLast: boolean) => {
    if (texts.length > 0) payloads.push(`${open}${texts.join(',')}${close(payloads.length, isLast)}`)
    texts = []
    used = 0
  }
  for (const change of changes) {
    const text = toText(change, room)
    const size = Buffer.byteLength(text) + 1
    if (used + size > room) flush(false)
    texts.push(text)
    used += size
  }
  flush(true)
  return payloads
}

/** Announces this process; the notification also gives every process the current position. */
export const encodeNothing = (from: string): string =>
  JSON.stringify({ from, changes: [], part: 0, isLast: true } satisfies Envelope)

/** The longest list of open transactions that a notification has room for; without it no position is sent. */
const MAX_SNAPSHOT = 400

/** Publishes the changes, and returns the transaction ID. $1 is the channel, $2 the result of `encodeChanges`. */
export const NOTIFY_CHANGES = `select pg_current_xact_id()::text as xid, pg_notify($1, format('{"xid":"%s","snapshot":"%s",%s',
    pg_current_xact_id(), case when length(seen.text) <= ${MAX_SNAPSHOT} then seen.text end, substr(payload, 2)))
  from unnest($2::text[]) payload, (select pg_current_snapshot()::text as text) seen`

/** Undefined for a payload that is not ours: any session of the database may notify. */
export const openEnvelope = (payload: string): Envelope | undefined => {
  try {
    return envelopeSchema.safeParse(JSON.parse(payload)).data
  } catch {
    return undefined
  }
}

const toText = ({ topic, event, data }: Change, room: number): string => {
  const fits = (text: string) => Buffer.byteLength(text) < room
  const whole = JSON.stringify({ topic, event, data })
  if (fits(whole)) return whole
  const ids = Object.entries(data).filter(([, value]) => isShort(value))
  const reduced = JSON.stringify({ topic, event, data: { ...Object.fromEntries(ids), oversize: true } })
  if (fits(reduced)) return reduced
  const bare = JSON.stringify({ topic, event, data: { oversize: true } })
  if (fits(bare)) return bare
  throw new RangeError(`A change's topic and event must be names, not ${Buffer.byteLength(bare)} bytes`)
}

const isShort = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.length <= MAX_ID_CHARACTERS
    : value === null || typeof value === 'number' || typeof value === 'boolean'
