import { join } from 'node:path'
import { ensureDatabase } from '@stoa/kit/postgres/databases.ts'
import { startPostgres } from '@stoa/kit/postgres/server.ts'
import { mostWorkers } from '@stoa/kit/workers/count.ts'
import type { Environment } from './environment.ts'
import type { Service } from './services.ts'

/** Where each service finds its database, and the port of the embedded PostgreSQL if it runs. */
export type Databases = { urls: Record<string, string>; port?: number; stop(): Promise<void> }

type Options = { environment: Environment; print: (line: string) => void; signal?: AbortSignal }

/** Starts the embedded PostgreSQL for the services that were not given a database of their own. */
export const openDatabases = async (services: Service[], options: Options): Promise<Databases> => {
  const { env, dataDir } = options.environment
  const urls: Record<string, string> = {}
  const isOne = new Set(services.map(({ database }) => database)).size === 1
  for (const service of services) {
    const url = env[service.urlVariable] || (isOne && env.DATABASE_URL)
    if (url) urls[service.name] = url
  }
  const homeless = services.filter(({ name }) => !urls[name])
  if (homeless.length === 0) return { urls, stop: async () => undefined }
  if (env.DATABASE_URL) options.print('DATABASE_URL is ignored: it only applies to a service that is started alone')
  const server = await startPostgres({
    folder: join(dataDir, 'postgres'),
    maxConnections: connectionsFor(homeless.length, env),
    onProgress: options.print,
    ...(options.signal && { signal: options.signal }),
  })
  for (const { name, database } of homeless) urls[name] = await ensureDatabase(server, database)
  return { urls, port: server.port, stop: server.stop }
}

// PostgreSQL's default, and the connections left free for superusers and visitors.
const MIN_CONNECTIONS = 100
const SPARE_CONNECTIONS = 20

/** Each process of a service has its pool and one connection that listens. The services check these values. */
const connectionsFor = (services: number, env: NodeJS.ProcessEnv): number => {
  const [cms, mail] = [env.WORKERS, env.MAIL_WORKERS ?? env.WORKERS].map((workers) => Number(workers) || mostWorkers())
  const pool = Number(env.DB_POOL_SIZE) || 5
  return Math.max(MIN_CONNECTIONS, services * Math.max(cms ?? 1, mail ?? 1) * (pool + 1) + SPARE_CONNECTIONS)
}
