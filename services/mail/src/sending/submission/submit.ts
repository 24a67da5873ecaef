import { isAscii } from 'node:buffer'
import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import type { Clock } from '@stoa/kit/clock.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { Log } from '@stoa/kit/log.ts'
import { createSemaphore } from '@stoa/kit/semaphore.ts'
import type { Config } from '../../config.ts'
import { findField, formatMailDate, type Mailbox } from '../../formats/mime/mime.ts'
import { mayWriteAs, resolveRecipient } from '../../hosting/addresses/addresses.ts'
import type { Hosting } from '../../hosting/domains/domains.ts'
import { enqueue } from '../../hosting/enqueue/enqueue.ts'
import { takeSendingVolume, UNPAID, type VolumeAnswer } from '../../hosting/plans/plans.ts'
import type { SignedInAddress } from '../../principal.ts'
import {
  getWholeMessages,
  type MailDatabase,
  type MailTx,
  type ReadMessage,
  readBlob,
  readMessage,
  recordObjectChanges,
  type WholeMessage,
} from '../../store/store.ts'
import { decodeXtext } from '../../wire/smtp/smtp.ts'
import { gatherContacts } from '../contacts/contacts.ts'
import { findIdentity } from '../identities/identities.ts'
import { readAuthorship } from './authorship.ts'
import {
  type CheckedEnvelope,
  type CheckedRecipient,
  checkEnvelope,
  deriveEnvelope,
  type SubmissionEnvelope,
} from './envelope.ts'
import { withLineEnds, withoutPrivate } from './outgoing.ts'
import { insertSubmission } from './queries.ts'
import { refuseSubmission } from './refusal.ts'
import { getSubmissions, type Submission } from './submissions.ts'

export type SendParts = {
  readonly database: MailDatabase
  readonly blobs: Blobs
  readonly log: Log
  readonly clock: Clock
  readonly config: Pick<Config, 'hostname' | 'maxMessageBytes'>
  readonly hosting: Pick<Hosting, 'hostname'>
}

export type NewSubmission = {
  readonly address: SignedInAddress
  readonly source: 'jmap' | 'webmail'
  readonly identityId: string
  readonly messageId: string
  /** Null: from the message's own fields. */
  readonly envelope: SubmissionEnvelope | null
}

/** Larger messages are in memory a few at a time. */
const LARGE_BYTES = 1_048_576
const largeMessages = createSemaphore({ parallel: 2, waiting: 100 })

/**
 * Sends a message of the mailbox: as it is stored, without Bcc, to the queue. All that follows is written in one
 * transaction. What is not allowed is a SubmissionRefusal, and nothing is written.
 */
export const submitMessage = async (parts: SendParts, input: NewSubmission): Promise<Submission> => {
  const { address } = input
  const identity =
    (await findIdentity(parts.database.db, address.id, input.identityId)) ??
    refuseSubmission('no_such_identity', "This identity doesn't exist.")
  const message = await messageOf(parts, input)
  const work = () => send(parts, input, { message, identityEmail: identity.email })
  const id = await (message.size > LARGE_BYTES ? largeMessages.run(work) : work())
  const [made] = await getSubmissions(parts.database.db, address.id, [id])
  return made ?? refuseSubmission('no_such_submission', 'The submission was just deleted.')
}

const send = async (
  parts: SendParts,
  input: NewSubmission,
  { message, identityEmail }: { message: WholeMessage; identityEmail: string },
): Promise<string> => {
  const stored = await readBlob(parts.blobs, message, { log: parts.log })
  const prepared = await prepareSubmission(parts, {
    address: input.address,
    identityEmail,
    envelope: input.envelope,
    bytes: stored,
    blobOf: async () => ({ key: message.blobKey, size: stored.length }),
  })
  const { address, source, identityId } = input
  return parts.database.tx((tx) => writeSubmission(tx, parts, { prepared, address, source, identityId, message }))
}

export type SubmissionDraft = {
  readonly address: SignedInAddress
  readonly identityEmail: string
  /** Null: from the message's own fields. */
  readonly envelope: SubmissionEnvelope | null
  /** The message as it is, or will be, stored. */
  readonly bytes: Buffer
  /** Gives the blob that has these bytes; called only when they can be sent unchanged. */
  blobOf(): Promise<StoredBlob>
}

/** A message that may be sent, and all that is written when it is. */
export type PreparedSubmission = {
  readonly read: ReadMessage
  /** Whom the message says it is from. */
  readonly from: string
  readonly envelope: CheckedEnvelope
  readonly recipients: readonly RoutedRecipient[]
  readonly outgoing: Outgoing
}

