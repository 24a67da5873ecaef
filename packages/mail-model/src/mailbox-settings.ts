import { z } from 'zod'
import { digestChoice } from './digest.ts'
import { parseEmail } from './email.ts'
import { flag } from './objects.ts'

const MAX_SENDERS = 500
const MAX_UNDO_SECONDS = 60
const PAGE_SIZES = [10, 25, 50, 100] as const

/** `ada@example.org`, or `@example.org` for everybody there. */
const imageSender = z.string({ error: 'must be text' }).transform((text, context) => {
  const given = text.trim()
  const isDomain = given.startsWith('@')
  const parsed = parseEmail(isDomain ? `x${given}` : given)
  if (parsed !== null) return isDomain ? parsed.slice(1) : parsed
  context.addIssue({ code: 'custom', message: 'must be an email address, or a domain like @example.org' })
  return z.NEVER
})

export const undoSeconds = z
  .int({ error: 'must be a whole number' })
  .min(0, { error: 'must not be negative' })
  .max(MAX_UNDO_SECONDS, { error: `must be at most ${MAX_UNDO_SECONDS}` })

const choices = {
  /** Whether pictures from elsewhere are shown without asking. */
  show_images: z.enum(['ask', 'always'], { error: 'must be ask or always' }),
  /** Whose pictures are shown whatever `show_images` says. */
  image_senders: z
    .array(imageSender, { error: 'must be a list' })
    .max(MAX_SENDERS, { error: `must have at most ${MAX_SENDERS} entries` })
    .transform((senders) => [...new Set(senders)]),
  /** How long sent mail can be taken back. */
  undo_seconds: undoSeconds,
  page_size: z.literal(PAGE_SIZES, { error: `must be one of ${PAGE_SIZES.join(', ')}` }),
  /** Whether messages of a conversation are listed as one. */
  conversations: flag,
  /** How much room a row of a list has. */
  density: z.enum(['comfortable', 'compact'], { error: 'must be comfortable or compact' }),
  reading_pane: z.enum(['right', 'below', 'none'], { error: 'must be right, below or none' }),
  compose_format: z.enum(['html', 'text'], { error: 'must be html or text' }),
  /** After how long an opened message counts as read; null: never by itself. */
  mark_read_seconds: z
    .int({ error: 'must be a whole number or null' })
    .min(0, { error: 'must not be negative' })
    .max(60, { error: 'must be at most 60' })
    .nullable(),
  /** How often a mail lists what was put in Junk. */
  digest: digestChoice,
}

/** How somebody likes their webmail. */
export const mailboxSettings = z.object({ object: z.literal('mailbox_settings'), ...choices })

export const mailboxSettingsInput = z.object(choices).partial()
export type MailboxSettingsInput = z.output<typeof mailboxSettingsInput>

export type MailboxSettings = Omit<z.output<typeof mailboxSettings>, 'object'>

export const MAILBOX_SETTINGS_DEFAULTS: MailboxSettings = {
  show_images: 'ask',
  image_senders: [],
  undo_seconds: 20,
  page_size: 50,
  conversations: true,
  density: 'comfortable',
  reading_pane: 'right',
  compose_format: 'html',
  mark_read_seconds: 0,
  digest: 'off',
}
