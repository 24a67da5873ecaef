import { newId } from '@stoa/kit/ids.ts'
import { createSemaphore } from '@stoa/kit/semaphore.ts'
import type { ComposedAddress, DraftInput, SendInput } from '@stoa/mail-model/compose.ts'
import type { Ctx } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import { buildMail } from '../../../formats/compose/compose.ts'
import { htmlToText, type Mailbox } from '../../../formats/mime/mime.ts'
import { quotaOf } from '../../../hosting/plans/plans.ts'
import { signInOf } from '../../../principal.ts'
import { type Identity, listIdentities } from '../../../sending/identities/identities.ts'
import { folderByRole, getMessages, hasRoom, type ListedMessage } from '../../../store/store.ts'
import { readAttachments } from './attachments.ts'
import { onOneLine } from './one-line.ts'

/** A message as somebody wrote it. */
export type Composition = { bytes: Buffer; messageId: string; identity: Identity }

/** Larger messages are in memory a few at a time. */
const LARGE_BYTES = 1_048_576
const largeMessages = createSemaphore({ parallel: 4, waiting: 50 })

/** Writes a message; the draft is the one whose parts it may keep. Refuses what is over the limits with 413. */
export const composeMail = async <T>(
  ctx: Ctx,
  input: DraftInput | SendInput,
  draftId: string | null,
  use: (composition: Composition) => Promise<T>,
): Promise<T> => {
  const identity = await identityOf(ctx, input.identity_id ?? null)
  const work = async () => use(await compose(ctx, input, { identity, draftId }))
  return roughSize(input) > LARGE_BYTES ? largeMessages.run(work) : work()
}

/** The draft with this id, if it is one: nothing else is replaced or removed by saving or sending. */
export const findDraft = async (ctx: Ctx, id: string): Promise<ListedMessage> => {
  const { id: addressId } = signInOf(ctx).address
  const [message] = await getMessages(ctx.db, addressId, [id])
  const drafts = await folderByRole(ctx.db, addressId, 'drafts')
  const isDraft = message && (message.keywords.includes('$draft') || message.folderIds.includes(drafts?.id ?? ''))
  return isDraft ? message : fail('not_found', { message: "This draft doesn't exist." })
}

/** Asked before bytes are stored: what nobody links to stays on the disk for a day. */
export const requireRoom = async (ctx: Ctx, size: number): Promise<void> => {
  const { id: addressId } = signInOf(ctx).address
  const quotaBytes = await quotaOf(ctx.db, addressId)
  if (!(await hasRoom(ctx.db, { addressId, quotaBytes, size })))
    fail('quota_exceeded', { message: 'The mailbox is full.' })
}

const identityOf = async (ctx: Ctx, id: string | null): Promise<Identity> => {
  const { id: addressId, email, name } = signInOf(ctx).address
  const all = await listIdentities(ctx.parts.database, { addressId, email, name }, ctx.now())
  const found = id === null ? (all.find(({ isDefault }) => isDefault) ?? all[0]) : all.find((each) => each.id === id)
  return found ?? fail('not_found', { message: "This identity doesn't exist." })
}

const compose = async (
  ctx: Ctx,
  input: DraftInput | SendInput,
  { identity, draftId }: { identity: Identity; draftId: string | null },
): Promise<Composition> => {
  const { maxMessageBytes: maxBytes } = ctx.config
  const { email } = signInOf(ctx).address
  const attachments = await readAttachments(ctx, input.attachments ?? [], { draftId, maxBytes })
  const messageId = `${newId()}@${email.slice(email.lastIndexOf('@') + 1)}`
  const { html, text = html === undefined ? '' : htmlToText(html) } = input
  const replyTo = input.reply_to ?? identity.replyTo ?? []
  const bytes = await buildMail({
    from: { name: onOneLine(input.from_name ?? identity.name) || null, email: identity.email },
    to: (input.to ?? []).map(mailboxOf),
    cc: (input.cc ?? []).map(mailboxOf),
    bcc: (input.bcc ?? []).map(mailboxOf),
    replyTo: replyTo.map(mailboxOf),
    subject: onOneLine(input.subject ?? ''),
    text,
    ...(html === undefined ? {} : { html }),
    messageId,
    ...(input.in_reply_to ? { inReplyTo: input.in_reply_to } : {}),
    ...(input.references ? { references: input.references } : {}),
    date: ctx.now(),
    attachments,
  })
  if (bytes.length > maxBytes)
    fail('quota_exceeded', { message: `The message is too large. The limit is ${maxBytes} bytes.` })
  return { bytes, messageId, identity }
}

const mailboxOf = ({ name, email }: ComposedAddress | Mailbox): Mailbox => ({
  name: name === null ? null : onOneLine(name),
  email: onOneLine(email),
})

/** Blobs and parts of a draft are not known yet, and count as large. */
const roughSize = ({ text = '', html = '', attachments = [] }: DraftInput | SendInput): number =>
  attachments.reduce((sum, { content }) => sum + (content?.length ?? LARGE_BYTES + 1), text.length + html.length)
