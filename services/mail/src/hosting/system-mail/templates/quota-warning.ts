import type { MailContent } from '../mail-content.ts'

/** When a mailbox or the storage of the account is nearly full. */
export const quotaWarning = ({ what, percent, url }: { what: string; percent: number; url: string }): MailContent => ({
  subject: `${what} is ${percent} % full`,
  paragraphs: [
    percent >= 100
      ? `${what} is full. Mail to it is sent back to its senders until there is room again.`
      : `${what} is ${percent} % full. When it is full, mail to it is sent back to its senders.`,
    'Delete mail that nobody needs, or raise the limit.',
  ],
  action: { label: 'Open the panel', url },
})
