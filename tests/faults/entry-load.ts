import { call, isSuccess, memberOf, type Outcome } from './outcomes.ts'
import { type Site, TYPE } from './site.ts'
import type { Look } from './table.ts'

/** A steady stream of requests, like those of a few clients. */
export type EntryLoad = {
  readonly outcomes: readonly Outcome[]
  /** Acknowledged ids. */
  readonly created: ReadonlySet<string>
  readonly published: ReadonlySet<string>
  sent(): number
  /** Ends when everything under way is answered. */
  stop(): Promise<readonly Outcome[]>
}

export type EntryLoadOptions = {
  writesPerSecond: number
  /** Through the delivery API. */
  readsPerSecond?: number
  /** The most requests at the same time. */
  underWay?: number
  /** Called for each request in turn. */
  url: () => string
  /** What its titles begin with. */
  name?: string
}

const TICK_MS = 20
/** Clients that wait send nothing more: a service that is slower than they are would only collect what it has no time for. */
const UNDER_WAY = 6

export const startEntryLoad = (site: Site, options: EntryLoadOptions): EntryLoad => {
  const outcomes: Outcome[] = []
  const created = new Set<string>()
  const published = new Set<string>()
  const drafts: string[] = []
  const running = new Set<Promise<void>>()
  let sent = 0

  const run = (begin: () => Promise<void>): void => {
    if (running.size >= (options.underWay ?? UNDER_WAY)) return
    const work = begin()
    running.add(work)
    void work.finally(() => running.delete(work))
  }
  const create = async (): Promise<void> => {
    sent += 1
    const body = { type: TYPE, title: `${options.name ?? 'Entry'} ${sent}`, data: { summary: `Number ${sent}` } }
    const outcome = await call(`${options.url()}/api/entries`, { method: 'POST', token: site.token, body })
    outcomes.push(outcome)
    if (!isSuccess(outcome)) return
    const id = memberOf(outcome.body, 'id')
    created.add(id)
    drafts.push(id)
  }
  const publishOne = async (id: string): Promise<void> => {
    const address = `${options.url()}/api/entries/${id}/status`
    const outcome = await call(address, { method: 'POST', token: site.token, body: { action: 'publish' } })
    outcomes.push(outcome)
    if (isSuccess(outcome)) published.add(id)
  }
  const read = async (): Promise<void> => {
    outcomes.push(await call(`${options.url()}/content/${TYPE}?limit=5`, { headers: { 'x-api-key': site.key } }))
  }
  const write = (): Promise<void> => {
    const id = drafts.length > 1 ? drafts.shift() : undefined
    return id === undefined ? create() : publishOne(id)
  }

  const began = performance.now()
  let writes = 0
  let reads = 0
  const timer = setInterval(() => {
    const seconds = (performance.now() - began) / 1_000
    for (; writes < seconds * options.writesPerSecond; writes += 1) run(write)
    for (; reads < seconds * (options.readsPerSecond ?? 0); reads += 1) run(read)
  }, TICK_MS)

  return {
    outcomes,
    created,
    published,
    sent: () => sent,
    async stop() {
      clearInterval(timer)
      await Promise.all(running)
      return outcomes
    },
  }
}

/**
 * What was acknowledged is in the tables, whole and once; what was not may be there, once as well. `more` entries are not
 * of the load.
 */
export const checkEntries = async (look: Look, load: EntryLoad, { more = 0 } = {}): Promise<string[]> => {
  const broken: string[] = []
  const expectNone = async (what: string, text: string, values: unknown[] = []) => {
    const count = await look.count(text, values)
    if (count !== 0) broken.push(`${count} ${what}`)
  }
  const missing = 'select count(*) from unnest($1::uuid[]) as id where not exists'
  await expectNone('acknowledged entries are missing', `${missing} (select from entry e where e.id = id.id)`, [
    [...load.created],
  ])
  await expectNone(
    'acknowledged publications are missing',
    `${missing} (select from entry e where e.id = id.id and e.status = 'published')`,
    [[...load.published]],
  )
  await expectNone(
    'entries were made twice',
    'select count(*) from (select from entry group by title having count(*) > 1) t',
  )
  const extra = (await look.count('select count(*) from entry')) - load.sent() - more
  if (extra > 0) broken.push(`${extra} more entries than were sent`)
  return [...broken, ...(await checkPublications(look))]
}

/** Every published entry was published once, with its revision and its line in Activity, and is counted. */
export const checkPublications = async (look: Look): Promise<string[]> => {
  const wrong = await look.rows<{ what: string; count: number }>(`
    select 'entries without exactly one line in Activity' as what, count(*)::int from entry e
      where status = 'published' and 1 <> (select count(*) from activity a
        where a.action = 'entry.published' and a.target_id = e.id::text)
    union all select 'entries without exactly one revision of their publication', count(*)::int from entry e
      where status = 'published' and 1 <> (select count(*) from revision r
        where r.entry_id = e.id and r.reason in ('publish', 'schedule'))
    union all select 'published entries that are not counted, or the other way round', abs(
      (select count(*) from entry where status = 'published' and deleted_at is null)
      - coalesce((select sum(published) from entry_count), 0))::int`)
  return wrong.filter(({ count }) => count !== 0).map(({ what, count }) => `${count} ${what}`)
}
