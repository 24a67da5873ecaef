import { z } from 'zod'
import { moment } from './moments.ts'

/** A ticket opens one socket within so long. */
export const TICKET_SECONDS = 30

/** The server pings so often … */
export const HEARTBEAT_SECONDS = 30
/** … and closes a socket from which nothing came for so long. */
export const SILENCE_SECONDS = 90
/** Someone who is looking at an entry counts as there for so long after their last sign of life. */
export const PRESENCE_SECONDS = 60

export const MAX_TOPICS = 50
export const MAX_FRAME_BYTES = 4096
export const MAX_FRAMES_PER_SECOND = 20
/** Frames that cannot be understood; the last one closes the socket. */
export const MAX_BAD_FRAMES = 5

/** Why the server closes a socket. With 4401 and 4403 a new ticket is refused as well, or reaches less than before. */
export const closeCodes = {
  shutdown: 1001,
  protocol: 1002,
  /** Too much was missed while the processes could not reach each other: connect again, and read everything anew. */
  missed: 1012,
  credentialEnded: 4401,
  outOfReach: 4403,
  silent: 4408,
  flood: 4429,
} as const

export const realtimeTicket = z.object({
  ticket: z.string(),
  expiresAt: moment,
  /** Seconds. */
  expiresIn: z.int(),
})
export type RealtimeTicket = z.infer<typeof realtimeTicket>

/** What a socket can listen to. */
export type Topic = { kind: 'site' } | { kind: 'content'; type: string } | { kind: 'entry'; id: string }

const TYPE_NAME = /^[a-z][a-zA-Z0-9-]{0,62}$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** `site`, `content:<type>` or `entry:<id>`; null for anything else. */
export const parseTopic = (text: string): Topic | null => {
  if (text === 'site') return { kind: 'site' }
  const [kind, name = ''] = [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1)]
  if (kind === 'content' && TYPE_NAME.test(name)) return { kind: 'content', type: name }
  if (kind === 'entry' && UUID.test(name)) return { kind: 'entry', id: name }
  return null
}

/** Longer than any position. */
const MAX_POSITION = 2_000

/** What a client sends. With `since`, a position, it first receives what it missed on the topic. */
export const clientFrame = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('subscribe'), topic: z.string(), since: z.string().max(MAX_POSITION).optional() }),
  z.strictObject({ action: z.literal('unsubscribe'), topic: z.string() }),
  z.strictObject({ action: z.literal('ping') }),
])
export type ClientFrame = z.infer<typeof clientFrame>

/** Said to who subscribes with `since`. From then on a `position` frame moves the position of all its topics now and then. */
export type Resumed = {
  /** For `since` after the next connection; missing while the service doesn't know it. */
  position?: string
  /** Every event on the topic since then was sent before this; if absent, reload what you keep. */
  isReplayed: boolean
}

/** The frame in a message; null when it is none. */
export const parseClientFrame = (text: string): ClientFrame | null => {
  try {
    return clientFrame.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

export const socketErrors = {
  FORBIDDEN_TOPIC: "This credential can't subscribe to this topic",
  UNKNOWN_TOPIC: "This topic doesn't exist. Use site, content:<type> or entry:<id>.",
  BAD_FRAME: 'Send JSON like {"action":"subscribe","topic":"site"}',
  TOO_MANY_TOPICS: `A connection can have up to ${MAX_TOPICS} topics`,
  RATE_LIMITED: `Send up to ${MAX_FRAMES_PER_SECOND} messages per second`,
  UNAVAILABLE: "This topic can't be checked right now. Try again later.",
} as const
export type SocketErrorCode = keyof typeof socketErrors

/** Someone who has the entry open. */
export const presentPerson = z.object({
  id: z.string(),
  name: z.string(),
  avatarUrl: z.string().nullable(),
  since: moment,
  /** The field that they work at; null when it is none, or not known. */
  field: z.string().nullable(),
})
export type PresentPerson = z.infer<typeof presentPerson>

/** What changed: enough to read it again, never its content. */
export type EventData = { id: string | null; slug: string | null; type: string | null }

/**
 * Sent about people at an entry: `presence.joined` and `presence.left` name those who came or left; `presence.state`
 * names everyone who is there and replaces everything sent before, also when somebody moved to another field.
 */
export type PresenceEvent = 'presence.state' | 'presence.joined' | 'presence.left'

/**
 * Which field of the entry somebody is editing, as reported by the page that has it open: `connectionId` is that of its
 * own socket.
 */
export const presenceFieldInput = z.strictObject({
  connectionId: z.uuid(),
  /** A field of the type, `title` or `slug`. */
  field: z.string().min(1, 'must not be empty').max(100, 'is not a field of the type').nullable(),
})
export type PresenceFieldInput = z.infer<typeof presenceFieldInput>

/** Whatever a server sends. Clients ignore events that they do not know. */
export type ServerFrame =
  | { event: 'ready'; data: { connectionId: string; kind: 'session' | 'delivery'; heartbeat: number } }
  | { event: 'subscribed'; topic: string; data: { users?: PresentPerson[] } & Partial<Resumed> }
  | { event: 'unsubscribed'; topic: string }
  | { event: 'position'; data: { position: string } }
  | { event: 'pong'; data: { at: string } }
  | { event: 'error'; topic?: string; data: { code: SocketErrorCode; error: string } }
  | { event: PresenceEvent; topic: string; data: EventData & { users: PresentPerson[] } }
  | { event: string; topic: string; data: EventData }

/** The only events that a delivery key receives. */
export const deliveryEvents: readonly string[] = ['entry.published', 'entry.unpublished', 'entry.deleted']
