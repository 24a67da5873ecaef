import type { CmsDb } from './context.ts'

/** How many connections the server takes, from everybody together. */
export const findMaxConnections = async (db: CmsDb): Promise<number> => {
  const [row] = await db.query<{ max: number }>({ text: `select current_setting('max_connections')::integer as max` })
  return row?.max ?? 0
}
