import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { ZipEntry } from '@stoa/kit/zip/zip.ts'
import type { MailExport } from '@stoa/mail-model/exports.ts'
import { type ExportedMark, maildirName, mboxMessage } from '../../formats/mbox/mbox.ts'
import { type Folder, listFolders, listSourceEntries, type MailDb, readBytes, StoreRefusal } from '../../store/store.ts'
import type { ExportedAddress } from './queries.ts'

export type ArchiveParts = { db: MailDb; blobs: Blobs; log: Log }

/** Its progress, reported after each message. */
export type Progress = { done: number; damaged: number }

type Archive = {
  addresses: readonly ExportedAddress[]
  format: MailExport['format']
  createdAt: Date
  progress: Progress
}

/**
 * The entries of the archive, one mailbox after the other. mbox: a file for each folder. Maildir: a file for each message,
 * in folders as they are nested here. A message that cannot be read is counted and left out.
 */
export async function* archiveEntries(parts: ArchiveParts, archive: Archive): AsyncGenerator<ZipEntry> {
  for (const address of archive.addresses) {
    const names = createNames()
    for (const folder of await listFolders(parts.db, address.id)) {
      const path = names(`${safeSegment(address.email)}/${folder.path.split('/').map(safeSegment).join('/')}`)
      const found = () => messagesOf(parts, { addressId: address.id, folder, progress: archive.progress })
      if (archive.format === 'mbox')
        yield { name: `${path}.mbox`, modifiedAt: archive.createdAt, content: asMbox(found()) }
      else yield* asMaildir(path, archive.createdAt, found())
    }
  }
}

type Found = { id: string; bytes: Buffer; mark: ExportedMark }

async function* asMbox(messages: AsyncIterable<Found>): AsyncGenerator<Buffer> {
  for await (const { bytes, mark } of messages) yield* mboxMessage(bytes, mark)
}

async function* asMaildir(path: string, createdAt: Date, messages: AsyncIterable<Found>): AsyncGenerator<ZipEntry> {
  for (const part of ['cur', 'new', 'tmp']) yield { name: `${path}/${part}/`, modifiedAt: createdAt, content: [] }
  for await (const { id, bytes, mark } of messages)
    yield { name: `${path}/cur/${maildirName(id, mark)}`, modifiedAt: mark.receivedAt, content: [bytes] }
}

/** Rows are some kilobytes each. */
const PAGE = 100

async function* messagesOf(
  { db, blobs, log }: ArchiveParts,
  { addressId, folder, progress }: { addressId: string; folder: Folder; progress: Progress },
): AsyncGenerator<Found> {
  const toUid = folder.uidNext - 1
  for (let fromUid = 1; fromUid <= toUid; ) {
    const rows = await listSourceEntries(db, { addressId, folderId: folder.id, fromUid, toUid, limit: PAGE })
    for (const row of rows) {
      const { uid, messageId, keywords, deleted, receivedAt } = row
      const bytes = await readBytes(blobs, { ...row, id: messageId }, { log }).catch(orDamaged)
      progress.done += 1
      if (bytes === null) progress.damaged += 1
      else yield { id: `${uid}_${messageId}`, bytes, mark: { keywords, isDeleted: deleted, receivedAt } }
    }
    if (rows.length < PAGE) return
    fromUid = (rows.at(-1)?.uid ?? toUid) + 1
  }
}

const orDamaged = (error: unknown): null => {
  if (error instanceof StoreRefusal && error.kind === 'no_such_blob') return null
  throw error
}

/** A name of a folder that any system can unpack. */
const safeSegment = (name: string): string => {
  const safe = name.replace(/[\\/:*?"<>|\p{Cc}]/gu, '_').replace(/[. ]+$/, '_')
  return safe === '' || safe === '..' ? '_' : safe
}

/** Makes names unique: later ones get a number. */
const createNames = () => {
  const taken = new Set<string>()
  return (wanted: string): string => {
    let name = wanted
    for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${wanted} (${number})`
    taken.add(name.toLowerCase())
    return name
  }
}
