import { escapeLiteral } from 'pg'

/** Values of a statement; each is given a place in it and never becomes part of its text. */
export type Values = { readonly list: unknown[]; add(value: unknown): string }

export const newValues = (): Values => {
  const list: unknown[] = []
  return {
    list,
    add(value) {
      list.push(value)
      return `$${list.length}`
    },
  }
}

/** Keys of fields with stored values that are shown as empty; null while entries are looked through after a change. */
export type Misfits = readonly string[] | null

/** A copy of all entries: what the public sees of them, or what is edited. Its SQL calls the table `entry`. */
export type Copy = {
  /** The entries that can be referred to, as a table. */
  readonly table: string
  readonly updatedAt: string
  /** The keys of misfits of an entry, over `entry` and `entry_search s`. */
  readonly misfits: string
  /** Which links of an entry are meant. */
  readonly isLive: boolean
}

export const LIVE_COPY: Copy = {
  table: `(select * from entry where status = 'published' and deleted_at is null)`,
  updatedAt: 'live_updated_at',
  misfits: 's.misfits',
  isLive: true,
}

/** The columns of the working copy of `entry`. */
export const workingColumns = (entry: string): string =>
  `${entry}.id, ${entry}.type, ${entry}.locale, ${entry}.translation_of, ${entry}.published_at, ${entry}.created_at,
    ${entry}.updated_at, coalesce(${entry}.pending ->> 'title', ${entry}.title) as title,
    coalesce(${entry}.pending ->> 'slug', ${entry}.slug) as slug,
    coalesce(${entry}.pending -> 'data', ${entry}.data) as data, ${entry}.pending is not null as is_pending`

export const WORKING_COPY: Copy = {
  table: `(select ${workingColumns('kept')} from entry kept where kept.deleted_at is null)`,
  updatedAt: 'updated_at',
  misfits: '(case when is_pending then s.pending_misfits else s.misfits end)',
  isLive: false,
}

/**
 * Where the names in SQL lead to. A name without a table, such as `data`, means what is innermost: an entry, or one item
 * of a list of it, so that the same condition is written the same way wherever it stands.
 */
export type Scope = {
  readonly copy: Copy
  /** The misfits of the entry's own type. */
  readonly misfits: Misfits
  /** The misfits of another type; undefined when its entries cannot be seen. */
  misfitsOf(type: string): Misfits | undefined
  /** The entry itself is asked for, and not one that it refers to, nor an item of a list. */
  readonly isRoot: boolean
  /** How values of this item are called among the misfits: `rows.` in all items, and in this one as SQL. */
  readonly item: { readonly keys: string; readonly sql: string; readonly depth: number } | null
}

/** Whether some stored values of the field may be shown as empty: its index doesn't show which. */
export const mayMisfit = (key: string, { misfits, item }: Pick<Scope, 'misfits' | 'item'>): boolean =>
  misfits === null || misfits.includes(`${item?.keys ?? ''}${key}`)

/** SQL that the stored value of the field is known to be shown as empty. */
export const misfitSql = (key: string, { copy, item }: Scope): string => {
  const name = escapeLiteral(key)
  const test =
    item === null
      ? `${name} = any(${copy.misfits})`
      : `${copy.misfits} && array[${item.sql} || ${name}, ${escapeLiteral(item.keys + key)}]`
  return `exists (select from entry_search s where s.entry_id = id and ${test})`
}
