import { migrate, readMigrations } from '@stoa/kit/db/migrate.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { cloneDatabase, type TestDatabase, templateDatabase } from './cluster.ts'

type ServiceName = 'cms' | 'mail'

/** The template of a service's databases; made once, without loading the service. */
export const serviceTemplate = async (name: ServiceName): Promise<string> => {
  const folder = new URL(`../../services/${name}/migrations/`, import.meta.url)
  const files = await readMigrations(folder)
  const silent = createLogger({ name, level: 'silent' })
  const key = files.map((file) => `${file.name} ${file.hash}`).join('\n')
  return templateDatabase(name, key, (url) => migrate(url, folder, silent))
}

/** A database with a service's tables and no rows. */
export const serviceDatabase = async (name: ServiceName): Promise<TestDatabase> =>
  cloneDatabase(await serviceTemplate(name))
