import { domainToASCII } from 'node:url'
import type { Tx } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { QueueMessageTable } from '../../tables/sending.ts'
import type { Tables } from '../../tables.ts'
import { returnSendingVolume } from '../plans/plans.ts'
import { cancelRecipients, insertQueued, lockRecipients, postponeRecipients } from './queries.ts'

export { unlinkQueued } from './queries.ts'

export type QueueSource = QueueMessageTable['source']

export type NewRecipient = {
  address: string
  /** RFC 3461: never, or any of success, failure, delay. */
  notify?: readonly string[]
  /** The ORCPT value `rfc822;address`, xtext decoded (RFC 3461). */
  orcpt?: string
  /**
   * A return path that is this recipient's alone, with the token in it. Failures are then events, passed to
   * `onOutcome`, instead of reports by mail.
   */
  bounce?: { token: string; returnPath: string }
}

export type NewMessage = {
  /** A new one unless the caller has an id of its own. */
  id?: string
  /** Null: the service itself. */
  accountId: string | null
  addressId: string | null
  /** `forward` is sealed (ARC) and leaves with a rewritten sender (SRS); everything else is signed (DKIM). */
  source: QueueSource
  blob: { key: string; size: number }
  /** Header fields of ours that stand before the blob. */
  prefix?: Buffer
  /** Empty for the null sender. Gets failure reports, unless a recipient has a return path of its own. */
  returnPath: string
  recipients: readonly NewRecipient[]
  /** Whose active key signs it; null for what must not be signed. */
  signingDomainId: string | null
  messageId: string | null
  headerFrom: string | null
  subject: string | null
  needsUtf8: boolean
  needs8bit: boolean
  requiresTls?: boolean
  /** RFC 3461, xtext undone. */
  envid?: string
  ret?: 'full' | 'hdrs'
  /** Scheduled and undo send. */
  notBefore?: Date
  now: Date
}

/** RFC 5321 §4.5.4.1 asks for four to five days before a message is given up. */
export const LIFETIME_MS = 5 * 24 * 60 * 60_000
/** What wakes the workers of every process. */
export const QUEUE_TOPIC = 'queue'

/** More names would not fit into a notification; then the workers look for themselves. */
const MAX_NAMED_DOMAINS = 50
/** For traces only. */
const MAX_TRACE_CHARACTERS = 998

/** Puts a message into the queue, in the caller's transaction. The blob must be durable already. */
export const enqueue = async (tx: Tx<Tables>, message: NewMessage): Promise<{ id: string }> => {
  const [id = ''] = await enqueueAll(tx, [message])
  return { id }
}

/** Enqueues several messages with one statement; gives their ids. */
export const enqueueAll = async (tx: Tx<Tables>, messages: readonly NewMessage[]): Promise<string[]> => {
  const rows = messages.map(toRows)
  await insertQueued(tx, {
    messages: rows.map(({ message }) => message),
    recipients: rows.flatMap(({ recipients }) => recipients),
    links: rows.map(({ link }) => link),
  })
  const due = messages.flatMap(({ notBefore, now }, at) =>
    notBefore === undefined || notBefore <= now ? (rows[at]?.recipients ?? []) : [],
  )
  if (due.length > 0) tx.changes.push(wakeUp(due.map(({ domain }) => domain)))
  return rows.map(({ message }) => message.id)
}

