import type { MailDatabase, MailDb } from '../handles.ts'
import { openMailbox } from './mailbox.ts'
import { countMetadata, deleteMetadata, findMetadata, type MetadataEntry, putMetadata } from './metadata-queries.ts'

/** Annotations of a folder, or of the server with a null folder, as one who looks sees them (RFC 5464). */
export type Annotated = {
  readonly addressId: string
  readonly folderId: string | null
  /** Null: the owner. Private entries are everybody's own. */
  readonly viewerId: string | null
}

/** Of one value; RFC 5464 §4.3 lets us say so. */
export const MAX_VALUE_BYTES = 65_536
/** Entries of one folder, of all who look at it together. */
const MAX_ENTRIES = 200
const MAX_NAME_LENGTH = 255

/** An entry in lower case, or null if it can be none (RFC 5464 §3.2). */
export const readEntryName = (name: string): string | null => {
  const lower = name.toLowerCase()
  const isGood = /^\/(?:private|shared)(?:\/[!-$&-)+-.0-~]+)+$/.test(lower) && lower.length <= MAX_NAME_LENGTH
  return isGood ? lower : null
}

/** All see it, and who may write sets it. */
export const isSharedEntry = (name: string): boolean => name.startsWith('/shared/')

/** All entries that somebody sees: shared ones, and their own private ones. */
export const listMetadata = (db: MailDb, place: Annotated): Promise<MetadataEntry[]> => findMetadata(db, place)

/** Sets entries, removes those with null; false: there would be too many, and nothing changed. */
export const setMetadata = async (
  database: MailDatabase,
  place: Annotated,
  entries: ReadonlyMap<string, Buffer | null>,
): Promise<boolean> => {
  try {
    await database.tx(async (tx) => {
      // One after the other, so that they can be counted.
      await openMailbox(tx, place.addressId)
      for (const [name, value] of entries) {
        const entry = { ...place, viewerId: isSharedEntry(name) ? null : place.viewerId, name }
        if (value === null) await deleteMetadata(tx, entry)
        else await putMetadata(tx, entry, value)
      }
      if ((await countMetadata(tx, place)) > MAX_ENTRIES) throw new TooMany()
    })
    return true
  } catch (error) {
    if (error instanceof TooMany) return false
    throw error
  }
}

class TooMany extends Error {
  override readonly name = 'TooMany'
}
