import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { until } from '@stoa/tests/lib/waiting.ts'
import { openDatabase } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { readSchema } from '../db/schema-dump.ts'
import { Secret } from '../secret.ts'
import { type BackupOptions, makeBackup } from './backup.ts'
import { checkBackup } from './check.ts'
import { openDestination } from './destination.ts'
import { checkBackups } from './health.ts'
import { listBackups, newBackupId, readManifest } from './manifest.ts'
import { openProtection } from './protection.ts'
import { restoreBackups } from './restore.ts'
import { claimRun, finishRun, keepWhileBackedUp } from './runs.ts'
import { startBackups } from './schedule.ts'
import { openSession } from './snapshot.ts'
import { contentsOf, createBackupGround, type Instance, log } from './testing/ground.ts'

const quiet = { passphrase: null, keep: null, report: () => undefined }
const restoring = { report: () => undefined, log, otherSecret: false }

describe('a backup', () => {
  let ground: Awaited<ReturnType<typeof createBackupGround>>
  before(async () => {
    ground = await createBackupGround()
  })
  after(() => ground.close())

  const open = async (options: Omit<BackupOptions, 'keep' | 'report'>, id?: string) => {
    const destination = await openDestination({ ...options, service: 'notes' })
    const protection = await openProtection(destination, options.passphrase)
    const { complete } = await listBackups(destination)
    const manifest = await readManifest(destination, protection, id ?? complete[0] ?? 'none')
    return { vault: { destination, protection }, manifest }
  }
  const restore = async (target: Instance, options: Omit<BackupOptions, 'keep' | 'report'>): Promise<void> => {
    const { vault, manifest } = await open(options)
    await restoreBackups([{ target, vault, manifest }], restoring)
  }
  const backUp = async (
    instance: Instance,
    options: Partial<BackupOptions> & Pick<BackupOptions, 'to' | 'objectStore'>,
  ) => {
    const made = await makeBackup(instance, { ...quiet, ...options })
    assert.ok(made, 'another backup is under way')
    return made
  }

  for (const [from, to] of [
    ['local', 'object'],
    ['object', 'local'],
  ] as const)
    test(`of files in a ${from} store is restored, rows, schema and files, into a ${to} store`, async () => {
      const { instance, keys } = await ground.filled(from)
      const place = { ...(from === 'local' ? ground.inFolder('round') : await ground.inBucket()), passphrase: null }
      const before = await contentsOf(instance)
      const reports: string[] = []
      const isOfRows = (line: string) => line.includes(' rows, ')
      const report = (line: string) => void reports.push(line)
      const { summary } = await backUp(instance, { ...place, report })
      assert.deepEqual([summary.blobs, summary.copiedBlobs, summary.missingBlobs], [keys.length, keys.length, 0])
      assert.match(reports.findLast(isOfRows) ?? '', new RegExp(`^notes: ${summary.rows} rows, `))
      const target = await ground.empty(to)
      await restore(target, place)
      const { 'public.backup_run': run, ...contents } = await contentsOf(target)
      const { 'public.backup_run': _, ...expected } = before
      assert.deepEqual(contents, expected)
      assert.equal(run?.length, 1, 'it was under way when the snapshot was taken')
      assert.deepEqual(await schemasOf(target), await schemasOf(instance))
      for (const key of keys) await (await target.bench.blobs.get(key)).stream.toArray()
      await target.query(`insert into author (name) values ('new')`) // the sequence goes on where it was
      const { vault, manifest } = await open(place)
      reports.length = 0
      assert.deepEqual(await checkBackup(vault, manifest, report), [])
      assert.match(reports.findLast(isOfRows) ?? '', new RegExp(`^notes: ${summary.rows} rows, `))
    })

  test('is made with what is committed at one moment, however long it takes', async () => {
    const { instance } = await ground.filled()
    const writer = await openSession(instance.databaseUrl)
    await writer.query(`begin; insert into author (name) values ('not committed')`)
    const place = { ...ground.inFolder('moment'), passphrase: null }
    await backUp(instance, place)
    await writer.query('commit')
    await writer.end()
    const target = await ground.empty()
    await restore(target, place)
    assert.deepEqual(await target.query(`select from author where name = 'not committed'`), [])
  })

  test('copies no file that an earlier one in the same place has, and encrypted hides names and content', async () => {
    const { instance, keys } = await ground.filled()
    const place = { ...(await ground.inBucket()), to: 's3://bucket/second', passphrase: new Secret('correct horse') }
    await backUp(instance, place)
    const added = await ground.addFile(instance, Buffer.from('a new file'))
    const { summary } = await backUp(instance, place)
    assert.deepEqual([summary.blobs, summary.copiedBlobs], [keys.length + 1, 1])
    const stored = [...place.s3.objects].filter(([name]) => name.startsWith('second/'))
    assert.ok(stored.length > keys.length)
    for (const [name, { bytes }] of stored) {
      assert.equal(name.includes(added), false)
      assert.equal(bytes.includes('a new file') || bytes.includes('Author 1'), false, name)
    }
    await assert.rejects(open({ ...place, passphrase: new Secret('wrong') }), /isn't the passphrase/)
    await assert.rejects(open({ ...place, passphrase: null }), /Set BACKUP_PASSPHRASE/)
    await assert.rejects(backUp(instance, { ...place, passphrase: null }), /are encrypted/)
    const target = await ground.empty()
    await restore(target, place)
    assert.equal((await target.query('select from author')).length, 20)
  })

  test('reports files that were already missing, and is made without them', async () => {
    const { instance, keys } = await ground.filled()
    const [gone = '', damaged = ''] = keys
    await instance.bench.blobs.delete(gone)
    instance.bench.damage(damaged, (bytes) => Buffer.concat([bytes, Buffer.from('x')]))
    const place = { ...ground.inFolder('gone'), passphrase: null }
    const { summary } = await backUp(instance, place)
    assert.equal(summary.missingBlobs, 2)
    const { vault, manifest } = await open(place)
    assert.deepEqual(manifest.blobs.missing, [gone, damaged].sort())
    assert.deepEqual(await checkBackup(vault, manifest, quiet.report), [])
    const target = await ground.empty()
    await restore(target, place)
    assert.equal(await target.bench.blobs.head(gone), null)
  })

  test('is refused if the database is migrated meanwhile, and nothing is left of it', async () => {
    const { instance } = await ground.filled()
    const place = { ...ground.inFolder('migrated'), passphrase: null }
    const blobs = async () => {
      await instance.query(`insert into migration_hash values ('0009_later', 'x')`)
      return instance.bench.blobs
    }
    await assert.rejects(makeBackup({ ...instance, blobs }, { ...quiet, ...place }), /migrated during the backup/)
    assert.deepEqual(
      await readdir(join(place.path, 'backups', (await readdir(join(place.path, 'backups')))[0] ?? '')),
      [],
    )
    const [run] = await instance.query('select error, finished_at from backup_run')
    assert.match(String(run?.error), /migrated during the backup/)
  })

  test('keeps files from being collected while it runs, and no longer when it is dead', async () => {
    const { instance } = await ground.filled()
    const database = openDatabase({ url: instance.databaseUrl, poolSize: 2, log })
    const key = 'a'.repeat(64)
    const used = async (): Promise<boolean> =>
      (await keepWhileBackedUp(database.db, async () => new Set<string>())([key])).has(key)
    assert.equal(await used(), false)
    const control = await openSession(instance.databaseUrl)
    assert.equal(await claimRun(control, { id: 'one', destination: '/backups' }), true)
    assert.equal(await used(), true)
    assert.equal(await claimRun(control, { id: 'two', destination: '/backups' }), false, 'one at a time')
    await control.query(`update backup_run set lease_until = now() - interval '1 second'`)
    assert.equal(await used(), false)
    assert.equal(await claimRun(control, { id: 'two', destination: '/backups' }), true)
    const [first] = await control.query(`select error from backup_run where id = 'one'`).then(({ rows }) => rows)
    assert.equal(first?.error, 'It was interrupted.')
    await finishRun(control, 'two', {})
    assert.equal(await used(), false)
    await control.end()
    await database.close()
  })

  test('of which older ones are removed takes along the files that only they need', async () => {
    const { instance, keys } = await ground.filled()
    const place = { ...ground.inFolder('old'), passphrase: null, keep: 2 }
    const [dropped = ''] = keys
    const first = await backUp(instance, place)
    await instance.query('delete from file where blob_key = $1', [dropped])
    await instance.query('delete from picture where blob_key = $1', [dropped])
    const second = await backUp(instance, place)
    const stored = async (): Promise<string[]> =>
      (await readdir(join(place.path, 'blobs'), { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
        .sort()
    assert.deepEqual(await stored(), [...keys].sort())
    const third = await backUp(instance, place)
    assert.deepEqual(await stored(), keys.filter((key) => key !== dropped).sort())
    const destination = await openDestination({ ...place, service: 'notes' })
    const { complete } = await listBackups(destination)
    assert.deepEqual(complete, [third.id, second.id].sort().reverse())
    assert.ok(!complete.includes(first.id))
    assert.deepEqual((await readdir(join(place.path, 'backups'))).sort(), [...complete].sort())
    const { vault, manifest } = await open(place, second.id)
    assert.deepEqual(await checkBackup(vault, manifest, quiet.report), [])
  })

  test('that cannot be removed keeps no older one, and stays whole until it can be', async () => {
    const { instance, keys } = await ground.filled()
    const { s3, ...bucket } = await ground.inBucket()
    const place = { ...bucket, to: 's3://bucket/stuck', passphrase: null }
    const forget = async (key = '') => {
      for (const table of ['file', 'picture']) await instance.query(`delete from ${table} where blob_key = $1`, [key])
    }
    const hasFile = (key = '') => [...s3.objects.keys()].some((name) => name.startsWith('stuck/') && name.endsWith(key))
    const first = await backUp(instance, place)
    await forget(keys[0])
    const second = await backUp(instance, place)
    await forget(keys[1])
    s3.fail({ match: ({ method, key }) => method === 'DELETE' && key.includes(second.id), status: 403 })
    const lines: string[] = []
    const third = await backUp(instance, { ...place, keep: 1, report: (line) => void lines.push(line) })
    assert.ok(lines.some((line) => line.includes("older backups couldn't be removed")))
    const { vault, manifest } = await open(place, second.id)
    const { complete } = await listBackups(vault.destination)
    assert.deepEqual(complete, [third.id, second.id])
    assert.ok(!complete.includes(first.id))
    assert.deepEqual([hasFile(keys[0]), hasFile(keys[1])], [false, true])
    assert.deepEqual(await checkBackup(vault, manifest, quiet.report), [])
    const fourth = await backUp(instance, { ...place, keep: 1 })
    assert.deepEqual((await listBackups(vault.destination)).complete, [fourth.id])
    assert.equal(hasFile(keys[1]), false)
  })

  test('has an id after those of earlier ones, even of the same second', () => {
    const moments = [new Date(1_000), new Date(1_001), new Date(1_999), new Date(2_000)]
    const ids = moments.map((moment, index) => newBackupId(moment, `${9 - index}`))
    assert.deepEqual(ids.toSorted(), ids)
  })

  test('is stopped by a signal, and the next one is not held up', async () => {
    const { instance } = await ground.filled()
    const place = { ...ground.inFolder('stopped'), passphrase: null }
    const stopping = new AbortController()
    const isReached = new EventTarget()
    const blobs = async () => {
      isReached.dispatchEvent(new Event('reached'))
      await until(() => stopping.signal.aborted)
      return instance.bench.blobs
    }
    const reached = once(isReached, 'reached')
    const run = makeBackup({ ...instance, blobs }, { ...quiet, ...place, signal: stopping.signal })
    await reached
    assert.equal(await makeBackup(instance, { ...quiet, ...place }), null, 'one at a time')
    stopping.abort(new Error('stopped'))
    await assert.rejects(run, /stopped/)
    await backUp(instance, place)
  })

  test('by its schedule is made by one of several processes when it is due, and a failed one is reported', async () => {
    const { instance } = await ground.filled()
    const place = ground.inFolder('schedule')
    const settings = { ...place, everyHours: 1, keep: 3, passphrase: null }
    const start = (to = place.to) =>
      [1, 2].map(() => startBackups(instance, { settings: { ...settings, to }, log, lookMs: 10 }))
    const finished = async () => instance.query('select error from backup_run where finished_at is not null')
    const runUntil = async (count: number, to?: string): Promise<void> => {
      const schedules = start(to)
      await until(async () => (await finished()).length >= count)
      await Promise.all(schedules.map((schedule) => schedule?.stop()))
      assert.equal((await finished()).length, count)
    }
    const makeDue = () => instance.query(`update backup_run set started_at = started_at - interval '2 hours'`)
    const database = openDatabase({ url: instance.databaseUrl, poolSize: 2, log })
    const look = async () => (await checkBackups(database.db, { dataDir: place.to, now: new Date() })).message
    assert.equal(await look(), 'No backup yet.')
    await runUntil(1)
    assert.equal(await look(), 'The last backup is 0 days old.')
    await makeDue()
    await runUntil(2)
    await makeDue()
    // A file stands where the folder has to be.
    await runUntil(3, join(place.path, 'key.json'))
    assert.match(await look(), /^The last backup is 0 days old\. The last attempt failed: /)
    assert.equal(startBackups(instance, { settings: { ...settings, to: null }, log }), null)
    await database.close()
  })

  test('does not let any service start before all of them are restored', async () => {
    const { instance } = await ground.filled()
    const place = { ...ground.inFolder('half'), passphrase: null }
    await backUp(instance, place)
    const [target, next] = [await ground.empty(), await ground.empty()]
    const backup = await open(place)
    const failing = {
      ...target,
      blobs: async () => {
        throw new Error('the disk is full')
      },
    }
    const restoreBoth = (first: Instance) =>
      restoreBackups(
        [first, next].map((target) => ({ target, ...backup })),
        restoring,
      )
    await assert.rejects(restoreBoth(failing), /disk is full/)
    for (const { databaseUrl } of [target, next])
      await assert.rejects(migrate(databaseUrl, ground.migrations, log), /Run "npm run restore" again/)
    await restoreBoth(target)
    const { 'public.backup_run': _, ...expected } = await contentsOf(instance)
    for (const each of [target, next]) {
      const { 'public.backup_run': __, ...contents } = await contentsOf(each)
      assert.deepEqual(contents, expected)
    }
  })
})

const schemasOf = async ({ databaseUrl }: Instance) => {
  const client = await openSession(databaseUrl)
  const texts = [await readSchema(client, 'public'), await readSchema(client, 'jobs')]
  await client.end()
  return texts
}
