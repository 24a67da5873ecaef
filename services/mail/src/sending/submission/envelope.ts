import type { Clock } from '@stoa/kit/clock.ts'
import type { MessageEnvelope } from '../../tables/store.ts'
import {
  type MailParameters,
  parseMailbox,
  type RcptParameters,
  Refused,
  readMailParameters,
  readRcptParameters,
} from '../../wire/smtp/smtp.ts'
import { refuseSubmission } from './refusal.ts'

/** An address of an envelope (RFC 8621 §7): SMTP parameters without their xtext encoding. */
export type EnvelopeAddress = { email: string; parameters: Record<string, string | null> | null }
export type SubmissionEnvelope = { mailFrom: EnvelopeAddress; rcptTo: readonly EnvelopeAddress[] }

export type CheckedRecipient = EnvelopeAddress & { readonly address: string; readonly wishes: RcptParameters }
export type CheckedEnvelope = {
  readonly mailFrom: EnvelopeAddress
  /** In the form that SMTP wants; empty for the null sender. */
  readonly from: string
  readonly wishes: MailParameters
  readonly recipients: readonly CheckedRecipient[]
}

/** The same bound as in the webmail: a month ahead. */
const MAX_HOLD_SECONDS = 30 * 86_400
export const MAX_RECIPIENTS = 100

/** RFC 8621 §7: the envelope of a message that comes without one. */
export const deriveEnvelope = (
  message: Pick<MessageEnvelope, 'to' | 'cc' | 'bcc'>,
  { author, identityEmail }: { author: string; identityEmail: string },
): SubmissionEnvelope => {
  const isOfIdentity = author.toLowerCase() === identityEmail.toLowerCase()
  const named = [...message.to, ...message.cc, ...message.bcc].map(({ email }) => email)
  return {
    mailFrom: { email: isOfIdentity ? author : identityEmail, parameters: null },
    rcptTo: named.map((email) => ({ email, parameters: null })),
  }
}

/** Checks how an envelope is written, and gives every recipient once. */
export const checkEnvelope = ({ mailFrom, rcptTo }: SubmissionEnvelope, clock: Clock): CheckedEnvelope => {
  const sender = mailFrom.email === '' ? null : parseMailbox(mailFrom.email)
  if (mailFrom.email !== '' && !sender)
    refuseSubmission('forbidden_mail_from', `${shown(mailFrom.email)} isn't a valid sender address.`)
  if (rcptTo.length === 0) refuseSubmission('no_recipients', 'Add at least one recipient.')
  const invalid = rcptTo.filter(({ email }) => parseMailbox(email) === null).map(({ email }) => email)
  if (invalid.length > 0)
    refuseSubmission('invalid_recipients', `Invalid email addresses: ${invalid.map(shown).join(', ')}.`, {
      recipients: invalid,
    })
  const recipients = uniqueRecipients(rcptTo)
  if (recipients.length > MAX_RECIPIENTS)
    refuseSubmission('too_many_recipients', `A message can have up to ${MAX_RECIPIENTS} recipients.`, {
      maxRecipients: MAX_RECIPIENTS,
    })
  const offer = { requiresTls: true, maxHoldSeconds: MAX_HOLD_SECONDS, clock }
  return {
    mailFrom,
    from: sender?.address ?? '',
    wishes: orRefuse(() => readMailParameters(parametersOf(mailFrom), offer)),
    recipients,
  }
}

const uniqueRecipients = (rcptTo: readonly EnvelopeAddress[]): CheckedRecipient[] => {
  const known = new Map<string, CheckedRecipient>()
  for (const recipient of rcptTo) {
    const address = parseMailbox(recipient.email)?.address ?? recipient.email
    const key = address.toLowerCase()
    if (known.has(key)) continue
    known.set(key, { ...recipient, address, wishes: orRefuse(() => readRcptParameters(parametersOf(recipient))) })
  }
  return [...known.values()]
}

/** Names of which RFC 3461 §4 encodes the value. */
const XTEXT = new Set(['ENVID', 'ORCPT'])

const parametersOf = ({ parameters }: EnvelopeAddress): Map<string, string | null> => {
  const given = new Map<string, string | null>()
  for (const [name, value] of Object.entries(parameters ?? {})) {
    const keyword = name.toUpperCase()
    // To hold it for no time at all is what happens anyway.
    if (keyword === 'HOLDFOR' && value === '0') continue
    given.set(keyword, value !== null && XTEXT.has(keyword) ? encodeXtext(value) : value)
  }
  return given
}

const encodeXtext = (text: string): string =>
  Buffer.from(text)
    .toString('latin1')
    .replace(/[^!-*,-<>-~]/g, (octet) => `+${octet.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)

const orRefuse = <R>(read: () => R): R => {
  try {
    return read()
  } catch (error) {
    if (error instanceof Refused) return refuseSubmission('invalid_envelope', error.reply.text)
    throw error
  }
}

const shown = (text: string): string => JSON.stringify(text.slice(0, 100))
