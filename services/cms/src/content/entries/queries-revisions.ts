import type { EntryStatus, RevisionReason } from '@stoa/cms-model/entries.ts'
import type { Page } from '@stoa/cms-model/lists.ts'
import { type EntryTerm, entryTerm } from '@stoa/cms-model/taxonomies.ts'
import { z } from 'zod'
import type { CmsDb, CmsTx } from '../../context.ts'
import { toData, toPerson } from './queries.ts'
import type { Content, Person } from './record.ts'

export type NewRevision = Content & {
  id: string
  entryId: string
  version: number
  /** `published`: this content went live. */
  status: EntryStatus
  terms: EntryTerm[]
  authorId: string | null
  reason: RevisionReason
  isAutosave: boolean
  changed: string[]
  createdAt: Date
}

export type StoredRevision = Omit<NewRevision, 'authorId'> & { author: Person | null }

export const insertRevision = async (tx: CmsTx, revision: NewRevision): Promise<void> => {
  await tx
    .insertInto('revision')
    .values({
      id: revision.id,
      entry_id: revision.entryId,
      version: revision.version,
      title: revision.title,
      slug: revision.slug,
      data: JSON.stringify(revision.data),
      status: revision.status,
      terms: JSON.stringify(revision.terms),
      author_id: revision.authorId,
      reason: revision.reason,
      is_autosave: revision.isAutosave,
      changed: revision.changed,
      created_at: revision.createdAt,
    })
    .execute()
}

/** The newest revision if it is an autosave by this person after that moment, which another one can be joined with. */
export const findOpenAutosave = async (
  tx: CmsTx,
  { entryId, authorId, since }: { entryId: string; authorId: string | null; since: Date },
): Promise<{ id: string; changed: string[] } | null> => {
  const [row] = await tx.query<{ id: string; changed: string[]; is_open: boolean }>({
    text: `select id, changed, is_autosave and status = 'draft' and author_id is not distinct from $2::uuid
        and created_at > $3 as is_open
      from revision where entry_id = $1 order by version desc, id desc limit 1`,
    values: [entryId, authorId, since],
  })
  return row?.is_open ? { id: row.id, changed: row.changed } : null
}

/** The autosave goes on: it holds what is saved now, and still began when it did. */
export const updateAutosave = async (tx: CmsTx, id: string, revision: NewRevision): Promise<void> => {
  await tx
    .updateTable('revision')
    .set({
      version: revision.version,
      title: revision.title,
      slug: revision.slug,
      data: JSON.stringify(revision.data),
      terms: JSON.stringify(revision.terms),
      changed: revision.changed,
    })
    .where('id', '=', id)
    .execute()
}

/** Removes all but the newest; what is live stays however old it is. */
export const pruneRevisions = async (tx: CmsTx, entryId: string, limit: number): Promise<void> => {
  await tx.query({
    name: 'prune-revisions',
    text: `delete from revision where id = any (array(
        select id from revision where entry_id = $1 order by version desc, id desc offset $2
      )) and id is distinct from (
        select id from revision where entry_id = $1 and status = 'published' order by version desc, id desc limit 1
      )`,
    values: [entryId, limit],
  })
}

const COLUMNS = `r.id, r.entry_id, r.version, r.title, r.slug, r.status, r.terms, r.reason, r.is_autosave, r.changed,
  r.created_at, author.id as author_id, author.name as author_name`

type Row = {
  id: string
  entry_id: string
  version: number
  title: string
  slug: string
  status: EntryStatus
  terms: unknown
  reason: RevisionReason
  is_autosave: boolean
  changed: string[]
  created_at: Date
  author_id: string | null
  author_name: string | null
}

/** The newest first, without their data. */
export const listRevisionRows = async (
  db: CmsDb,
  entryId: string,
  { page, limit }: Page,
): Promise<{ revisions: Omit<StoredRevision, 'data'>[]; total: number }> => {
  const [counted] = await db.query<{ total: number }>({
    name: 'count-revisions',
    text: 'select count(*) as total from revision where entry_id = $1',
    values: [entryId],
  })
  const rows = await db.query<Row>({
    name: 'list-revisions',
    text: `select ${COLUMNS} from revision r left join account author on author.id = r.author_id
      where r.entry_id = $1 order by r.version desc, r.id desc limit $2 offset $3`,
    values: [entryId, limit, (page - 1) * limit],
  })
  return { revisions: rows.map(toItem), total: counted?.total ?? 0 }
}

export const findRevision = async (db: CmsDb, entryId: string, id: string): Promise<StoredRevision | null> => {
  const [row] = await db.query<Row & { data: unknown }>({
    name: 'find-revision',
    text: `select ${COLUMNS}, r.data from revision r left join account author on author.id = r.author_id
      where r.entry_id = $1 and r.id = $2`,
    values: [entryId, id],
  })
  return row ? { ...toItem(row), data: toData(row.data) } : null
}

const storedTerms = z.array(entryTerm)

const toItem = (row: Row): Omit<StoredRevision, 'data'> => ({
  id: row.id,
  entryId: row.entry_id,
  version: row.version,
  title: row.title,
  slug: row.slug,
  status: row.status,
  terms: storedTerms.parse(row.terms),
  author: toPerson(row.author_id, row.author_name),
  reason: row.reason,
  isAutosave: row.is_autosave,
  changed: row.changed,
  createdAt: row.created_at,
})
