import type { EntryStatus } from '@stoa/cms-model/entries.ts'
import type { CmsDb } from '../../context.ts'

export type CardRow = {
  id: string
  type: string
  title: string
  status: EntryStatus
  isPending: boolean
  publishAt: Date | null
  unpublishAt: Date | null
  updatedAt: Date
  updatedById: string | null
  updatedByName: string | null
  /** What the picture field holds: an id, several, or whatever an earlier type of the field left there. */
  picture: unknown
}

/** The key of the picture field by type. */
export type PictureKeys = ReadonlyMap<string, string>

/** Entries as people see them: the working copy. */
const COLUMNS = `e.id, e.type, coalesce(e.pending ->> 'title', e.title) as title, e.status,
  e.pending is not null as "isPending", e.publish_at as "publishAt", e.unpublish_at as "unpublishAt",
  e.updated_at as "updatedAt", editor.id as "updatedById", editor.name as "updatedByName",
  coalesce(e.pending -> 'data', e.data) -> picture.key as picture`

const JOINED = `left join account editor on editor.id = e.updated_by
  left join unnest($1::text[], $2::text[]) as picture (type, key) on picture.type = e.type`

const cards = (db: CmsDb, keys: PictureKeys, name: string, rest: string, values: unknown[]): Promise<CardRow[]> =>
  db.query<CardRow>({
    name: `dashboard-${name}`,
    text: `select ${COLUMNS} from ${rest}`,
    values: [[...keys.keys()], [...keys.values()], ...values],
  })

/** Each type is asked for its latest, which its index has in order. */
export const recentCards = (db: CmsDb, keys: PictureKeys, limit: number): Promise<CardRow[]> =>
  cards(
    db,
    keys,
    'recent',
    `content_type t cross join lateral (select * from entry where type = t.name and deleted_at is null
      order by updated_at desc, id limit $3) e ${JOINED} order by e.updated_at desc, e.id limit $3`,
    [limit],
  )

export const draftCards = (db: CmsDb, keys: PictureKeys, author: string, limit: number): Promise<CardRow[]> =>
  cards(
    db,
    keys,
    'drafts',
    `entry e ${JOINED} where e.author_id = $3 and e.status = 'draft' and e.publish_at is null and e.deleted_at is null
      order by e.updated_at desc, e.id limit $4`,
    [author, limit],
  )

/** The scheduled entries of one author, or of everybody. */
export const scheduledCards = (
  db: CmsDb,
  keys: PictureKeys,
  author: string | null,
  limit: number,
): Promise<CardRow[]> =>
  cards(
    db,
    keys,
    'scheduled',
    `entry e ${JOINED} where (e.publish_at is not null or e.unpublish_at is not null) and e.deleted_at is null
      and ($3::uuid is null or e.author_id = $3) order by least(e.publish_at, e.unpublish_at), e.id limit $4`,
    [author, limit],
  )

export const pendingCards = (db: CmsDb, keys: PictureKeys, limit: number): Promise<CardRow[]> =>
  cards(
    db,
    keys,
    'pending',
    `entry e ${JOINED} where e.pending is not null and e.deleted_at is null order by e.updated_at desc, e.id limit $3`,
    [limit],
  )

/** Entries whose scheduled change failed, and to which nothing has happened since. */
export const failedCards = (db: CmsDb, keys: PictureKeys, since: Date, limit: number): Promise<CardRow[]> =>
  cards(
    db,
    keys,
    'failed',
    `(select a.at, a.id, a.target_id::uuid as entry_id from activity a
        where a.at >= $3 and a.action in ('entry.publish.failed', 'entry.unpublish.failed')
          and not exists (select from activity later where later.target_kind = 'entry' and later.target_id = a.target_id
            and (later.at, later.id) > (a.at, a.id))
        order by a.at desc, a.id desc limit $4) failure
      join entry e on e.id = failure.entry_id and e.deleted_at is null ${JOINED}
      order by failure.at desc, failure.id desc`,
    [since, limit],
  )

/** One index for all types; what is published is counted as it changes. */
export const countEntries = (db: CmsDb): Promise<{ type: string; total: number; published: number }[]> =>
  db.query({
    name: 'dashboard-counts',
    text: `select t.name as type,
        (select count(*) from entry e where e.type = t.name and e.deleted_at is null) as total,
        (select coalesce(sum(c.published), 0)::int from entry_count c where c.type = t.name) as published
      from content_type t order by t.name`,
  })

/** The entries of single types. */
export const entriesOfSingles = (db: CmsDb, types: readonly string[]): Promise<{ type: string; id: string }[]> =>
  db.query({
    name: 'dashboard-singles',
    text: 'select type, id from entry where type = any($1) and deleted_at is null',
    values: [types],
  })
