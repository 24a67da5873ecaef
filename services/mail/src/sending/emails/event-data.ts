import type { EmailEventType } from '@stoa/mail-model/emails.ts'
import type { SuppressionOrigin } from '@stoa/mail-model/suppressions.ts'
import type { EmailEventData } from '@stoa/mail-model/webhook-events.ts'
import type { WebhookEvent } from '../../hosting/webhook-events/webhook-events.ts'
import type { EmailFacts } from './event-queries.ts'

/** Something that happened to a mail, or to one of its recipients. */
export type NewEmailEvent = {
  accountId: string
  emailId: string
  /** Null: to the mail as a whole. */
  recipient: string | null
  at: Date
} & NewEmailEventKind

type NewEmailEventKind =
  | {
      type: Exclude<EmailEventType, 'bounced' | 'failed' | 'suppressed' | 'clicked' | 'delivered' | 'delivery_delayed'>
    }
  | { type: 'delivered' | 'delivery_delayed' | 'failed'; reply: string | null }
  /** `status` as in RFC 3463. */
  | { type: 'bounced'; reply: string | null; status: string | null }
  /** `origin` null: only simulated. */
  | { type: 'suppressed'; origin: SuppressionOrigin | null }
  | { type: 'clicked'; click: Click }

export type Click = { link: string; ipAddress: string; userAgent: string }

/** The detail that the mail's timeline shows. */
export const detailOf = (event: NewEmailEvent): string | null => {
  if ('reply' in event) return event.reply
  if (event.type === 'clicked') return event.click.link
  if (event.type === 'suppressed') return event.origin && SUPPRESSED_REASONS[event.origin]
  return null
}

/** The webhook event to send; null for events that are not sent. */
export const webhookEventOf = (event: NewEmailEvent, facts: EmailFacts): WebhookEvent | null => {
  const data = dataOf(event, facts)
  switch (event.type) {
    case 'queued':
    case 'canceled':
      return null
    case 'bounced':
      return { type: 'email.bounced', data: { ...data, bounce: bounceOf(event) } }
    case 'failed':
      return { type: 'email.failed', data: { ...data, failed: { reason: event.reply ?? 'not delivered' } } }
    case 'suppressed':
      return { type: 'email.suppressed', data: { ...data, suppressed: suppressedOf(event.origin) } }
    case 'clicked': {
      const click = { ...event.click, timestamp: event.at.toISOString() }
      return { type: 'email.clicked', data: { ...data, click } }
    }
    default:
      return { type: `email.${event.type}`, data }
  }
}

/** `to` is the recipient that it is about, where it is about one. */
const dataOf = ({ recipient, emailId }: NewEmailEvent, facts: EmailFacts): EmailEventData => ({
  email_id: emailId,
  message_id: `<${facts.message_id}>`,
  created_at: facts.created_at.toISOString(),
  from: facts.sender,
  to: recipient === null ? facts.to_list : [recipient],
  subject: facts.subject,
  ...(facts.tags.length > 0 && { tags: Object.fromEntries(facts.tags.map(({ name, value }) => [name, value])) }),
  ...(Object.keys(facts.headers).length > 0 && {
    headers: Object.entries(facts.headers).map(([name, value]) => ({ name, value })),
  }),
})

const bounceOf = ({ reply, status }: Extract<NewEmailEvent, { type: 'bounced' }>) => ({
  type: status?.startsWith('5')
    ? ('Permanent' as const)
    : status?.startsWith('4')
      ? ('Transient' as const)
      : ('Undetermined' as const),
  subType: subTypeOf(status ?? ''),
  message: reply ?? "The recipient's server rejected the email.",
  diagnosticCode: reply === null ? [] : [reply],
})

/** RFC 3463 §3. */
const subTypeOf = (status: string): 'NoEmail' | 'MailboxFull' | 'MessageTooLarge' | 'ContentRejected' | 'General' => {
  const detail = status.slice(status.indexOf('.') + 1)
  if (detail.startsWith('1.') || detail === '2.1') return 'NoEmail'
  if (detail === '2.2') return 'MailboxFull'
  if (detail === '2.3' || detail === '3.4') return 'MessageTooLarge'
  return detail.startsWith('6.') ? 'ContentRejected' : 'General'
}

const SUPPRESSED_REASONS = {
  bounce: 'previous_bounce',
  complaint: 'previous_complaint',
  manual: 'manual',
} as const satisfies Record<SuppressionOrigin, string>

const suppressedOf = (origin: SuppressionOrigin | null) => ({
  type: origin ? ('OnAccountSuppressionList' as const) : ('Suppressed' as const),
  reason: SUPPRESSED_REASONS[origin ?? 'bounce'],
  message: "The recipient is on the suppression list, so the email wasn't sent.",
  diagnosticCode: [],
})
