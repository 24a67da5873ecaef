import type { SendInput, SentMessage } from '@stoa/mail-model/compose.ts'
import { parseEmail } from '@stoa/mail-model/email.ts'
import type { Ctx } from '../../../context.ts'
import { failMember } from '../../../errors.ts'
import { quotaOf } from '../../../hosting/plans/plans.ts'
import { signInOf } from '../../../principal.ts'
import {
  type PreparedSubmission,
  prepareSubmission,
  type SubmissionEnvelope,
  writeSubmission,
} from '../../../sending/submission/submission.ts'
import {
  addMessage,
  folderByRole,
  type ListedMessage,
  type MailTx,
  openMailbox,
  putMessage,
  refuse,
} from '../../../store/store.ts'
import { type Composition, composeMail, findDraft, requireRoom } from './compose.ts'
import { removeDraft } from './drafts.ts'
import { withSubmissions } from './submission-refusals.ts'
import { readSubmission } from './submissions.ts'

/** A clock that goes slow, or a request that took its time, is forgiven. */
const PAST_MS = 60_000
const MAX_AHEAD_MS = 30 * 86_400_000

/** Sends a message: in one transaction it is in the folder of sent mail, in the queue, and no draft any more. */
export const sendMail = (ctx: Ctx, body: SendInput): Promise<SentMessage> =>
  withSubmissions(async () => {
    requireAddresses(body)
    const draft = body.draft_id ? await findDraft(ctx, body.draft_id) : null
    const sendAt = sendAtOf(ctx, body)
    return composeMail(ctx, body, draft?.id ?? null, async (composition) => {
      const envelope = envelopeOf(body, composition)
      return sendComposed(ctx, composition, { envelope, draft, sendAt, also: async () => undefined })
    })
  })

export type Sending = {
  envelope: SubmissionEnvelope
  /** The draft that is sent, and deleted with that. */
  draft: Pick<ListedMessage, 'id' | 'size'> | null
  sendAt: Date
  /** Done in the same transaction. */
  also: (tx: MailTx) => Promise<void>
}

/** Sends what was composed. Refuses as the store and submissions do. */
export const sendComposed = async (
  ctx: Ctx,
  { bytes, messageId, identity }: Composition,
  { envelope, draft, sendAt, also }: Sending,
): Promise<SentMessage> => {
  await requireRoom(ctx, bytes.length - (draft?.size ?? 0))
  const store = once(() => putMessage(ctx.parts.blobs, bytes, { maxBytes: ctx.config.maxMessageBytes }))
  const prepared = await prepareSubmission(ctx.parts, {
    address: signInOf(ctx).address,
    identityEmail: identity.email,
    envelope,
    bytes,
    blobOf: store,
  })
  const sent = { prepared, blob: await store(), identityId: identity.id, draftId: draft?.id ?? null, sendAt, also }
  const { id, submissionId } = await write(ctx, sent)
  return { object: 'message', id, message_id: messageId, submission: await readSubmission(ctx, submissionId) }
}

/**
 * A draft may hold half an address; what is sent may not, and nothing that two readers take for two different ones: a
 * quoted local part, an address literal, dots in a row.
 */
const requireAddresses = (body: SendInput): void => {
  for (const field of ['to', 'cc', 'bcc', 'reply_to'] as const)
    for (const [index, { email }] of (body[field] ?? []).entries())
      if (!isSendable(email)) failMember(`${field}.${index}`, `${JSON.stringify(email)} isn't a valid email address`)
}

/** RFC 6531 §3.3: letters of any script stand where those of ASCII do. */
export const isSendable = (email: string): boolean =>
  parseEmail(email.replace(/[^\p{ASCII}](?=.*@)/gu, (sign) => (/[\p{L}\p{M}\p{N}]/u.test(sign) ? 'x' : sign))) !== null

/** The addresses as they were given: what a header makes of them must not decide who gets the message. */
const envelopeOf = ({ to, cc = [], bcc = [] }: SendInput, { identity }: Composition) => ({
  mailFrom: { email: identity.email, parameters: null },
  rcptTo: [...to, ...cc, ...bcc].map(({ email }) => ({ email, parameters: null })),
})

const sendAtOf = (ctx: Ctx, { send_at: sendAt, undo_seconds: undoSeconds = 0 }: SendInput): Date => {
  const now = ctx.now().getTime()
  const wanted = sendAt ? new Date(sendAt).getTime() : now
  if (wanted < now - PAST_MS) failMember('send_at', 'must be in the future')
  if (wanted > now + MAX_AHEAD_MS) failMember('send_at', 'must be within 30 days')
  return new Date(Math.max(wanted, now + undoSeconds * 1_000))
}

type Sent = {
  prepared: PreparedSubmission
  blob: { key: string; size: number }
  identityId: string
  draftId: string | null
  sendAt: Date
  also: Sending['also']
}

const write = (
  ctx: Ctx,
  { prepared, blob, identityId, draftId, sendAt, also }: Sent,
): Promise<{ id: string; submissionId: string }> =>
  ctx.tx(async (tx) => {
    const { address } = signInOf(ctx)
    const now = ctx.now()
    await openMailbox(tx, address.id)
    if (draftId !== null) await removeDraft(tx, { addressId: address.id, id: draftId, now })
    const folder = await folderByRole(tx, address.id, 'sent')
    const { messageId: id, threadId } = await addMessage(tx, {
      addressId: address.id,
      blob,
      prefix: Buffer.alloc(0),
      read: prepared.read,
      folderIds: [folder?.id ?? refuse('no_such_folder', 'there is no folder for sent mail')],
      keywords: ['$seen'],
      receivedAt: now,
      now,
      quotaBytes: await quotaOf(tx, address.id),
    })
    await also(tx)
    const message = { id, threadId }
    const submission = { prepared, address, source: 'webmail', identityId, message, sendAt } as const
    return { id, submissionId: await writeSubmission(tx, ctx.parts, submission) }
  })

const once = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let known: Promise<T> | undefined
  return () => {
    known ??= work()
    return known
  }
}
