import type { MailDatabase, MailDb } from '../handles.ts'
import type { Page } from './query-queries.ts'

/** Messages of a folder that are read at once. */
const MIN_BATCH = 200
const MAX_BATCH = 5_000

type Window = { addressId: string; folderId: string; position: number; limit: number }

/** The newest messages of a folder. Null: there is no such mailbox. */
export const newestMessages = async (
  db: MailDb,
  { addressId, folderId, position, limit }: Window,
): Promise<Page | null> => {
  const [page] = await db.query<{ modseq: number; ids: string }>({
    name: 'store-find-newest-messages',
    text: `select modseq, array_to_string(array(
        select message_id from (${newestSql(null)} offset $4) w
      ), '') as ids from mailbox where address_id = $1`,
    values: [addressId, folderId, limit, position],
  })
  return page ? { modseq: page.modseq, ids: idsOf(page.ids) } : null
}

/**
 * The newest message of each thread of a folder: reads only as much of the folder as the window needs. Null: there is no
 * such mailbox.
 */
export const newestThreads = async (
  database: MailDatabase,
  { addressId, folderId, position, limit }: Window,
): Promise<Page | null> => {
  const memory = memoryOf(database)
  const firsts = new Map<string, string>()
  const batch = Math.min(MAX_BATCH, Math.max(MIN_BATCH, 2 * (position + limit)))
  let modseq: number | null = null
  for (let after: Last | null = null; firsts.size < position + limit; ) {
    const folder: FolderPage = { addressId, folderId, after, limit: batch }
    const known = memory.of(folderId)
    const page: ThreadPage | null = known
      ? await readKnown(database.db, folder, known)
      : await findNewestThreads(database.db, folder)
    if (!page) return null
    modseq ??= page.modseq
    memory.add(folderId, page.rows)
    for (const { id, threadId } of page.rows) if (!firsts.has(threadId)) firsts.set(threadId, id)
    if (page.count < batch) break
    after = page.last
  }
  return { ids: [...firsts.values()].slice(position, position + limit), modseq: modseq ?? 0 }
}

type Threads = Map<string, string>

/** The threads of messages in folders that were listed before. A message that gets another thread gets another id. */
type Memory = {
  /** The known threads of a folder, by message id. */
  of(folderId: string): Threads | undefined
  add(folderId: string, rows: ThreadPage['rows']): void
}

/** Limits per folder, and in total: 8 MB. */
const MAX_IN_FOLDER = 2_000
const MAX_KEPT = 40_000

const memories = new WeakMap<MailDatabase, Memory>()

const memoryOf = (database: MailDatabase): Memory => {
  const memory = memories.get(database) ?? createMemory()
  memories.set(database, memory)
  return memory
}

const createMemory = (): Memory => {
  /** Least recently used first. */
  const folders = new Map<string, Threads>()
  let size = 0
  const drop = (folderId: string): void => {
    size -= folders.get(folderId)?.size ?? 0
    folders.delete(folderId)
  }
  return {
    of: (folderId) => folders.get(folderId),
    add(folderId, rows) {
      const known = folders.get(folderId) ?? new Map<string, string>()
      drop(folderId)
      if (known.size + rows.length > MAX_IN_FOLDER) known.clear()
      for (const { id, threadId } of rows.slice(0, MAX_IN_FOLDER)) known.set(id, threadId)
      folders.set(folderId, known)
      size += known.size
      for (const oldest of folders.keys()) {
        if (size <= MAX_KEPT) break
        drop(oldest)
      }
    },
  }
}

type Last = { id: string; receivedAt: Date }

type ThreadPage = {
  modseq: number
  /** Less than those in the folder, if some went while they were read. */
  rows: { id: string; threadId: string }[]
  count: number
  /** The cursor of the next page; null without rows. */
  last: Last | null
}

type FolderPage = { addressId: string; folderId: string; after: Last | null; limit: number }

