import type { Identity } from '@stoa/mail-model/identities.ts'
import { MAILBOX_SETTINGS_DEFAULTS, type MailboxSettings } from '@stoa/mail-model/mailbox-settings.ts'
import type { Mailbox } from '@stoa/mail-model/webmail.ts'
import type { QueryClient } from '@tanstack/react-query'
import { hadEventSince } from '../../live/last-event.ts'
import { readAgain } from '../../live/patch-cache.ts'
import { foldersQuery, mailIdentitiesQuery, mailSettingsQuery } from '../../queries.ts'

/** Whose mail is written, and the cache that knows about it. */
export type ComposeSession = { client: QueryClient; mailbox: Mailbox }

let current: ComposeSession | null = null

export const setSession = (session: ComposeSession | null): void => {
  current = session
}

export const currentSession = (): ComposeSession | null => current

/** A failed request must not keep anybody from writing: the fallbacks equal the service's defaults. */
const orElse = async <T>(work: Promise<T>, fallback: T): Promise<T> => {
  try {
    return await work
  } catch {
    return fallback
  }
}

export const loadIdentities = async ({ client }: ComposeSession): Promise<readonly Identity[]> =>
  orElse(
    client.ensureQueryData(mailIdentitiesQuery).then(({ data }) => data),
    [],
  )

export const loadSettings = ({ client }: ComposeSession): Promise<MailboxSettings> =>
  orElse(client.ensureQueryData(mailSettingsQuery), MAILBOX_SETTINGS_DEFAULTS)

export const draftsFolder = async ({ client }: ComposeSession): Promise<string | null> =>
  (await client.ensureQueryData(foldersQuery)).data.find(({ role }) => role === 'drafts')?.id ?? null

/** How long live updates may take to report a change. */
const LIVE_MS = 2500

/** Lists and counts show drafts and sent mail. The live updates bring them; without these they are asked for. */
export const refreshLists = ({ client }: ComposeSession): void => {
  const doneAt = Date.now()
  setTimeout(() => {
    if (!hadEventSince(doneAt)) readAgain(client, ['messages', 'folders', 'submissions', 'thread'])
  }, LIVE_MS)
}
