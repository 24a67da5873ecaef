import type { Db } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'

/** Names below verified domains that no certificate was tried for, those of the newest domains first. */
export const findMissingNames = async (
  db: Db<Tables>,
  prefixes: readonly string[],
  limit: number,
): Promise<string[]> => {
  const rows = await db.query<{ name: string }>({
    text: `select prefix || '.' || domain.name as name from domain, unnest($1::text[]) prefix
      where domain.deleted_at is null and domain.verified_at is not null
        and not exists (select from certificate where certificate.name = prefix || '.' || domain.name)
      order by domain.verified_at desc, domain.name, prefix limit $2`,
    values: [prefixes, limit],
  })
  return rows.map(({ name }) => name)
}
