import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Field } from '@stoa/cms-model/fields/field.ts'
import { runSteps } from '@stoa/kit/db/batches.ts'
import { defineJob } from '@stoa/kit/jobs/define.ts'
import type { ClientBase } from 'pg'
import { z } from 'zod'
import type { CmsTx, Ctx, Services } from '../../context.ts'
import type { Task } from '../../task.ts'
import { type ContentType, listAllTypes } from './content-type.ts'
import { type FieldIndex, INDEX_PREFIX, indexesOf } from './indexes.ts'
import { forgetTemplates, hasAnyEntry, listUnsyncedTypes, raiseSearchVersion } from './queries.ts'
import { orderOf } from './template-state.ts'

/** Makes the indexes of fields what the types ask for. It looks at all of them, so that one waiting run is enough. */
const indexFields = defineJob({
  name: 'types.index',
  data: z.object({}),
  // Over millions of entries, several fields at once.
  expireInSeconds: 4 * 3_600,
})

export const typeTasks: readonly Task[] = [
  {
    job: indexFields,
    register: (jobs, services) => jobs.work(indexFields, ({ signal }) => syncIndexes(services, signal)),
  },
]

/** Has the indexes built or dropped once this transaction is committed, if the change of fields asks for it. */
export const rebuildIndexesAfter = async (
  ctx: Pick<Ctx, 'jobs'>,
  tx: CmsTx,
  name: string,
  change: { before: ContentType['fields']; after: ContentType['fields'] },
): Promise<void> => {
  const namesOf = (fields: ContentType['fields']) => indexesOf({ name, fields }).map((index) => index.name)
  const before = new Set(namesOf(change.before))
  const after = new Set(namesOf(change.after))
  if (before.symmetricDifference(after).size === 0) return
  await ctx.jobs.enqueue(tx, indexFields, {}, { singletonKey: 'all' })
}

/**
 * Brings what entries are found by and point at up to the fields of their types. Entries do the work; one waiting run is
 * enough, because it looks at every type.
 */
export const resyncEntries = defineJob({
  name: 'entries.resync',
  data: z.object({}),
  // Over millions of entries.
  expireInSeconds: 4 * 3_600,
})

/**
 * Has the entries of a type brought up to its fields once this transaction is committed, if they read differently now.
 * Until an entry was reached, visitors find it by its title alone (`publicMatch`).
 */
export const resyncEntriesAfter = async (
  ctx: Pick<Ctx, 'jobs'>,
  tx: CmsTx,
  name: string,
  change: { before: ContentType['fields']; after: ContentType['fields'] },
): Promise<void> => {
  const isSearchChanged = changesSearch(change.before, change.after)
  if (!isSearchChanged && !changesOrder(change.before, change.after)) return
  if (!(await hasAnyEntry(tx, name))) return
  await (isSearchChanged ? raiseSearchVersion(tx, name) : forgetTemplates(tx, name))
  await ctx.jobs.enqueue(tx, resyncEntries, {}, { singletonKey: 'all' })
}

/** Has entries that are behind brought up at the start of a process: a new version of the service may read more out of them. */
export const resyncEntriesBehind = async ({ database, jobs }: Pick<Services, 'database' | 'jobs'>): Promise<void> => {
  if ((await listUnsyncedTypes(database.db)).length === 0) return
  await database.tx((tx) => jobs.enqueue(tx, resyncEntries, {}, { singletonKey: 'all' }))
}

/**
 * Drops what no type asks for and what was left half-built, and builds what is missing, without stopping any write. One that
 * cannot be dropped or built keeps none of the others.
 */
export const syncIndexes = (
  { database, log }: Pick<Services, 'database' | 'log'>,
  signal: AbortSignal,
): Promise<void> =>
  withIndexConnection(database, signal, async (connection) => {
    const wanted = (await listAllTypes(database.db)).flatMap(indexesOf)
    const wantedNames = new Set(wanted.map(({ name }) => name))
    const found = await connection.list()
    const present = new Set(found.flatMap(({ name, isValid }) => (isValid && wantedNames.has(name) ? [name] : [])))
    const surplus = found.filter(({ name }) => !present.has(name))
    const missing = wanted.filter(({ name }) => !present.has(name))
    await runSteps([
      ...surplus.map(({ name }) => async () => {
        signal.throwIfAborted()
        await connection.drop(name)
      }),
      ...missing.map((index) => async () => {
        signal.throwIfAborted()
        await connection.create(index)
        log.info({ index: index.name }, 'a field was indexed')
      }),
    ])
  })

