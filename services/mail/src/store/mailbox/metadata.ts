import type { MailDatabase, MailDb, MailTx } from '../handles.ts'
import { openMailbox } from './mailbox.ts'

/** Annotations of a folder, or of the server with a null folder, as one who looks sees them (RFC 5464). */
export type Annotated = {
  readonly addressId: string
  readonly folderId: string | null
  /** Null: the owner. Private entries are everybody's own. */
  readonly viewerId: string | null
}

/** The longest value; RFC 5464 §4.3 allows a limit. */
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
export const listMetadata = (
  db: MailDb,
  { addressId, folderId, viewerId }: MetadataOwner & { viewerId: string | null },
): Promise<MetadataEntry[]> =>
  db.query<MetadataEntry>({
    name: 'store-find-metadata',
    text: `select name, value from folder_metadata where address_id = $1 and ${VISIBLE} order by name`,
    values: [addressId, folderId, viewerId],
  })

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

/** What entries belong to: a folder, or with null the server as one address sees it. */
type MetadataOwner = { addressId: string; folderId: string | null }
export type MetadataEntry = { name: string; value: Buffer }

// A private entry is of the owner without a viewer, and of nobody else; shared ones have none.
const VISIBLE = `folder_id is not distinct from $2::uuid
  and (viewer_id is not distinct from $3::uuid or (viewer_id is null and name like '/shared/%'))
  and not (viewer_id is null and $3::uuid is not null and name like '/private/%')`

/** Counts the entries of all viewers. */
const countMetadata = async (tx: MailTx, { addressId, folderId }: MetadataOwner): Promise<number> => {
  const [row] = await tx.query<{ count: number }>({
    text: `select count(*) as count from folder_metadata where address_id = $1 and folder_id is not distinct from $2::uuid`,
    values: [addressId, folderId],
  })
  return row?.count ?? 0
}

type Entry = MetadataOwner & { viewerId: string | null; name: string }

const putMetadata = async (tx: MailTx, entry: Entry, value: Buffer): Promise<void> => {
  await tx.query({
    text: `insert into folder_metadata (address_id, folder_id, viewer_id, name, value) values ($1, $2, $3, $4, $5)
      on conflict on constraint folder_metadata_key do update set value = excluded.value`,
    values: [entry.addressId, entry.folderId, entry.viewerId, entry.name, value],
  })
}

const deleteMetadata = async (tx: MailTx, entry: Entry): Promise<void> => {
  await tx.query({
    text: `delete from folder_metadata where address_id = $1 and folder_id is not distinct from $2::uuid
      and viewer_id is not distinct from $3::uuid and name = $4`,
    values: [entry.addressId, entry.folderId, entry.viewerId, entry.name],
  })
}
