import type { MailboxAccess } from '../../../hosting/shares/shares.ts'
import { listFolders, statusOfFolders } from '../../../store/store.ts'
import { type FoundFolder, nameOf } from '../folders.ts'
import { mailboxName } from '../format.ts'
import type { ImapSession } from '../session.ts'
import type { FolderFilter, NotifyEvents, NotifyGroup } from './parse.ts'

/** A folder as it was last reported to a client. */
export type KnownFolder = {
  readonly found: FoundFolder
  readonly name: string
  readonly subscribed: boolean
  readonly uidNext: number
  readonly uidValidity: number
  readonly messages: number
  readonly highestModseq: number
}

/** The folders of a mailbox as they are, by id. */
export const readFolders = async (session: ImapSession, access: MailboxAccess): Promise<Map<string, KnownFolder>> => {
  const { db } = session.parts.database
  const { addressId, viewerId } = access
  const folders = await listFolders(db, addressId, viewerId)
  const statuses = await statusOfFolders(db, { addressId, viewerId, folders })
  return new Map(
    folders.map((folder) => {
      const found = { access, folder }
      const status = statuses.get(folder.id)
      const { subscribed, uidNext, uidValidity } = folder
      const counts = { messages: status?.messages ?? 0, highestModseq: status?.highestModseq ?? 0 }
      return [folder.id, { found, name: nameOf(found), subscribed, uidNext, uidValidity, ...counts }]
    }),
  )
}

/** The events to report for a folder: those of the first group that includes it. */
export const eventsOf = (groups: readonly NotifyGroup[], folder: KnownFolder): NotifyEvents | null =>
  groups.find(({ filter }) => isPartOf(filter, folder))?.events ?? null

const isPartOf = (filter: FolderFilter, { found, name, subscribed }: KnownFolder): boolean => {
  const isOwn = found.access.viewerId === null
  switch (filter.kind) {
    case 'selected':
      return false
    case 'inboxes':
      return isOwn && found.folder.role === 'inbox'
    case 'personal':
      return isOwn
    case 'subscribed':
      return isOwn && subscribed
    case 'mailboxes':
      return filter.names.some((each) => isSame(each, name))
    case 'subtree':
      return filter.names.some((each) => isSame(each, name) || name.startsWith(`${each}/`))
  }
}

const isSame = (wanted: string, name: string): boolean =>
  wanted === name || (name === 'INBOX' && wanted.toUpperCase() === 'INBOX')

/** The responses that bring a client's state of a mailbox up to date. */
export const folderNews = (
  session: ImapSession,
  groups: readonly NotifyGroup[],
  before: ReadonlyMap<string, KnownFolder>,
  now: ReadonlyMap<string, KnownFolder>,
): string[] => {
  const lines: string[] = []
  for (const [id, folder] of before)
    if (!now.has(id) && eventsOf(groups, folder)?.names) lines.push(listLine(session, folder, ['\\NonExistent']))
  for (const [id, folder] of now) {
    const events = eventsOf(groups, folder)
    if (events) lines.push(...newsOf(session, events, before.get(id), folder))
  }
  return lines
}

const newsOf = (
  session: ImapSession,
  events: NotifyEvents,
  before: KnownFolder | undefined,
  now: KnownFolder,
): string[] => {
  const lines: string[] = []
  const attributes = now.subscribed ? ['\\Subscribed'] : []
  if (events.names && !before) lines.push(listLine(session, now, attributes))
  // RFC 9051 §7.3.1: OLDNAME
  if (events.names && before && before.name !== now.name)
    lines.push(`${listLine(session, now, attributes)} ("OLDNAME" (${mailboxName(session, before.name)}))`)
  if (events.subscriptions && before && before.subscribed !== now.subscribed)
    lines.push(listLine(session, now, attributes))
  const isSelected = session.view?.folder.id === now.found.folder.id
  const line = before && !isSelected ? statusNews(session, events, before, now) : null
  return line === null ? lines : [...lines, line]
}

const statusNews = (
  session: ImapSession,
  events: NotifyEvents,
  before: KnownFolder,
  now: KnownFolder,
): string | null => {
  if (events.messages && (before.messages !== now.messages || before.uidNext !== now.uidNext))
    return statusLine(session, events, now)
  if (events.flags && before.highestModseq !== now.highestModseq)
    return `STATUS ${mailboxName(session, now.name)} (UIDVALIDITY ${now.uidValidity} HIGHESTMODSEQ ${now.highestModseq})`
  return null
}

/** RFC 5465 §5.1: counts of a folder that is not selected. */
export const statusLine = (session: ImapSession, events: NotifyEvents, folder: KnownFolder): string => {
  const modseq = events.flags ? ` HIGHESTMODSEQ ${folder.highestModseq}` : ''
  const counts = `MESSAGES ${folder.messages} UIDNEXT ${folder.uidNext} UIDVALIDITY ${folder.uidValidity}${modseq}`
  return `STATUS ${mailboxName(session, folder.name)} (${counts})`
}

const listLine = (session: ImapSession, { name }: KnownFolder, attributes: readonly string[]): string =>
  `LIST (${attributes.join(' ')}) "/" ${mailboxName(session, name)}`
