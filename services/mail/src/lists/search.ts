import { type Expression, type SqlBool, sql } from 'kysely'

/** Whether a text holds a part, whatever the case; signs mean themselves. */
export const contains = (text: Expression<unknown>, part: string): Expression<SqlBool> =>
  sql<boolean>`strpos(lower(${text}), lower(${part})) > 0`
