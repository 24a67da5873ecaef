/**
 * Hides a value from the planner. Where few mailboxes have most of the mail, PostgreSQL would plan anew for each of the
 * others, which takes several times as long as the work.
 */
export const hidden = (value: string): string => `(select ${value})`

/**
 * A column after such a value. With an upper end, too, PostgreSQL takes the rows for few; otherwise it would expect a third of
 * all, and read a folder that is most of its table from the beginning.
 */
export const hiddenAfter = (column: string, value: string): string =>
  `${column} > ${hidden(value)} and ${column} < ${hidden(`${Number.MAX_SAFE_INTEGER}::bigint`)}`
