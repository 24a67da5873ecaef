import { z } from 'zod'
import { moment } from '../text.ts'
import { defineEvent, SAMPLE_ID, type SampleContext, type WebhookEventDefinition } from './define.ts'

const tags = z.record(z.string(), z.string())
const headers = z.array(z.object({ name: z.string(), value: z.string() }))

/** What every event about a sent email includes. */
const emailEventData = z.object({
  email_id: z.uuid(),
  message_id: z.string(),
  created_at: moment,
  from: z.string(),
  to: z.array(z.string()),
  subject: z.string(),
  tags: tags.optional(),
  headers: headers.optional(),
})
export type EmailEventData = z.infer<typeof emailEventData>

const bounceTypes = ['Undetermined', 'Transient', 'Permanent'] as const
const bounceSubTypes = [
  'Undetermined',
  'General',
  'NoEmail',
  'MailboxFull',
  'MessageTooLarge',
  'ContentRejected',
  'AttachmentRejected',
] as const

const bounce = z.object({
  type: z.enum(bounceTypes),
  subType: z.enum(bounceSubTypes),
  message: z.string(),
  /** The replies of the receiving server, one per item. */
  diagnosticCode: z.array(z.string()),
})
const click = z.object({ ipAddress: z.string(), link: z.string(), timestamp: moment, userAgent: z.string() })
const suppressed = z.object({
  type: z.enum(['Suppressed', 'OnAccountSuppressionList']),
  /** `manual` where somebody put the address on the list. */
  reason: z.enum(['previous_bounce', 'previous_complaint', 'manual']),
  message: z.string(),
  diagnosticCode: z.array(z.string()),
})

const emailSample = ({ at }: Pick<SampleContext, 'at'>): EmailEventData => ({
  email_id: SAMPLE_ID,
  message_id: `<${SAMPLE_ID}@mail.example.com>`,
  created_at: at,
  from: 'Example <hello@example.com>',
  to: ['person@example.org'],
  subject: 'A test of your webhook',
  tags: { kind: 'test' },
})

const bounceSample: z.infer<typeof bounce> = {
  type: 'Permanent',
  subType: 'NoEmail',
  message: "The address doesn't exist.",
  diagnosticCode: ['smtp; 550 5.1.1 No such user'],
}

const suppressedSample: z.infer<typeof suppressed> = {
  type: 'OnAccountSuppressionList',
  reason: 'previous_bounce',
  message: 'The address is on the suppression list.',
  diagnosticCode: [],
}

/** An event with the email and nothing else. */
const emailEvent = (words: Pick<WebhookEventDefinition, 'group' | 'label' | 'when'>) =>
  defineEvent({ ...words, data: emailEventData, sample: emailSample })

/** Events of a mail that was sent through the API. */
export const emailEvents = {
  'email.scheduled': emailEvent({
    group: 'Sending',
    label: 'Scheduled',
    when: 'An email was scheduled',
  }),
  'email.sent': emailEvent({ group: 'Sending', label: 'Sent', when: 'The first delivery attempt started' }),
  'email.delivered': emailEvent({
    group: 'Sending',
    label: 'Delivered',
    when: "A recipient's server accepted the email",
  }),
  'email.delivery_delayed': emailEvent({
    group: 'Sending',
    label: 'Delayed',
    when: 'Delivery was delayed and will be retried',
  }),
  'email.bounced': defineEvent({
    group: 'Sending',
    label: 'Bounced',
    when: "A recipient's server permanently rejected the email",
    data: emailEventData.extend({ bounce }),
    sample: (context) => ({ ...emailSample(context), bounce: bounceSample }),
  }),
  'email.complained': emailEvent({
    group: 'Sending',
    label: 'Complained',
    when: 'A recipient reported the email as spam',
  }),
  'email.failed': defineEvent({
    group: 'Sending',
    label: 'Failed',
    when: "The email couldn't be sent",
    data: emailEventData.extend({ failed: z.object({ reason: z.string() }) }),
    sample: (context) => ({ ...emailSample(context), failed: { reason: "The domain doesn't accept mail." } }),
  }),
  'email.suppressed': defineEvent({
    group: 'Sending',
    label: 'Suppressed',
    when: "The email wasn't sent because the recipient is suppressed",
    data: emailEventData.extend({ suppressed }),
    sample: (context) => ({ ...emailSample(context), suppressed: suppressedSample }),
  }),
  'email.opened': emailEvent({
    group: 'Engagement',
    label: 'Opened',
    when: 'A recipient opened the email (requires open tracking)',
  }),
  'email.clicked': defineEvent({
    group: 'Engagement',
    label: 'Clicked',
    when: 'A recipient clicked a link in the email (requires click tracking)',
    data: emailEventData.extend({ click }),
    sample: (context) => ({
      ...emailSample(context),
      click: {
        ipAddress: '192.0.2.1',
        link: 'https://www.example.com/',
        timestamp: context.at,
        userAgent: 'Mozilla/5.0',
      },
    }),
  }),
}
