import type { ChangeTable } from '../../tables/store.ts'
import type { MailDb } from '../handles.ts'

export const CHANGE_KINDS: readonly ChangeTable['kind'][] = [
  'folder',
  'folder_counts',
  'message',
  'thread',
  'submission',
  'identity',
  'vacation',
  'script',
  'quota',
]

export type KindsRow = {
  modseq: number
  floor: number
  kinds: ChangeTable['kind'][]
  hasNewMessages: boolean
}

/** Undefined without a mailbox. */
export const findKindsSince = async (db: MailDb, addressId: string, since: number): Promise<KindsRow | undefined> => {
  const [row] = await db.query<KindsRow>({
    name: 'store-find-kinds-since',
    text: `select b.modseq, b.floor, array(
        select k.kind from unnest($3::text[]) k (kind) where exists (
          select from change c where c.address_id = $1 and c.kind = k.kind and c.modseq > $2)
      ) as kinds, exists (
        select from change c where c.address_id = $1 and c.kind = 'message' and c.modseq > $2 and c.op = 'created'
      ) as "hasNewMessages"
      from mailbox b where b.address_id = $1`,
    values: [addressId, since, CHANGE_KINDS],
  })
  return row
}
