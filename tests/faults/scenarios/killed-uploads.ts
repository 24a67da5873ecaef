import { createHash, randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { mkdtemp, readdir, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sweepBlobs } from '@stoa/cms/content/media/jobs.ts'
import { openMediaStore } from '@stoa/cms/content/media/store.ts'
import type { Tables } from '@stoa/cms/tables.ts'
import { blobPath } from '@stoa/kit/blobs/blobs.ts'
import { openDatabase } from '@stoa/kit/db/database.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { serviceDatabase } from '@stoa/tests/lib/service-database.ts'
import type { Report } from '../outcomes.ts'
import { startService } from '../service-process.ts'
import { prepareSite } from '../site.ts'
import { type Look, openLook } from '../table.ts'

/** The most that a service takes by default, less what the form around it needs. */
const FILE_BYTES = 25_000_000
const HOUR_MS = 3_600_000

/** The service is killed in the middle of uploads. No row is without its bytes, and nothing is left over. */
export const killedUploads = async ({ kills = 100, bytes = FILE_BYTES } = {}): Promise<Report> => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-faults-media-'))
  const database = await serviceDatabase('cms')
  const service = await startService('cms', { CMS_DATABASE_URL: database.url, STORAGE_LOCAL_DIR: folder })
  const look = openLook(database.url)
  const { token } = await prepareSite(service.url)
  const broken: string[] = []
  const acknowledged = new Set<string>()
  const sendOne = async (): Promise<boolean> => {
    const content = newPdf(bytes)
    if (!(await upload(service.url, token, content))) return false
    acknowledged.add(createHash('sha256').update(content).digest('hex'))
    return true
  }

  const began = performance.now()
  if (!(await sendOne())) throw new Error('an upload without a kill was refused')
  const usual = performance.now() - began
  let leftovers = 0
  for (let kill = 0; kill < kills; kill += 1) {
    const sending = sendOne()
    await sleep(Math.random() * usual * 1.2)
    await service.kill()
    await sending
    leftovers += (await namesIn(join(folder, 'tmp'))).length
    await service.restart()
    const left = await namesIn(join(folder, 'tmp'))
    if (left.length > 0) broken.push(`${left.length} unfinished uploads were left after a start`)
  }
  await service.stop()

  const { rows, orphans } = await checkFiles({ folder, look, acknowledged, databaseUrl: database.url, broken })
  await look.close()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
  return {
    figures: {
      kills,
      acknowledged: acknowledged.size,
      rows,
      unfinished_found: leftovers,
      orphans_swept: orphans,
      upload_ms: Math.round(usual),
    },
    broken,
  }
}

type Checked = {
  folder: string
  look: Look
  acknowledged: ReadonlySet<string>
  databaseUrl: string
  broken: string[]
}

/** Before and after the sweep: how many files there are, and how many bytes nobody named. */
const checkFiles = async ({ folder, look, acknowledged, databaseUrl, broken }: Checked) => {
  const { stored, rows } = await compare(folder, look)
  broken.push(...missingOf(rows, stored, 'a row is without its bytes'))
  broken.push(...missingOf(acknowledged, rows, 'an acknowledged upload is without its row'))
  await sweepAfterAnHour(folder, databaseUrl, stored)
  const after = await compare(folder, look)
  broken.push(...missingOf(after.rows, after.stored, 'the sweep took bytes that a row names'))
  broken.push(...missingOf(after.stored, after.rows, 'bytes that nobody names were not swept'))
  return { rows: rows.size, orphans: [...stored].filter((key) => !rows.has(key)).length }
}

/** Unlike any other, and of a type that is recognized by its first bytes. */
const newPdf = (bytes: number): Buffer => {
  const content = Buffer.alloc(bytes, 'stoa ')
  content.write('%PDF-1.7\n')
  randomBytes(64).copy(content, 16)
  return content
}

const upload = async (url: string, token: string, content: Buffer): Promise<boolean> => {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(content)], { type: 'application/pdf' }), 'a.pdf')
  try {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`${url}/api/media`, { method: 'POST', headers, body: form })).status === 201
  } catch {
    return false
  }
}

const namesIn = async (folder: string): Promise<string[]> => (existsSync(folder) ? readdir(folder) : [])

const compare = async (folder: string, look: Look) => {
  const stored = new Set<string>()
  for (const name of await readdir(folder, { recursive: true })) {
    const key = name.split('/').at(-1) ?? ''
    if (/^[0-9a-f]{64}$/.test(key) && blobPath(key) === name) stored.add(key)
  }
  const rows = new Set((await look.rows<{ key: string }>('select blob_key as key from media')).map(({ key }) => key))
  return { stored, rows }
}

const missingOf = (wanted: ReadonlySet<string>, found: ReadonlySet<string>, what: string): string[] =>
  [...wanted].filter((key) => !found.has(key)).map((key) => `${what}: ${key}`)

/** What the service does by itself within the hour; here the hour is put on the files instead of waited for. */
const sweepAfterAnHour = async (folder: string, url: string, stored: ReadonlySet<string>): Promise<void> => {
  const then = new Date(Date.now() - HOUR_MS)
  for (const key of stored) await utimes(join(folder, blobPath(key)), then, then)
  const log = createLogger({ name: 'faults', level: 'silent' })
  const database = openDatabase<Tables>({ url, poolSize: 2, log })
  const media = openMediaStore({ storage: { driver: 'local', folder } })
  await sweepBlobs({ db: database.db, media, log })
  await media.close()
  await database.close()
}