/** Checks who writes and to whom, and stores what leaves if that is not what stays. Refuses with a SubmissionRefusal. */
export const prepareSubmission = async (parts: SendParts, draft: SubmissionDraft): Promise<PreparedSubmission> => {
  const { address, identityEmail, bytes: stored } = draft
  if (!address.sendEnabled) refuseSubmission('forbidden_to_send', "This mailbox can't send mail.")
  const bytes = withLineEnds(stored)
  const read = readMessage(bytes)
  const author = authorOf(read, bytes)
  const derived = { author: author.sender ?? author.from, identityEmail }
  const envelope = checkEnvelope(draft.envelope ?? deriveEnvelope(read.envelope, derived), parts.clock)
  await checkSenders(parts, address, { author, envelope })
  const recipients = await routed(parts, envelope.recipients)
  const sent = withoutPrivate(read.structure.root, bytes)
  const blob = await (sent === stored ? draft.blobOf() : parts.blobs.put(sent, { maxBytes: sent.length }))
  const outgoing = { blob: { key: blob.key, size: blob.size }, bytes: sent }
  return { read, from: author.from, envelope, recipients, outgoing }
}

const messageOf = async (parts: SendParts, { address, messageId }: NewSubmission): Promise<WholeMessage> => {
  const [message] = await getWholeMessages(parts.database.db, address.id, [messageId])
  if (!message || message.folderIds.length === 0)
    return refuseSubmission('no_such_message', "This message doesn't exist.")
  const { maxMessageBytes } = parts.config
  if (message.size > maxMessageBytes)
    refuseSubmission('too_large', `The message is too large. The limit is ${maxMessageBytes} bytes.`, {
      maxSize: maxMessageBytes,
    })
  return message
}

type Author = { from: string; sender: string | null }

const authorOf = (read: ReadMessage, bytes: Buffer): Author => {
  const found = readAuthorship(read.structure.root, bytes)
  if (found.kind === 'unclear') return refuseSubmission('invalid_email', `${found.reason}.`)
  return found
}

/** The rule of the submission door: nobody can send in the name of somebody else. */
const checkSenders = async (
  { database: { db } }: SendParts,
  { id }: SignedInAddress,
  { author, envelope }: { author: Author; envelope: CheckedEnvelope },
): Promise<void> => {
  // Confirmations of reading have no sender (RFC 8098 §2.1).
  if (envelope.from !== '' && !(await mayWriteAs(db, id, envelope.from)))
    refuseSubmission('forbidden_mail_from', `This mailbox can't send from ${envelope.mailFrom.email}.`)
  for (const email of new Set([author.from, author.sender ?? author.from]))
    if (!(await mayWriteAs(db, id, email)))
      refuseSubmission('forbidden_from', `This mailbox can't send as ${email}. Change the sender.`)
}

type RoutedRecipient = CheckedRecipient & { isLocal: boolean }

/** A name of ours that leads nowhere is known now; the writer need not wait for a report. */
const routed = async (parts: SendParts, recipients: readonly CheckedRecipient[]): Promise<RoutedRecipient[]> => {
  const found: RoutedRecipient[] = []
  const unknown: string[] = []
  for (const recipient of recipients) {
    const { kind } = await resolveRecipient(parts.database.db, parts.hosting, recipient.address)
    if (kind === 'unknown') unknown.push(recipient.email)
    found.push({ ...recipient, isLocal: kind === 'mailbox' })
  }
  if (unknown.length > 0)
    refuseSubmission('invalid_recipients', `This mailbox doesn't exist: ${unknown.join(', ')}.`, {
      recipients: unknown,
    })
  return found
}

type StoredBlob = { key: string; size: number }
type Outgoing = { readonly blob: StoredBlob; readonly bytes: Buffer }

export type SubmissionWrite = Pick<NewSubmission, 'address' | 'source' | 'identityId'> & {
  readonly prepared: PreparedSubmission
  /** The message that is sent, as it is in the mailbox. */
  readonly message: { readonly id: string; readonly threadId: string }
  /** Not before; what the envelope says if it is not given. */
  readonly sendAt?: Date
}