/** The key of an advisory lock, unique in this database. */
const INDEXES_LOCK = 4_300_004
/** Waiting inside a statement would hold up the very build that is waited for. */
const LOCK_PAUSE_MS = 500

/** A build over millions of rows; longer than the job may take. */
const NO_TIMEOUT = { query_timeout: 24 * 3_600_000 }

/** A connection that builds indexes: the only one in all processes, without a time limit. */
type IndexConnection = {
  /** Indexes of fields there are; one whose build was cut short is not valid. */
  list(): Promise<{ name: string; isValid: boolean }[]>
  create(index: FieldIndex): Promise<void>
  drop(name: string): Promise<void>
}

/** Gives a connection to build indexes with, outside of any transaction, and cancels its statement on the signal. */
const withIndexConnection = async (
  { pool, openSession }: Services['database'],
  signal: AbortSignal,
  run: (connection: IndexConnection) => Promise<void>,
): Promise<void> => {
  const { client, end } = await openSession()
  let stopCancelling: (() => void) | undefined
  try {
    stopCancelling = await cancelOn(signal, pool, client)
    await takeLock(client, signal)
    await client.query('set statement_timeout = 0')
    await run(connectionOver(client))
  } finally {
    stopCancelling?.()
    // The server lets go of the lock and of the setting.
    end()
  }
}

const takeLock = async (client: ClientBase, signal: AbortSignal): Promise<void> => {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>({
      text: 'select pg_try_advisory_lock($1) as taken',
      values: [INDEXES_LOCK],
    })
    if (rows[0]?.taken) return
    await sleep(LOCK_PAUSE_MS, undefined, { signal })
  }
}

/** A closed connection alone would not end the statement: the server notices only when it answers. */
const cancelOn = async (
  signal: AbortSignal,
  pool: Services['database']['pool'],
  client: ClientBase,
): Promise<() => void> => {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const cancel = () => {
    // If the database is gone, so is the statement.
    pool.query('select pg_cancel_backend($1)', [rows[0]?.pid]).catch(() => undefined)
  }
  signal.addEventListener('abort', cancel, { once: true })
  return () => signal.removeEventListener('abort', cancel)
}

const connectionOver = (client: ClientBase): IndexConnection => ({
  async list() {
    const { rows } = await client.query<{ name: string; isValid: boolean }>({
      text: `select class.relname as name, index.indisvalid as "isValid"
        from pg_index as index join pg_class as class on class.oid = index.indexrelid
        where index.indrelid = 'entry'::regclass and starts_with(class.relname, $1) order by class.relname`,
      values: [INDEX_PREFIX],
    })
    return rows
  },
  async create({ name, definition }) {
    await client.query({ ...NO_TIMEOUT, text: `create index concurrently ${name} ${definition}` })
  },
  async drop(name) {
    await client.query({ ...NO_TIMEOUT, text: `drop index concurrently if exists ${name}` })
  },
})

/** Members of a field that say nothing about which words and links are read out of a stored value. */
const SILENT: ReadonlySet<string> = new Set(['label', 'help', 'required', 'unique', 'indexed', 'default'])

/** Whether stored entries would be found by other words, or point at something else, with these fields. */
const changesSearch = (before: readonly Field[], after: readonly Field[]): boolean =>
  !isDeepStrictEqual(searchedParts(before), searchedParts(after))

/** Whether what visitors see of stored entries comes in another order. */
const changesOrder = (before: readonly Field[], after: readonly Field[]): boolean =>
  !isDeepStrictEqual(orderOf(before), orderOf(after))

/** The order of the fields doesn't matter either. */
const searchedParts = (fields: readonly Field[]): unknown[] =>
  [...fields].sort((one, other) => (one.key < other.key ? -1 : 1)).map(searchedMembers)

const searchedMembers = (field: Field): unknown =>
  Object.fromEntries(
    Object.entries(field)
      .filter(([member]) => !SILENT.has(member))
      .map(([member, value]) => [
        member,
        member === 'fields' && field.type === 'list' ? searchedParts(field.fields) : value,
      ]),
  )
