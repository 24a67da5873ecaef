import type { MailContent } from '../mail-content.ts'

/** When a mailbox or the storage of the account is nearly full. */
export const quotaWarning = ({ what, percent, url }: { what: string; percent: number; url: string }): MailContent => ({
  subject: `${what} is ${percent} % full`,
  paragraphs: [
    percent >= 100
      ? `${what} is full. New mail bounces until you free up space.`
      : `${what} is ${percent} % full. When it's full, new mail bounces.`,
    "Delete mail you don't need, or raise the limit.",
  ],
  action: { label: 'Open panel', url },
})
