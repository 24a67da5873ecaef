import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, afterEach, before, describe, test } from 'node:test'
import { freshDatabase } from '@stoa/tests/lib/cluster.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { createLogger } from '../log.ts'
import type { CheckDefinition, Finding } from './health.ts'
import { type MachineKey, type MachineWatch, watchMachine } from './machines.ts'
import { findReport, takeReport } from './report.ts'

const log = createLogger({ name: 'test', level: 'silent' })
const NOW = new Date('2026-03-01T12:00:00.000Z')
const FINE: Finding = { status: 'ok', message: 'Fine.' }
const FULL: Finding = { status: 'error', message: 'The disk is full.', action: 'Free up space.' }
const machineOf = (machine: string, roles = 'worker'): MachineKey => ({ machine, roles })

let database: Database<unknown>
let drop: () => Promise<void>
const watches: MachineWatch[] = []
before(async () => {
  const fresh = await freshDatabase()
  drop = fresh.drop
  database = openDatabase({ url: fresh.url, poolSize: 4, log })
  await database.pool.query(await readFile(new URL('./tables.sql', import.meta.url), 'utf8'))
})
after(async () => {
  await database.close()
  await drop()
})
afterEach(async () => {
  for (const watch of watches.splice(0)) await watch.stop()
  await database.pool.query('truncate health_report, health_machine')
})

type Found = { ports?: Finding; disk?: Finding; backups?: Finding; queue?: Finding }
const checksOf = ({ ports = FINE, disk = FINE, backups = FINE, queue = FINE }: Found): CheckDefinition[] => [
  { id: 'ports', counts: 'worst', run: () => ports },
  { id: 'queue', run: () => queue },
  { id: 'disk', counts: 'worst', run: () => disk },
  { id: 'backups', counts: 'least', run: () => backups },
]
const lookedAt = async ({ machine, roles }: MachineKey): Promise<number | undefined> => {
  const found = await database.db.query<{ at: Date }>({
    text: 'select checked_at as at from health_machine where machine = $1 and roles = $2',
    values: [machine, roles],
  })
  return found[0]?.at.getTime()
}
const writerOf = async ({ machine, roles }: MachineKey): Promise<string | undefined> => {
  const found = await database.db.query<{ writer: string }>({
    text: 'select writer from health_machine where machine = $1 and roles = $2',
    values: [machine, roles],
  })
  return found[0]?.writer
}
/** A process at work on that machine, once it has looked. */
const start = async (key: MachineKey, found: Found = {}): Promise<MachineWatch> => {
  const before = await lookedAt(key)
  const watch = watchMachine(checksOf(found), database, { log, key, firstMs: 0 })
  watches.push(watch)
  await until(async () => ![undefined, before].includes(await lookedAt(key)))
  return watch
}
const look = (key: MachineKey, found: Found = {}) =>
  takeReport(checksOf(found), { tx: database.tx, log, now: NOW, key })
const shown = async (id: string) => (await findReport(database.db))?.checks.find((check) => check.id === id)
const passHours = (machine: string, hours: number) =>
  database.pool.query(`update health_machine set checked_at = checked_at - $2 * interval '1 hour' where machine = $1`, [
    machine,
    hours,
  ])

