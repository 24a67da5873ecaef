import { defineJob } from '@stoa/kit/jobs/define.ts'
import { z } from 'zod'
import type { CmsTx, Ctx, Services } from '../../context.ts'
import type { Task } from '../../task.ts'
import { type ContentType, listAllTypes } from './content-type.ts'
import { changesSearch } from './found-by.ts'
import { withIndexConnection } from './indexes/queries.ts'
import { indexesOf } from './indexes.ts'
import { hasAnyEntry, listUnsyncedTypes, raiseSearchVersion } from './queries.ts'

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
  if (!changesSearch(change.before, change.after) || !(await hasAnyEntry(tx, name))) return
  await raiseSearchVersion(tx, name)
  await ctx.jobs.enqueue(tx, resyncEntries, {}, { singletonKey: 'all' })
}

/** Has entries that are behind brought up at the start of a process: a new version of the service may read more out of them. */
export const resyncEntriesBehind = async ({ database, jobs }: Pick<Services, 'database' | 'jobs'>): Promise<void> => {
  if ((await listUnsyncedTypes(database.db)).length === 0) return
  await database.tx((tx) => jobs.enqueue(tx, resyncEntries, {}, { singletonKey: 'all' }))
}

/** Drops what no type asks for and what was left half-built, and builds what is missing, without stopping any write. */
export const syncIndexes = (
  { database, log }: Pick<Services, 'database' | 'log'>,
  signal: AbortSignal,
): Promise<void> =>
  withIndexConnection(database, signal, async (connection) => {
    const wanted = (await listAllTypes(database.db)).flatMap(indexesOf)
    const wantedNames = new Set(wanted.map(({ name }) => name))
    const present = new Set<string>()
    for (const { name, isValid } of await connection.list()) {
      if (isValid && wantedNames.has(name)) present.add(name)
      else await connection.drop(name)
    }
    for (const index of wanted.filter(({ name }) => !present.has(name))) {
      signal.throwIfAborted()
      await connection.create(index)
      log.info({ index: index.name }, 'a field was indexed')
    }
  })
