import { dayOf, type MailContent } from '../mail-content.ts'

/** What was put in Junk, with a way to each message. */
export const junkDigest = ({ period, total, messages, junkUrl }: Digest): MailContent => ({
  subject: total === 1 ? '1 new message in Junk' : `${total} new messages in Junk`,
  paragraphs: [
    `These messages were put in your Junk folder in the last ${period === 'daily' ? 'day' : 'week'}. If one isn't junk, open it and choose "Not junk".`,
    ...(total > messages.length ? [`The newest ${messages.length} are listed here.`] : []),
  ],
  items: messages.map(({ author, subject, receivedAt, url }) => ({
    title: plainLine(subject) || 'No subject',
    detail: `${plainLine(author) || 'Unknown sender'}, ${dayOf(receivedAt)}`,
    url,
  })),
  action: { label: 'Open Junk', url: junkUrl },
  footnote: `You're receiving this email because the ${period} junk digest is on in your mailbox settings.`,
})

type Digest = {
  period: 'daily' | 'weekly'
  total: number
  messages: readonly { author: string | null; subject: string | null; receivedAt: Date; url: string }[]
  junkUrl: string
}

const MAX_LINE = 120

/** Strangers wrote it: one line, without characters that turn or hide what follows. */
const plainLine = (text: string | null): string =>
  (text ?? '')
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, MAX_LINE)
    .toWellFormed()
