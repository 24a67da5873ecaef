import { type List, MAX_LIMIT } from '@stoa/cms-model/lists.ts'
import type { Json, RouteCall } from '../../people/call-route/call-route.ts'
import type { Reach, ToolOutcome } from './tool.ts'

type Asked = Pick<RouteCall, 'params'> & { readonly query?: Readonly<Record<string, Json | undefined>> }

/** What a route answers. It has the shape that the route declares. */
export const read = async <T>(reach: Reach, path: string, { params, query }: Asked = {}): Promise<T> =>
  (await reach.call({ method: 'GET', path, ...(params && { params }), query: given(query ?? {}) })) as T

/** Models write an empty text for what they leave out. */
const given = (query: NonNullable<Asked['query']>): Json =>
  Object.fromEntries(
    Object.entries(query).filter((entry): entry is [string, Json] => entry[1] !== undefined && entry[1] !== ''),
  )

export type Rows<T> = { readonly rows: T[]; readonly total: number; readonly nextOffset: number | null }

/** The rows from an offset on, read at once: two pages could be of two moments. */
export const readRows = async <T>(
  reach: Reach,
  path: string,
  { offset, limit, params, query = {} }: Asked & { readonly offset: number; readonly limit: number },
): Promise<Rows<T>> => {
  const size = pageSizeFor(offset, limit)
  const page = Math.floor(offset / size) + 1
  const asked = { ...(params && { params }), query: { ...query, page, limit: size } }
  const { items, meta } = await read<List<T>>(reach, path, asked)
  const rows = items.slice(offset % size).slice(0, limit)
  const end = offset + rows.length
  return { rows, total: meta.total, nextOffset: rows.length > 0 && end < meta.total ? end : null }
}

/**
 * The smallest page that holds all rows from the offset on. With limits up to 50 there is one for every offset that lists
 * go to; beyond them they refuse whatever is asked.
 */
export const pageSizeFor = (offset: number, limit: number): number => {
  for (let size = limit; size <= MAX_LIMIT; size += 1) if ((offset % size) + limit <= size) return size
  return limit
}

/** More than fit into a result. */
const MOST_ROWS = 300

/** Every row of a list that is short on all sites; of a longer one as many as a result could hold. */
export const readAll = async <T>(reach: Reach, path: string): Promise<T[]> => {
  const rows: T[] = []
  for (let page = 1; rows.length < MOST_ROWS; page += 1) {
    const { items, meta } = await read<List<T>>(reach, path, { query: { page, limit: MAX_LIMIT } })
    rows.push(...items)
    if (page >= meta.pages) break
  }
  return rows
}

/** An outcome for the model, and its summary for people. */
export const result = (members: object, summary: string): ToolOutcome => ({
  kind: 'result',
  result: members as Json,
  summary,
})

/** "1 menu", "3 menus", "No menus". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  count === 1 ? `1 ${one}` : `${count === 0 ? 'No' : count} ${many}`

/** "20 of 212 entries". */
export const countedOf = (
  { rows, total }: Pick<Rows<unknown>, 'rows' | 'total'>,
  one: string,
  many?: string,
): string => (rows.length === total ? counted(total, one, many) : `${rows.length} of ${counted(total, one, many)}`)

/** Omits absent members. */
export const present = <T extends object>(members: T): Partial<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null)) as Partial<T>
