import { type Folder, type FolderStatus, listFolders, statusOfFolders } from '../../../store/store.ts'
import { type FoundFolder, nameOf } from '../folders.ts'
import { mailboxName } from '../format.ts'
import type { Arguments } from '../parse/arguments.ts'
import { bad } from '../parse/bad-command.ts'
import type { ImapSession } from '../session.ts'

type Source = { readonly folder: Folder; readonly status: FolderStatus; readonly appendLimit: number }

/** RFC 9051 §6.3.11, with RFC 3501, 7162, 7889, 8438, 8474 and 9208. */
const ITEMS = {
  MESSAGES: ({ status }: Source) => String(status.messages),
  RECENT: ({ status }: Source) => String(status.recent),
  UIDNEXT: ({ folder }: Source) => String(folder.uidNext),
  UIDVALIDITY: ({ folder }: Source) => String(folder.uidValidity),
  UNSEEN: ({ status }: Source) => String(status.unseen),
  DELETED: ({ status }: Source) => String(status.deleted),
  'DELETED-STORAGE': ({ status }: Source) => String(status.deletedSize),
  SIZE: ({ status }: Source) => String(status.size),
  HIGHESTMODSEQ: ({ status }: Source) => String(status.highestModseq),
  MAILBOXID: ({ folder }: Source) => `(${folder.id})`,
  APPENDLIMIT: ({ appendLimit }: Source) => String(appendLimit),
} as const

export type StatusItem = keyof typeof ITEMS

const isItem = (word: string): word is StatusItem => Object.hasOwn(ITEMS, word)

/** `(MESSAGES UNSEEN)` */
export const readStatusItems = (args: Arguments): StatusItem[] => {
  const items = args.list((): StatusItem => {
    const word = args.keyword()
    return isItem(word) ? word : bad(`Unknown status item ${word}`)
  })
  return [...new Set(items)]
}

/** `STATUS` lines of folders, by their ids; without those that have gone meanwhile. */
export const statusLines = async (
  session: ImapSession,
  found: readonly FoundFolder[],
  items: readonly StatusItem[],
): Promise<Map<string, string>> => {
  const { db } = session.parts.database
  const lines = new Map<string, string>()
  for (const [addressId, group] of Map.groupBy(found, ({ access }) => access.addressId)) {
    if (items.includes('RECENT')) await session.door.recents.settle(addressId)
    const viewerId = group[0]?.access.viewerId ?? null
    const wanted = new Set(group.map(({ folder }) => folder.id))
    // The counts of a viewer's folders are not kept: they are read only when requested.
    const known = viewerId === null ? group.map(({ folder }) => folder) : await listFolders(db, addressId, viewerId)
    const folders = known.filter(({ id }) => wanted.has(id))
    const countsRecent = items.includes('RECENT')
    const statuses = await statusOfFolders(db, { addressId, viewerId, folders, countsRecent })
    for (const each of group) {
      const folder = folders.find(({ id }) => id === each.folder.id)
      const status = statuses.get(each.folder.id)
      if (folder && status) lines.set(folder.id, formatStatus(session, { ...each, folder }, status, items))
    }
  }
  return lines
}

const formatStatus = (
  session: ImapSession,
  found: FoundFolder,
  status: FolderStatus,
  items: readonly StatusItem[],
): string => {
  const source: Source = { folder: found.folder, status, appendLimit: session.parts.config.maxMessageBytes }
  const values = items.map((item) => `${item} ${ITEMS[item](source)}`)
  return `STATUS ${mailboxName(session, nameOf(found))} (${values.join(' ')})`
}
