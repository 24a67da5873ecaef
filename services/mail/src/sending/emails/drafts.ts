import { isAscii } from 'node:buffer'
import { AppError } from '@stoa/kit/errors.ts'
import { newId } from '@stoa/kit/ids.ts'
import { createSemaphore } from '@stoa/kit/semaphore.ts'
import { type EmailInput, MAX_EMAIL_BYTES } from '@stoa/mail-model/emails.ts'
import { type NamedAddress, parseNamedAddress } from '@stoa/mail-model/named-address.ts'
import type { Ctx } from '../../context.ts'
import { fail, failMember } from '../../errors.ts'
import { buildMail, type NewAttachment } from '../../formats/compose/compose.ts'
import { findSendingDomain, type SendingDomain } from '../../hosting/dns-records/dns-records.ts'
import { planOf } from '../../hosting/plans/plans.ts'
import type { KeyPrincipal } from '../../principal.ts'
import { askScanner } from '../../wire/scanners/scanners.ts'
import { track } from '../tracking/tracking.ts'
import { createAttachmentFetch, readAttachments, refuseSize } from './attachments.ts'
import { plainTextOf } from './plain-text.ts'
import { readSchedule } from './schedule.ts'

/** A mail that may be sent as it is: everything is checked, and its bytes are on the disk. */
export type Draft = {
  id: string
  input: EmailInput
  from: NamedAddress
  domain: SendingDomain
  messageId: string
  /** Each once, whatever list it is on. */
  recipients: readonly string[]
  html: string | null
  text: string | null
  attachments: readonly NewAttachment[]
  /** Null: at once. */
  sendAt: Date | null
  blob: { key: string; size: number }
  needs8bit: boolean
}

/** Larger mails are in memory a few at a time. */
const LARGE_LENGTH = 1_048_576
const largeMails = createSemaphore({ parallel: 2, waiting: 50 })

/** Finds the domains that mails of one request are sent for, each once. */
export type DomainLookup = (name: string) => Promise<SendingDomain | undefined>

export const domainLookup = (ctx: Ctx, { account }: KeyPrincipal): DomainLookup => {
  const asked = new Map<string, Promise<SendingDomain | undefined>>()
  return (name) => {
    const known = asked.get(name) ?? findSendingDomain(ctx.db, ctx.config, { accountId: account.id, name })
    asked.set(name, known)
    return known
  }
}

/** Checks a mail and writes its message. Nothing is sent yet. */
export const prepareDraft = async (
  ctx: Ctx,
  principal: KeyPrincipal,
  input: EmailInput,
  lookup: DomainLookup,
): Promise<Draft> => {
  const from = parseNamedAddress(input.from) ?? fail('invalid_from_address')
  const domain = await senderDomain(from, principal, lookup)
  if (!input.html && (input.text ?? null) === null)
    fail('missing_required_field', { message: 'Missing `html` or `text` field.' })
  refuseTwoReplyTos(input)
  const sendAt = sendAtOf(input, ctx.now())
  const work = () => writeDraft(ctx, principal, { input, from, domain, sendAt })
  return lengthOf(input) > LARGE_LENGTH ? largeMails.run(work) : work()
}

/** Checks that the account has verified the domain, and that the key may send from it. */
const senderDomain = async (
  { email }: NamedAddress,
  { key }: KeyPrincipal,
  lookup: DomainLookup,
): Promise<SendingDomain> => {
  const name = email.slice(email.lastIndexOf('@') + 1)
  const domain = await lookup(name)
  if (!domain?.isReady)
    return refuseSender(`The domain ${name} is not verified. Add it in the panel and publish its DNS records.`)
  if (key.domainId !== null && key.domainId !== domain.id)
    return refuseSender(`This API key can't send from the domain ${name}.`)
  return domain
}

const refuseSender = (message: string): never => {
  throw new AppError('validation_error', 403, message)
}

const refuseTwoReplyTos = ({ headers, reply_to: replyTo }: EmailInput): void => {
  const isHeader = Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'reply-to')
  if (isHeader && replyTo?.length) failMember('headers.Reply-To', "can't be used together with `reply_to`")
}

