import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { migrate } from '@stoa/kit/db/migrate.ts'
import { dumpSchema } from '@stoa/kit/db/schema-dump.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { freshDatabase, type TestDatabase } from '@stoa/tests/lib/cluster.ts'
import pg from 'pg'
import { ROOT, read, trackedFiles } from './tree.ts'

const log = createLogger({ name: 'schema', level: 'silent' })

for (const service of ['cms', 'mail'])
  describe(`the schema of ${service}`, () => {
    let database: TestDatabase
    before(async () => {
      database = await freshDatabase()
      await migrate(database.url, `${ROOT}services/${service}/migrations`, log)
    })
    after(() => database.drop())

    test('an empty database migrates to exactly the committed schema.sql', async () => {
      assert.equal(await dumpSchema(database.url), read(`services/${service}/migrations/schema.sql`))
    })

    test('tables.ts names the tables and columns that exist', async () => {
      const client = new pg.Client({ connectionString: database.url })
      await client.connect()
      try {
        const { rows } = await client.query<{ table: string; columns: string[] }>(
          `select table_name as table, array_agg(column_name::text order by column_name) as columns
             from information_schema.columns where table_schema = 'public'
              and table_name not like 'kysely_%' and table_name not like 'webhook_%' and table_name not in ('migration_hash', 'oauth_state', 'limit_counter', 'health_report', 'health_machine', 'acme_account', 'acme_challenge', 'certificate', 'backup_run') group by table_name order by 1`,
        )
        assert.deepEqual(declaredTables(tablesSource(service)), rows)
      } finally {
        await client.end()
      }
    })
  })

/** tables.ts and, where a service has many, the files beside it. */
const tablesSource = (service: string): string =>
  trackedFiles()
    .filter((file) => new RegExp(`^services/${service}/src/tables(?:[/-][\\w-]+)?\\.ts$`).test(file))
    .map(read)
    .join('\n')

/** Reads `type Tables = { account: AccountTable }`, or the same in parts (`AccountsTables`), and the members of each table. */
const declaredTables = (source: string): { table: string; columns: string[] }[] => {
  const members = (name: string): [string, string][] => {
    const bodies = source.matchAll(new RegExp(`type ${name} = \\{([^}]*)\\}`, 'g'))
    return [...bodies].flatMap(([, body = '']) =>
      [...body.matchAll(/^\s{2}(\w+)\??: (.+)$/gm)].map((match): [string, string] => [match[1] ?? '', match[2] ?? '']),
    )
  }
  return members('\\w*Tables')
    .map(([table, type]) => ({
      table,
      columns: members(type)
        .map(([column]) => column)
        .sort(),
    }))
    .sort((a, b) => (a.table < b.table ? -1 : 1))
}
