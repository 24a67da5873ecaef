import { createHash, randomBytes } from 'node:crypto'
import { startThrowawayPostgres } from '@stoa/kit/postgres/server.ts'
import pg from 'pg'

/** Timeouts for a machine that is busy with other tests: with the usual ones a service would answer 503. */
export const PATIENT = { connectTimeoutMs: 20_000, statementTimeoutMs: 30_000 }

/** A database of one test file. `drop` ends what is still connected to it. */
export type TestDatabase = { url: string; drop(): Promise<void> }

/**
 * The URL of a PostgreSQL for tests, as a role that may create databases but is no superuser, like in production.
 * `npm test` shares one server among all files (TEST_PG_URL); a file that runs alone starts its own, which ends with
 * the process.
 */
export const testCluster = (): Promise<string> => {
  cluster ??= process.env.TEST_PG_URL
    ? Promise.resolve(process.env.TEST_PG_URL)
    : startTestCluster().then((own) => own.url)
  return cluster
}

let cluster: Promise<string> | undefined

/** Starts a throwaway server for tests. */
export const startTestCluster = async (): Promise<{ url: string; stop(): Promise<void> }> => {
  const server = await startThrowawayPostgres()
  await withClient(server.url('postgres'), async (admin) => {
    await admin.query(`create role tester login createdb password '${server.password}'`)
    await admin.query('grant pg_monitor, pg_signal_backend, pg_checkpoint to tester')
    await admin.query('create database tester owner tester')
  })
  return { url: `postgres://tester:${server.password}@127.0.0.1:${server.port}/tester`, stop: server.stop }
}

/** An empty database. */
export const freshDatabase = (): Promise<TestDatabase> => createDatabase('template0')

/**
 * The name of a database that `build` filled, made once per server and (name, key). Give a hash of what goes into it as
 * key, such as the migrations.
 */
export const templateDatabase = async (
  name: string,
  key: string,
  build: (url: string) => Promise<void>,
): Promise<string> => {
  const template = `template_${name}_${createHash('sha256').update(key).digest('hex').slice(0, 12)}`
  const url = await testCluster()
  await withClient(url, async (admin) => {
    // Test files run in several processes; the lock ends with the connection.
    await admin.query('select pg_advisory_lock(hashtext($1))', [template])
    const { rows } = await admin.query('select datistemplate from pg_database where datname = $1', [template])
    if (rows[0]?.datistemplate) return
    await admin.query(`drop database if exists ${template} with (force)`)
    await admin.query(`create database ${template} template template0`)
    await build(databaseUrl(url, template))
    // Without connections to it, it can be copied at any moment.
    await admin.query(`alter database ${template} with is_template true allow_connections false`)
  })
  return template
}

/** A copy of a template database. */
export const cloneDatabase = (template: string): Promise<TestDatabase> => createDatabase(template)

const createDatabase = async (template: string): Promise<TestDatabase> => {
  const url = await testCluster()
  const name = `test_${randomBytes(8).toString('hex')}`
  // Copying files is four times as fast as the default way, which writes every page to the log.
  await withClient(url, (admin) => admin.query(`create database ${name} template ${template} strategy file_copy`))
  return {
    url: databaseUrl(url, name),
    drop: () => withClient(url, async (admin) => void (await admin.query(`drop database ${name} with (force)`))),
  }
}

const databaseUrl = (url: string, database: string): string => Object.assign(new URL(url), { pathname: database }).href

const withClient = async <T>(connectionString: string, use: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