describe('the machines of a service', () => {
  test('are each looked at, and what is wrong with one stays in the report after another one looked', async () => {
    await start(machineOf('web1'))
    await start(machineOf('web2', 'http'), { disk: FULL })
    const { checks } = await look(machineOf('web1'), {
      queue: { status: 'warning', message: 'Long.', action: 'Wait.' },
    })
    assert.deepEqual(
      checks.map(({ id, status, message }) => [id, status, message]),
      [
        ['ports', 'ok', 'web1: Fine.'],
        ['queue', 'warning', 'Long.'],
        ['disk', 'error', 'web2: The disk is full.'],
        ['backups', 'ok', 'Fine.'],
      ],
    )
    assert.deepEqual((await findReport(database.db))?.checks, checks)
    assert.deepEqual(Object.keys(checks[2] ?? {}), ['id', 'status', 'message', 'action', 'value'])
  })

  test('are not named where there is only one, whose processes of other roles have ports of their own', async () => {
    await start(machineOf('web1', 'http'), {
      ports: { status: 'error', message: 'Not listening.', action: 'Start it.' },
    })
    await start(machineOf('web1', 'worker'))
    await look(machineOf('web1', 'worker'))
    assert.equal((await shown('ports'))?.message, 'Not listening.')
    assert.equal((await shown('disk'))?.message, 'Fine.')
  })

  test('are as backed up as the one that knows of the newest backup', async () => {
    await start(machineOf('web1'), { backups: { status: 'warning', message: 'None.', action: 'Back up.' } })
    await start(machineOf('web2'), { backups: { status: 'ok', message: '1 day.', value: 1 } })
    await start(machineOf('web3'), { backups: { status: 'error', message: '9 days.', action: 'Back up.', value: 9 } })
    await look(machineOf('web1'), { backups: { status: 'warning', message: 'None.', action: 'Back up.' } })
    assert.deepEqual([(await shown('backups'))?.status, (await shown('backups'))?.message], ['ok', '1 day.'])
  })

  test('that fell silent are said, and forgotten after a day', async () => {
    await start(machineOf('web1'))
    await start(machineOf('web2', 'http, worker'), { disk: FULL })
    await look(machineOf('web1'))
    await passHours('web2', 2)
    const silent = await shown('ports')
    assert.deepEqual(
      [silent?.status, silent?.message, silent?.value],
      ['warning', "web2: Stoa (http, worker) hasn't checked this machine for 2 hours.", 2],
    )
    assert.equal((await shown('disk'))?.message, 'web2: The disk is full.')
    await passHours('web2', 22)
    assert.deepEqual([(await shown('ports'))?.message, (await shown('disk'))?.message], ['Fine.', 'Fine.'])
    await start(machineOf('web3'))
    assert.equal(await writerOf(machineOf('web2', 'http, worker')), undefined)
  })

  test('that are stopped are gone, except where another process has taken over', async () => {
    await start(machineOf('web1'))
    const old = await start(machineOf('web2'), { disk: FULL })
    await look(machineOf('web1'))
    await start(machineOf('web2'), { disk: { ...FULL, message: 'Still full.' } })
    await old.stop()
    assert.equal((await shown('disk'))?.message, 'web2: Still full.')
    await watches.at(-1)?.stop()
    assert.equal((await shown('disk'))?.message, 'Fine.')
  })

  test('that were killed are taken over by the next process, before it has looked', async () => {
    await start(machineOf('web1'))
    const killed = await writerOf(machineOf('web1'))
    const next = watchMachine(checksOf({}), database, { log, key: machineOf('web1'), firstMs: 60_000 })
    await until(async () => (await writerOf(machineOf('web1'))) !== killed)
    await next.stop()
    assert.equal(await writerOf(machineOf('web1')), undefined)
  })

  test('look again now and then, and a look that was asked for counts at once', async () => {
    await start(machineOf('web1'), { disk: FULL })
    await look(machineOf('web1'))
    assert.equal((await shown('disk'))?.status, 'ok')
    // The doctor can be run where nothing is at work: it shows what it finds, and leaves no machine behind.
    assert.equal((await look(machineOf('laptop'), { disk: FULL })).checks[2]?.message, 'laptop: The disk is full.')
    assert.equal((await shown('disk'))?.message, 'Fine.')
    let looks = 0
    const run = () => {
      looks += 1
      return FINE
    }
    const counted: CheckDefinition = { id: 'disk', counts: 'worst', run }
    watches.push(watchMachine([counted], database, { log, key: machineOf('web2'), firstMs: 0, everyMs: 1 }))
    await until(() => looks > 2)
  })
})
