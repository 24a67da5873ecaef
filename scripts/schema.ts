import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { migrate } from '@stoa/kit/db/migrate.ts'
import { dumpSchema } from '@stoa/kit/db/schema-dump.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { freshDatabase } from '@stoa/tests/lib/cluster.ts'

/** `npm run schema`: writes what the migrations make of an empty database beside them, for review and for the test. */
const log = createLogger({ name: 'schema', level: 'warn' })
for (const service of ['cms', 'mail']) {
  const folder = fileURLToPath(new URL(`../services/${service}/migrations/`, import.meta.url))
  const database = await freshDatabase()
  await migrate(database.url, folder, log)
  writeFileSync(`${folder}schema.sql`, await dumpSchema(database.url))
  await database.drop()
  process.stdout.write(`services/${service}/migrations/schema.sql\n`)
}