/** Puts a prepared message into the queue, and notes that it was sent. Gives the id of the submission. */
export const writeSubmission = async (tx: MailTx, parts: SendParts, write: SubmissionWrite): Promise<string> => {
  const now = parts.clock.now()
  const { address, message, prepared } = write
  const { envelope, recipients, read } = prepared
  const id = newId()
  const volume = await takeSendingVolume(tx, { accountId: address.accountId, recipients: recipients.length, now })
  if (volume !== 'ok') refuseVolume(volume)
  const sendAt = write.sendAt ?? holdUntil(envelope.wishes.hold, now)
  const { id: queueId } = await queue(tx, parts, write, { id, now, sendAt })
  await insertSubmission(
    tx,
    {
      address_id: address.id,
      id,
      identity_id: write.identityId,
      message_id: message.id,
      thread_id: message.threadId,
      queue_id: queueId,
      mail_from: envelope.mailFrom,
      send_at: sendAt,
      undo_status: 'pending',
      created_at: now,
    },
    recipients.map(({ email, parameters, isLocal }, ordinal) => ({
      ordinal,
      email,
      parameters,
      is_local: isLocal,
      delivered: 'queued',
      smtp_reply: '250 2.1.5 Queued',
    })),
  )
  await recordObjectChanges(tx, address.id, [{ kind: 'submission', objectId: id, op: 'created' }])
  await gatherContacts(tx, { addressId: address.id, recipients, named: namedIn(read.envelope), now })
  return id
}

const namedIn = ({ to, cc, bcc }: ReadMessage['envelope']): readonly Mailbox[] => [...to, ...cc, ...bcc]

const queue = (
  tx: MailTx,
  parts: SendParts,
  { address, source, prepared }: SubmissionWrite,
  { id, now, sendAt }: { id: string; now: Date; sendAt: Date },
) => {
  const { envelope, read, outgoing, recipients } = prepared
  const hasId = findField(read.structure.root, 'message-id') !== null
  const made = hasId ? null : `${newId()}@${address.email.slice(address.email.lastIndexOf('@') + 1)}`
  const { ret, envid, requiresTls } = envelope.wishes
  const addresses = [envelope.from, ...recipients.map((recipient) => recipient.address)]
  return enqueue(tx, {
    accountId: address.accountId,
    addressId: address.id,
    source,
    blob: outgoing.blob,
    prefix: prefixOf(parts.config.hostname, { id, read, messageId: made, now }),
    returnPath: envelope.from,
    recipients: recipients.map((recipient) => ({
      address: recipient.address,
      ...(recipient.wishes.notify ? { notify: recipient.wishes.notify } : {}),
      ...(recipient.wishes.orcpt ? { orcpt: undoXtext(recipient.wishes.orcpt) } : {}),
    })),
    signingDomainId: address.domainId,
    messageId: made ?? read.envelope.messageId[0] ?? null,
    headerFrom: prepared.from,
    subject: read.subject,
    // RFC 6531: names and header fields in UTF-8.
    needsUtf8: !addresses.every(isAsciiText) || !isAscii(headerOf(outgoing.bytes)),
    needs8bit: !isAscii(outgoing.bytes),
    requiresTls,
    ...(envid === null ? {} : { envid: undoXtext(envid) }),
    ...(ret === null ? {} : { ret }),
    notBefore: sendAt,
    now,
  })
}

const headerOf = (bytes: Buffer): Buffer => {
  const end = bytes.indexOf('\r\n\r\n')
  return end === -1 ? bytes : bytes.subarray(0, end)
}

const isAsciiText = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

const undoXtext = (text: string): string => decodeXtext(text) ?? text

const holdUntil = (hold: CheckedEnvelope['wishes']['hold'], now: Date): Date => {
  if (hold === null) return now
  const until = 'until' in hold ? hold.until : new Date(now.getTime() + hold.seconds * 1_000)
  return until > now ? until : now
}

/** RFC 6409 §8: what the writer's program left out. Where the writer is stays private. */
const prefixOf = (
  hostname: string,
  { id, read, messageId, now }: { id: string; read: ReadMessage; messageId: string | null; now: Date },
): Buffer => {
  const date = formatMailDate(now)
  const lines = [
    `Received: by ${hostname} with HTTP id ${id};\r\n\t${date}`,
    ...(messageId === null ? [] : [`Message-ID: <${messageId}>`]),
    ...(findField(read.structure.root, 'date') ? [] : [`Date: ${date}`]),
  ]
  return Buffer.from(lines.map((line) => `${line}\r\n`).join(''))
}

const refuseVolume = (volume: Exclude<VolumeAnswer, 'ok'>): never => {
  if (volume === 'unpaid') return refuseSubmission('plan_required', UNPAID)
  if (volume === 'suspended') return refuseSubmission('forbidden_to_send', 'Your account is suspended.')
  return refuseSubmission('rate_limited', `You've reached your plan's ${volume} sending limit. Try again later.`, {
    volume,
  })
}
