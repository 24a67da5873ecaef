import type { MailDb, MailTx } from '../handles.ts'

/** What entries belong to: a folder, or with null the server as one address sees it. */
export type MetadataPlace = { addressId: string; folderId: string | null }
export type MetadataEntry = { name: string; value: Buffer }

// A private entry is of the owner without a viewer, and of nobody else; shared ones have none.
const VISIBLE = `address_id = $1 and folder_id is not distinct from $2::uuid
  and (viewer_id is not distinct from $3::uuid or (viewer_id is null and name like '/shared/%'))
  and not (viewer_id is null and $3::uuid is not null and name like '/private/%')`

export const findMetadata = (
  db: MailDb,
  { addressId, folderId, viewerId }: MetadataPlace & { viewerId: string | null },
): Promise<MetadataEntry[]> =>
  db.query<MetadataEntry>({
    name: 'store-find-metadata',
    text: `select name, value from folder_metadata where ${VISIBLE} order by name`,
    values: [addressId, folderId, viewerId],
  })

/** Of all who look at it. */
export const countMetadata = async (tx: MailTx, { addressId, folderId }: MetadataPlace): Promise<number> => {
  const [row] = await tx.query<{ count: number }>({
    text: `select count(*) as count from folder_metadata where address_id = $1 and folder_id is not distinct from $2::uuid`,
    values: [addressId, folderId],
  })
  return row?.count ?? 0
}

type Entry = MetadataPlace & { viewerId: string | null; name: string }

export const putMetadata = async (tx: MailTx, entry: Entry, value: Buffer): Promise<void> => {
  await tx.query({
    text: `insert into folder_metadata (address_id, folder_id, viewer_id, name, value) values ($1, $2, $3, $4, $5)
      on conflict on constraint folder_metadata_key do update set value = excluded.value`,
    values: [entry.addressId, entry.folderId, entry.viewerId, entry.name, value],
  })
}

export const deleteMetadata = async (tx: MailTx, entry: Entry): Promise<void> => {
  await tx.query({
    text: `delete from folder_metadata where address_id = $1 and folder_id is not distinct from $2::uuid
      and viewer_id is not distinct from $3::uuid and name = $4`,
    values: [entry.addressId, entry.folderId, entry.viewerId, entry.name],
  })
}
