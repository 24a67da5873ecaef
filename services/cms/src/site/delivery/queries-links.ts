import { uuidArray } from '@stoa/kit/db/uuid-array.ts'
import type { Described } from '../../content/media/media.ts'
import type { CmsDb } from '../../context.ts'
import { LIVE, SHAPE_COLUMNS, type Shape, templateOf } from './queries.ts'
import type { View } from './view.ts'

/** A published entry that another one refers to. */
export type TargetRow = Shape & {
  id: string
  slug: string
  type: string
  title: string
  locale: string
  published_at: Date | null
}

/**
 * How many there are, and which, is kept from the planner: for a few it would find a plan that looks better than the one that
 * it keeps, again and again, and planning takes longer than reading.
 */
const oneOf = (values: number, type: 'uuid' | 'text'): string => `any((select $${values}::${type}[])::${type}[])`

/** Finds the published entries of the types that the key may read: one statement for each level. */
export const listTargets = (
  db: CmsDb,
  ids: readonly string[],
  { typeNames, templateStates }: Pick<View, 'typeNames' | 'templateStates'>,
): Promise<TargetRow[]> =>
  db.query({
    name: 'delivery-targets',
    text: `select e.id, e.slug, e.type, e.title, e.locale, e.published_at, ${SHAPE_COLUMNS} from (
        select id, slug, type, title, locale, published_at, data, live_version as version from entry
        where id = ${oneOf(1, 'uuid')} and type = ${oneOf(2, 'text')} and ${LIVE}) e ${templateOf(`state = ${oneOf(3, 'text')}`)}`,
    values: [uuidArray(ids), typeNames, templateStates],
  })

export type StubRow = Pick<TargetRow, 'id' | 'slug' | 'type' | 'title' | 'locale'>

/** Between members and between records of one text. No text that was saved has them; one that came otherwise loses them. */
const MEMBER_END = '\u001f'
const RECORD_END = '\u001e'
const clean = (column: string): string => `translate(${column}, e'\\x1e\\x1f', '')`
const joined = (...columns: string[]): string => `string_agg(${columns.join(` || e'\\x1f' || `)}, e'\\x1e')`

const STUB = joined('id', 'slug', 'type', clean('title'), 'locale')
const FILE = joined(
  'id',
  clean('filename'),
  'mime_type',
  'size',
  `coalesce(width::text, '')`,
  `coalesce(height::text, '')`,
  'hash',
  clean('alt'),
  clean('caption'),
  'focal_x',
  'focal_y',
)

/** What ends every branch: published entries without their data, and files; in one statement, and as one text of each. */
export const listLeaves = async (
  db: CmsDb,
  asked: { entries: readonly string[]; types: readonly string[]; media: readonly string[] },
): Promise<{ stubs: StubRow[]; media: Described[] }> => {
  if (asked.entries.length === 0 && asked.media.length === 0) return { stubs: [], media: [] }
  const [row] = await db.query<{ stubs: string | null; files: string | null }>({
    name: 'delivery-leaves',
    text: `select
      (select ${STUB} from entry where id = ${oneOf(1, 'uuid')} and type = ${oneOf(2, 'text')} and ${LIVE}) as stubs,
      (select ${FILE} from media where id = ${oneOf(3, 'uuid')}) as files`,
    values: [uuidArray(asked.entries), asked.types, uuidArray(asked.media)],
  })
  return { stubs: recordsOf(row?.stubs).map(toStubRow), media: recordsOf(row?.files).map(toDescribed) }
}

const recordsOf = (text: string | null | undefined): string[][] =>
  text ? text.split(RECORD_END).map((record) => record.split(MEMBER_END)) : []

const toStubRow = ([id = '', slug = '', type = '', title = '', locale = '']: string[]): StubRow => ({
  id,
  slug,
  type,
  title,
  locale,
})

const toDescribed = (members: string[]): Described => {
  const [id = '', filename = '', mimeType = '', size, width, height, hash = '', alt = '', caption = '', x, y] = members
  return {
    id,
    filename,
    mimeType: mimeType as Described['mimeType'],
    size: Number(size),
    width: width ? Number(width) : null,
    height: height ? Number(height) : null,
    hash,
    alt,
    caption,
    focalX: Number(x),
    focalY: Number(y),
  }
}
