import type { Data } from '@stoa/cms-model/fields/values.ts'
import type { CmsTx } from '../../../context.ts'

/** An entry's live data, and its unpublished changes. */
export type StoredData = { id: string; data: Data; pending: Data | null }

/** Enough to keep the database busy, and little enough to stay small in memory. */
const PAGE_SIZE = 200

/** The data of all entries of a type, page by page, in the trash as well. Pages may be written while the next ones wait. */
export async function* scanData(tx: CmsTx, type: string): AsyncGenerator<StoredData[], void, undefined> {
  await tx.query({
    text: `declare stored no scroll cursor for select id, data, pending -> 'data' as pending from entry where type = $1`,
    values: [type],
  })
  for (;;) {
    const page = await tx.query<StoredData>({ text: `fetch ${PAGE_SIZE} from stored` })
    if (page.length > 0) yield page
    if (page.length < PAGE_SIZE) break
  }
  await tx.query({ text: 'close stored' })
}

/** Writes data in another form of the same content: no version and no date changes. */
export const writeData = async (tx: CmsTx, entries: readonly StoredData[]): Promise<void> => {
  await tx.query({
    name: 'write-entry-data',
    text: `update entry set data = written.data,
        pending = case when written.pending is null then entry.pending
          else jsonb_set(entry.pending, '{data}', written.pending) end
      from unnest($1::uuid[], $2::jsonb[], $3::jsonb[]) as written (id, data, pending) where entry.id = written.id`,
    values: [
      entries.map(({ id }) => id),
      entries.map(({ data }) => JSON.stringify(data)),
      entries.map(({ pending }) => (pending === null ? null : JSON.stringify(pending))),
    ],
  })
}

/** Unique values stay claimed by the entries that have them. */
export const renameClaims = async (tx: CmsTx, type: string, { from, to }: { from: string; to: string }) => {
  await tx.updateTable('entry_unique').set({ key: to }).where('type', '=', type).where('key', '=', from).execute()
}

/**
 * Waits until nobody writes entries of the type. A writer locks the entry first and its type then: to lock them
 * in another order could stop both.
 */
export const lockEntriesOf = async (tx: CmsTx, type: string): Promise<void> => {
  await tx.query({
    text: 'select count(*) from (select from entry where type = $1 order by id for no key update) as locked',
    values: [type],
  })
}
