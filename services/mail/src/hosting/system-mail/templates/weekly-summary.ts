import type { MailContent } from '../mail-content.ts'

/** What happened in an account in seven days. */
export const weeklySummary = ({ received, sent, rejected, spam, url }: Week): MailContent => ({
  subject: 'Your week in mail',
  paragraphs: ['Mail your addresses received and sent in the last seven days.'],
  facts: [
    ['Received', String(received)],
    ['Sent', String(sent)],
    ['Rejected', String(rejected)],
    ['Spam', String(spam)],
  ],
  action: { label: 'Open panel', url },
  footnote: "You're receiving this email because the weekly summary is on in your notification settings.",
})

type Week = { received: number; sent: number; rejected: number; spam: number; url: string }