const toRows = (message: NewMessage) => {
  const { id = newId(), now, blob, prefix = Buffer.alloc(0), notBefore = now } = message
  const recipients = message.recipients.map((recipient, ordinal) => ({
    message_id: id,
    ordinal,
    id: newId(),
    recipient: refuseUnsafe(recipient.address),
    domain: destinationOf(recipient.address),
    return_path: refuseUnsafe(recipient.bounce?.returnPath ?? message.returnPath),
    bounce_token: recipient.bounce?.token ?? null,
    next_at: notBefore,
    notify: recipient.notify ? [...recipient.notify] : null,
    orcpt: recipient.orcpt ?? null,
  }))
  if (recipients.length === 0) throw new TypeError('a message needs recipients')
  return {
    message: {
      id,
      account_id: message.accountId,
      address_id: message.addressId,
      source: message.source,
      blob_key: blob.key,
      prefix,
      size: blob.size + prefix.length,
      signing_domain_id: message.signingDomainId,
      message_id: shorten(message.messageId),
      header_from: shorten(message.headerFrom),
      subject: shorten(message.subject),
      needs_utf8: message.needsUtf8,
      needs_8bit: message.needs8bit,
      requires_tls: message.requiresTls ?? false,
      envid: message.envid ?? null,
      ret: message.ret ?? null,
      not_before: notBefore,
      expires_at: new Date(notBefore.getTime() + LIFETIME_MS),
      created_at: now,
    },
    recipients,
    link: {
      owner_id: message.addressId ?? message.accountId ?? id,
      blob_key: blob.key,
      kind: 'queue' as const,
      ref_id: id,
      size: blob.size,
      created_at: now,
      expires_at: null,
    },
  }
}

/**
 * Takes a message back that nobody has begun to send, and gives its account back what it counted. `claimed` when an attempt has begun or was made, `finished` when
 * it has ended or there is none; both change nothing.
 */
export const cancelQueued = async (tx: Tx<Tables>, id: string): Promise<'cancelled' | 'claimed' | 'finished'> => {
  const recipients = await lockRecipients(tx, id)
  if (recipients.every(({ finishedAt }) => finishedAt !== null)) return 'finished'
  if (recipients.some(({ state, attempts }) => state !== 'queued' || attempts > 0)) return 'claimed'
  const message = await cancelRecipients(tx, id)
  if (message?.accountId)
    await returnSendingVolume(tx, {
      accountId: message.accountId,
      recipients: recipients.length,
      countedAt: message.createdAt,
    })
  return 'cancelled'
}

/**
 * Has a message that nobody has begun to send leave at another time, with another prefix. `claimed` and `finished` as
 * above; both change nothing.
 */
export const postponeQueued = async (
  tx: Tx<Tables>,
  id: string,
  { notBefore, prefix, now }: { notBefore: Date; prefix: Buffer; now: Date },
): Promise<'postponed' | 'claimed' | 'finished'> => {
  const recipients = await lockRecipients(tx, id)
  if (recipients.every(({ finishedAt }) => finishedAt !== null)) return 'finished'
  if (recipients.some(({ state, attempts }) => state !== 'queued' || attempts > 0)) return 'claimed'
  await postponeRecipients(tx, id, { notBefore, expiresAt: new Date(notBefore.getTime() + LIFETIME_MS), prefix })
  if (notBefore <= now) tx.changes.push({ topic: QUEUE_TOPIC, event: 'queued', data: {} })
  return 'postponed'
}

/** The name, in ASCII, under which mail for an address waits. */
export const destinationOf = (address: string): string => {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  // Literals stay as they are; a name that is none is refused when it is looked up.
  return domain.startsWith('[') ? domain : domainToASCII(domain) || domain
}

/** The change that has the workers of all processes look for mail of these domains. */
export const wakeUp = (domains: readonly string[]) => {
  const named = [...new Set(domains)]
  return { topic: QUEUE_TOPIC, event: 'queued', data: named.length > MAX_NAMED_DOMAINS ? {} : { domains: named } }
}

/** These would end the command that the address stands in; who parsed it should have refused it. */
const refuseUnsafe = (address: string): string => {
  if (/[\p{Cc}<>\u2028\u2029]/u.test(address) || address.length > 320) throw new TypeError('not an address')
  return address
}

const shorten = (text: string | null): string | null => text?.slice(0, MAX_TRACE_CHARACTERS).toWellFormed() ?? null
