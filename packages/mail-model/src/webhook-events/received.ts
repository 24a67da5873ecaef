import { z } from 'zod'
import { moment } from '../text.ts'
import { defineEvent, SAMPLE_ID } from './define.ts'

const receivedEmailData = z.object({
  email_id: z.uuid(),
  created_at: moment,
  from: z.string(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  bcc: z.array(z.string()),
  /** The addresses here that it was delivered to. */
  received_for: z.array(z.string()),
  message_id: z.string(),
  subject: z.string(),
  attachments: z.array(
    z.object({
      /** The section of the part, such as `2` or `1.2`. */
      id: z.string(),
      filename: z.string().nullable(),
      content_type: z.string(),
      content_disposition: z.string().nullable(),
      content_id: z.string().nullable(),
    }),
  ),
})
export type ReceivedEmailData = z.infer<typeof receivedEmailData>

export const receivedEvents = {
  'email.received': defineEvent({
    group: 'Receiving',
    label: 'Received',
    when: 'An email was delivered to a mailbox; sent once per mailbox, and not for mail that a filter discards',
    data: receivedEmailData,
    sample: ({ at }) => ({
      email_id: SAMPLE_ID,
      created_at: at,
      from: 'Person <person@example.org>',
      to: ['hello@example.com'],
      cc: [],
      bcc: [],
      received_for: ['hello@example.com'],
      message_id: `<${SAMPLE_ID}@mail.example.org>`,
      subject: 'A test of your webhook',
      attachments: [
        {
          id: '2',
          filename: 'notes.pdf',
          content_type: 'application/pdf',
          content_disposition: 'attachment',
          content_id: null,
        },
      ],
    }),
  }),
}
