import { z } from 'zod'
import type { Change } from '../db/database.ts'

/** PostgreSQL refuses a notification of 8000 bytes and more. */
const MAX_PAYLOAD_BYTES = 7_900
/** Longer strings are content; what identifies a record is short. */
const MAX_ID_CHARACTERS = 64

const changeSchema = z.object({ topic: z.string(), event: z.string(), data: z.record(z.string(), z.unknown()) })
const envelopeSchema = z.object({ from: z.string(), part: z.number(), changes: z.array(changeSchema) })

export type Envelope = z.infer<typeof envelopeSchema>

/**
 * The changes of one transaction as few notifications as they fit into. A change that alone is too large keeps only
 * the short members of its data (its ids) and gets `oversize: true`: its listeners read the rest from the database.
 */
export const sealChanges = (from: string, changes: readonly Change[]): string[] => {
  const open = `{"from":${JSON.stringify(from)},"changes":[`
  // Equal notifications of one transaction arrive once; the number keeps them apart.
  const close = (part: number) => `],"part":${part}}`
  const room = MAX_PAYLOAD_BYTES - Buffer.byteLength(open) - close(changes.length).length
  const payloads: string[] = []
  let texts: string[] = []
  let used = 0
  const flush = () => {
    if (texts.length > 0) payloads.push(`${open}${texts.join(',')}${close(payloads.length)}`)
    texts = []
    used = 0
  }
  for (const change of changes) {
    const text = toText(change, room)
    const size = Buffer.byteLength(text) + 1
    if (used + size > room) flush()
    texts.push(text)
    used += size
  }
  flush()
  return payloads
}

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