const sendAtOf = ({ scheduled_at: text }: EmailInput, now: Date): Date | null =>
  text === null || text === undefined ? null : scheduleOf(text, now)

/** When a mail is to leave; null is now. */
export const scheduleOf = (text: string, now: Date): Date | null => {
  const answer = readSchedule(text, now)
  return 'problem' in answer ? failMember('scheduled_at', answer.problem) : answer.at
}

const lengthOf = ({ html, text, attachments }: EmailInput): number => {
  const contents = (attachments ?? []).map(({ content, path }) =>
    path ? LARGE_LENGTH : typeof content === 'string' ? content.length : LARGE_LENGTH,
  )
  return contents.reduce((sum, length) => sum + length, (html?.length ?? 0) + (text?.length ?? 0))
}

type Checked = Pick<Draft, 'input' | 'from' | 'domain' | 'sendAt'>

const writeDraft = async (ctx: Ctx, principal: KeyPrincipal, checked: Checked): Promise<Draft> => {
  const { input, domain } = checked
  const id = newId()
  const attachments = input.attachments?.length
    ? await readAttachments(createAttachmentFetch(ctx.config), input.attachments)
    : []
  const html = input.html || null
  const text = input.text ?? (html === null ? null : plainTextOf(html))
  const messageId = `${id}@${domain.name}`
  const sent = html === null ? null : tracked(ctx, principal, { id, html, domain })
  const bytes = await bytesOf({ ...checked, messageId, html: sent, text: text || null, attachments })
  const limit = Math.min(MAX_EMAIL_BYTES, ctx.config.maxMessageBytes)
  if (bytes.length > limit) refuseSize(limit)
  await refuseMalware(ctx, bytes)
  const blob = await ctx.parts.blobs.put(bytes, { maxBytes: bytes.length })
  return {
    ...checked,
    id,
    messageId,
    recipients: recipientsOf(input),
    html,
    text,
    attachments,
    blob,
    needs8bit: !isAscii(bytes),
  }
}

const tracked = (
  ctx: Ctx,
  { account }: KeyPrincipal,
  { id, html, domain }: { id: string; html: string; domain: SendingDomain },
): string => {
  if (!planOf(account.plan).features.has('tracking')) return html
  const wishes = { opens: domain.tracksOpens, clicks: domain.tracksClicks }
  return track(ctx.config, html, { accountId: account.id, emailId: id, ...wishes })
}

const recipientsOf = ({ to, cc, bcc }: EmailInput): string[] => {
  const found = new Map<string, string>()
  for (const { email } of [...to, ...(cc ?? []), ...(bcc ?? [])])
    if (!found.has(email.toLowerCase())) found.set(email.toLowerCase(), email)
  return [...found.values()]
}

/** Without Date, which changes with the time it leaves at; and Bcc is nobody's business. */
const bytesOf = async (
  mail: Pick<Draft, 'input' | 'from' | 'messageId' | 'html' | 'text' | 'attachments'>,
): Promise<Buffer> => {
  const { input, from, messageId, html, text, attachments } = mail
  const built = await buildMail({
    from,
    to: input.to,
    cc: input.cc ?? [],
    replyTo: input.reply_to ?? [],
    subject: input.subject,
    ...(text === null ? {} : { text }),
    ...(html === null ? {} : { html }),
    messageId,
    date: new Date(0),
    headers: Object.entries(input.headers ?? {}).map(([name, value]) => ({ name, value })),
    attachments,
  })
  const end = built.indexOf('\r\n\r\n')
  const start = built.indexOf('\r\nDate: ') + 2
  const next = built.indexOf('\r\n', start) + 2
  if (start < 2 || start > end) throw new Error('a message was built without a date')
  return Buffer.concat([built.subarray(0, start), built.subarray(next)])
}

const refuseMalware = async ({ config, log }: Ctx, bytes: Buffer): Promise<void> => {
  if (config.scannerUrl === null) return
  const answer = await askScanner(config.scannerUrl, bytes, log)
  if (answer?.isInfected) fail('security_error', { message: 'The email was rejected because it contains malware.' })
}
