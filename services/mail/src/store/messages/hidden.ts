/**
 * A value at which PostgreSQL does not look when it plans a statement. Where few mailboxes have most of the mail, a plan for
 * one of the others looks cheaper to it than the one that it keeps: it would plan each time anew, which takes several
 * times as long as the work.
 */
export const hidden = (value: string): string => `(select ${value})`

/**
 * A column after such a value. With an upper end, too, PostgreSQL takes the rows for few; otherwise it would expect a third of
 * all, and read a folder that is most of its table from the beginning.
 */
export const hiddenAfter = (column: string, value: string): string =>
  `${column} > ${hidden(value)} and ${column} < ${hidden(`${Number.MAX_SAFE_INTEGER}::bigint`)}`
