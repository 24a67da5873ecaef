import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { serviceDatabase } from '@stoa/tests/lib/service-database.ts'
import { must, type Report } from '../outcomes.ts'
import { until } from '../readiness.ts'
import { startTwo } from '../service-process.ts'
import { addEntry, each, prepareSite } from '../site.ts'
import { type Look, openLook } from '../table.ts'

const NAME = 'listens'

/** Records the events it receives, entry by entry. */
const FILES = {
  'plugin.json': JSON.stringify({
    name: NAME,
    label: 'Listens',
    version: '1.0.0',
    api: 1,
    server: 'server.js',
    events: ['entry.updated'],
    collections: [{ name: 'seen', indexes: [] }],
  }),
  'server.js': `import { store } from 'stoa'
    export const events = {
      'entry.updated': async ({ id, slug }) => {
        const seen = store('seen')
        const { slugs } = (await seen.get(id))?.value ?? { slugs: [] }
        await seen.put(id, { slugs: [...slugs, slug] })
      },
    }`,
}

const WAITING = 'select count(*) from plugin_event'
/** Their holder is dead: what would happen after a lease happens now. */
const LEASES_END = 'update plugin_event set due_at = now() where due_at > now()'

/** Both processes are killed at random points while a plugin is notified of changes: each comes at least once, and in order. */
export const pluginEvents = async ({
  kills = 100,
  entries = 6,
  changes = 10,
  settleMs = 120_000,
} = {}): Promise<Report> => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-faults-plugins-'))
  const own = join(folder, 'plugins', NAME)
  await mkdir(own, { recursive: true })
  for (const [file, text] of Object.entries(FILES)) await writeFile(join(own, file), text)
  const database = await serviceDatabase('cms')
  const processes = await startTwo({
    CMS_DATABASE_URL: database.url,
    STORAGE_LOCAL_DIR: join(folder, 'blobs'),
    PLUGIN_DIR: join(folder, 'plugins'),
  })
  const look = openLook(database.url)
  const site = await prepareSite(processes[0].url)
  const state = `${processes[0].url}/api/plugins/${NAME}/state`
  await must(state, { method: 'PUT', token: site.token, body: { enabled: true, approve: true } })
  const ids: string[] = []
  for (let n = 0; n < entries; n += 1) ids.push(await addEntry(processes[0].url, site, `Entry ${n}`))

  let made = 0
  const slugs = new Map<string, string[]>(ids.map((id) => [id, []]))
  const change = async (id: string, at: number) => {
    made += 1
    const slug = `change-${made}`
    const { url } = processes[at % processes.length] ?? processes[0]
    await must(`${url}/api/entries/${id}`, { method: 'PUT', token: site.token, body: { slug } })
    slugs.get(id)?.push(slug)
  }
  for (let killed = 0; killed < kills; killed += processes.length) {
    // On a busy machine a round may be delivered before the next look: nobody is killed while nothing waits.
    do {
      await each(entries, async (at) => {
        for (let n = 0; n < changes; n += 1) await change(ids[at] ?? '', at + n)
      })
      await sleep(Math.random() * 100)
    } while ((await look.count(WAITING)) === 0)
    await Promise.all(processes.map((service) => service.kill()))
    await look.rows(LEASES_END)
    await Promise.all(processes.map((service) => service.restart()))
  }
  const settledMs = await until('every event was handled', async () => (await look.count(WAITING)) === 0, {
    limitMs: settleMs,
    everyMs: 50,
  })
  const { figures, broken } = await compare(look, slugs)
  await Promise.all(processes.map((service) => service.stop()))
  await look.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
  return {
    figures: {
      kills,
      changes: made,
      ...figures,
      settled_ms: Math.round(settledMs),
    },
    broken,
  }
}

/** Each change of an entry was delivered, none before an earlier one, and none again once a later one was delivered. */
const compare = async (look: Look, changes: ReadonlyMap<string, readonly string[]>): Promise<Report> => {
  const broken: string[] = []
  let seen = 0
  for (const [entry, made] of changes) {
    const [row] = await look.rows<{ slugs: string[] }>(
      `select value -> 'slugs' as slugs from plugin_document where collection = 'seen' and id = $1`,
      [entry],
    )
    const slugs = row?.slugs ?? []
    seen += slugs.length
    const delivered = slugs.filter((slug, at) => slug !== slugs[at - 1])
    if (delivered.join() !== made.join())
      broken.push(`${entry}: changed to ${made.join()}, and got ${delivered.join()}`)
  }
  return { figures: { seen }, broken }
}
