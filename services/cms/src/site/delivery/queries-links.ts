import type { Described } from '../../content/media/media.ts'
import type { CmsDb } from '../../context.ts'
import { LIVE } from './queries.ts'

/** A published entry that another one refers to. */
export type TargetRow = {
  id: string
  slug: string
  type: string
  title: string
  locale: string
  data: string
  published_at: Date | null
}

/** Those of the entries that are published, of these types: one statement for all of a level. */
export const listTargets = (db: CmsDb, ids: readonly string[], types: readonly string[]): Promise<TargetRow[]> =>
  db.query({
    name: 'delivery-targets',
    text: `select id, slug, type, title, locale, data::text as data, published_at from entry
      where id = any($1::uuid[]) and type = any($2::text[]) and ${LIVE}`,
    values: [ids, types],
  })

export type StubRow = Pick<TargetRow, 'id' | 'slug' | 'type' | 'title' | 'locale'>

/** An entry, or a file: the columns of the other kind are null. */
type LeafRow = StubRow | (Described & { type: null })

/** What ends every branch: published entries without their data, and files; in one statement. */
export const listLeaves = async (
  db: CmsDb,
  asked: { entries: readonly string[]; types: readonly string[]; media: readonly string[] },
): Promise<{ stubs: StubRow[]; media: Described[] }> => {
  if (asked.entries.length === 0 && asked.media.length === 0) return { stubs: [], media: [] }
  const rows = await db.query<LeafRow>({
    name: 'delivery-leaves',
    text: `select id, slug, type, title, locale, null as filename, null as "mimeType", null::bigint as size, null::integer as width,
        null::integer as height, null as hash, null as alt, null as caption, null::real as "focalX", null::real as "focalY"
      from entry where id = any($1::uuid[]) and type = any($2::text[]) and ${LIVE}
      union all
      select id, null, null, null, null, filename, mime_type, size, width, height, hash, alt, caption, focal_x, focal_y
      from media where id = any($3::uuid[])`,
    values: [asked.entries, asked.types, asked.media],
  })
  const stubs: StubRow[] = []
  const media: Described[] = []
  for (const row of rows) {
    if (row.type === null) media.push(row)
    else stubs.push(row)
  }
  return { stubs, media }
}