/** Reads a page when the threads of most of its messages are cached. */
const readKnown = async (db: MailDb, folder: FolderPage, known: ReadonlyMap<string, string>) => {
  const page = await findNewestIds(db, folder)
  if (!page) return null
  const unknown = page.ids.filter((id) => !known.has(id))
  const found = unknown.length > 0 ? await findThreadIds(db, folder.addressId, unknown) : null
  const rows = page.ids.flatMap((id) => {
    const threadId = known.get(id) ?? found?.get(id)
    return threadId === undefined ? [] : { id, threadId }
  })
  return { modseq: page.modseq, rows, count: page.ids.length, last: page.last }
}

const newestSql = (after: Last | null): string =>
  `select message_id, received_at from message_folder where address_id = $1 and folder_id = $2 and not deleted
    ${after ? 'and (received_at, message_id) < ($4::timestamptz, $5::uuid)' : ''}
  order by received_at desc, message_id desc limit $3`

const valuesOf = ({ addressId, folderId, limit, after }: FolderPage): unknown[] => [
  addressId,
  folderId,
  limit,
  ...(after ? [after.receivedAt, after.id] : []),
]

const lastOf = (id: string | undefined, receivedAt: Date | null): Last | null =>
  id && receivedAt ? { id, receivedAt } : null

/** Newest messages of a folder with their threads, after a given one. Null: there is no such mailbox. */
const findNewestThreads = async (db: MailDb, folder: FolderPage): Promise<ThreadPage | null> => {
  const [page] = await db.query<{ modseq: number; pairs: string | null; receivedAt: Date | null }>({
    name: folder.after ? 'store-find-newest-threads-after' : 'store-find-newest-threads',
    text: `select b.modseq, t.pairs, t."receivedAt" from mailbox b, (
        select string_agg(m.id::text || m.thread_id::text, '' order by w.received_at desc, w.message_id desc) as pairs,
          min(w.received_at) as "receivedAt"
        from (${newestSql(folder.after)}) w join message m on m.address_id = $1 and m.id = w.message_id
      ) t where b.address_id = $1`,
    values: valuesOf(folder),
  })
  if (!page) return null
  const rows = pairsOf(page.pairs ?? '')
  return { modseq: page.modseq, rows, count: rows.length, last: lastOf(rows.at(-1)?.id, page.receivedAt) }
}

const findNewestIds = async (db: MailDb, folder: FolderPage) => {
  const [page] = await db.query<{ modseq: number; ids: string | null; receivedAt: Date | null }>({
    name: folder.after ? 'store-find-newest-ids-after' : 'store-find-newest-ids',
    text: `select b.modseq, t.ids, t."receivedAt" from mailbox b, (
        select string_agg(w.message_id::text, '' order by w.received_at desc, w.message_id desc) as ids,
          min(w.received_at) as "receivedAt"
        from (${newestSql(folder.after)}) w
      ) t where b.address_id = $1`,
    values: valuesOf(folder),
  })
  if (!page) return null
  const ids = idsOf(page.ids ?? '')
  return { modseq: page.modseq, ids, last: lastOf(ids.at(-1), page.receivedAt) }
}

const findThreadIds = async (db: MailDb, addressId: string, ids: readonly string[]): Promise<Threads> => {
  const [row] = await db.query<{ pairs: string | null }>({
    name: 'store-find-thread-ids',
    text: `select string_agg(m.id::text || m.thread_id::text, '') as pairs
      from unnest($2::uuid[]) w (id) join message m on m.address_id = $1 and m.id = w.id`,
    values: [addressId, ids],
  })
  return new Map(pairsOf(row?.pairs ?? '').map(({ id, threadId }) => [id, threadId]))
}

const ID_LENGTH = 36

/** In one text: hundreds of rows would take ten times as long. */
const idsOf = (text: string): string[] =>
  Array.from({ length: text.length / ID_LENGTH }, (_, at) => text.slice(at * ID_LENGTH, (at + 1) * ID_LENGTH))

/** A message and its thread after the other. */
const pairsOf = (text: string): ThreadPage['rows'] => {
  const ids = idsOf(text)
  return Array.from({ length: ids.length / 2 }, (_, at) => ({
    id: ids[2 * at] ?? '',
    threadId: ids[2 * at + 1] ?? '',
  }))
}
