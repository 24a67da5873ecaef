import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Registry } from 'prom-client'
import { judgeOrdered } from '../acme/health.ts'
import { createSelfSigned } from '../crypto/self-signed.ts'
import { createLogger } from '../log.ts'
import { type DatabaseFacts, judgeClock, judgeDatabase, judgeJobs } from './database-checks.ts'
import { type Finding, overallStatus, runChecks } from './health.ts'
import { checkDisk, checkPorts, judgeCertificate, judgeDisk } from './machine-checks.ts'
import { addHealthMetrics } from './metrics.ts'
import type { HealthReport } from './report.ts'

const log = createLogger({ name: 'test', level: 'silent' })
const NOW = new Date('2026-03-01T12:00:00.000Z')
const DAY_MS = 86_400_000
const later = (days: number): Date => new Date(NOW.getTime() + days * DAY_MS)

describe('checks', () => {
  test('run at once; one that fails or hangs is a warning and holds up nobody', async () => {
    const fine: Finding = { status: 'ok', message: 'Fine.', value: 3 }
    const checks = await runChecks(
      [
        { id: 'fine', run: () => fine },
        { id: 'broken', run: () => Promise.reject(new Error('no')) },
        { id: 'thrown', run: () => assert.fail('at once') },
        { id: 'hanging', run: () => new Promise<never>(() => undefined) },
      ],
      { log, timeoutMs: 20 },
    )
    assert.deepEqual(checks[0], { id: 'fine', status: 'ok', message: 'Fine.', action: null, value: 3 })
    assert.deepEqual(
      checks.map(({ id, status }) => `${id} ${status}`),
      ['fine ok', 'broken warning', 'thrown warning', 'hanging warning'],
    )
    assert.ok(checks.every(({ status, action }) => status === 'ok' || action))
  })

  test('are as bad as the worst of them', () => {
    assert.equal(overallStatus([]), 'ok')
    assert.equal(overallStatus([{ status: 'ok' }, { status: 'warning' }]), 'warning')
    assert.equal(overallStatus([{ status: 'error' }, { status: 'warning' }]), 'error')
  })
})

describe('the machine', () => {
  test('warns before its disk is full', async () => {
    const disk = (percent: number) => judgeDisk({ free: percent * 1e10, total: 1e12, folder: '/data' }).status
    assert.deepEqual([disk(50), disk(9), disk(2)], ['ok', 'warning', 'error'])
    assert.equal(judgeDisk({ free: 2e8, total: 4e8, folder: '/data' }).status, 'error')
    assert.equal(typeof (await checkDisk(tmpdir())).value, 'number')
    assert.equal(typeof (await checkDisk(join(tmpdir(), 'not', 'made', 'yet'))).value, 'number')
  })

  test('is asked whether its ports answer', async (context) => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    context.after(() => server.close())
    const address = server.address()
    assert.ok(address && typeof address === 'object')
    const open = { label: 'SMTP', port: address.port }
    assert.equal((await checkPorts('0.0.0.0', [open], 'Start it.')).status, 'ok')
    const closed = createServer()
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
    const gone = closed.address()
    assert.ok(gone && typeof gone === 'object')
    await new Promise((resolve) => closed.close(resolve))
    assert.deepEqual(await checkPorts('127.0.0.1', [open, { label: 'IMAP', port: gone.port }], 'Start it.'), {
      status: 'error',
      message: `Not listening: IMAP (${gone.port}).`,
      action: 'Start it.',
      value: 1,
    })
  })

  test('has a certificate for its name that is valid for more than two weeks', () => {
    const { cert } = createSelfSigned(['mail.example.com'], { from: later(-1), to: later(30) })
    const judge = (days: number, hostname = 'mail.example.com') =>
      judgeCertificate(cert, { hostname, now: later(days) })
    assert.deepEqual([judge(0).status, judge(0).value], ['ok', 30])
    assert.equal(judge(20).status, 'warning')
    assert.match(judge(31).message, /expired/)
    assert.match(judge(-2).message, /yet/)
    assert.deepEqual([judge(0, 'other.example.com').status, judge(31).status], ['error', 'error'])
  })
})

describe('the database', () => {
  const good: DatabaseFacts = {
    fsync: 'on',
    fullPageWrites: 'on',
    synchronousCommit: 'on',
    autovacuum: 'on',
    version: 180_001,
    maxConnections: 100,
    connections: 12,
    transactionAge: 50_000_000,
  }
  const judged = (change: Partial<DatabaseFacts>) => judgeDatabase({ ...good, ...change }).status

  test('must survive a crash and have room', () => {
    assert.equal(judged({}), 'ok')
    assert.deepEqual([judged({ fsync: 'off' }), judged({ fullPageWrites: 'off' })], ['error', 'error'])
    const wanting = [{ synchronousCommit: 'off' }, { autovacuum: 'off' }, { version: 150_004 }, { connections: 90 }]
    assert.deepEqual(wanting.map(judged), ['warning', 'warning', 'warning', 'warning'])
    const ages = [199_000_000, 1_000_000_000, 1_600_000_000]
    assert.deepEqual(
      ages.map((transactionAge) => judged({ transactionAge })),
      ['ok', 'warning', 'error'],
    )
  })

  test('has the time of the machine, and jobs that work', () => {
    assert.deepEqual(
      [0, -1_900, 3_000, -90_000].map((ms) => judgeClock(ms).status),
      ['ok', 'ok', 'warning', 'error'],
    )
    assert.deepEqual([judgeJobs([]).status, judgeJobs(['store.index']).status], ['ok', 'warning'])
  })
})

test('certificates that the service orders are judged by those it has', () => {
  const named = { name: 'mx.example.com', notAfter: new Date('2026-05-01T00:00:00.000Z') }
  const late = {
    ...named,
    notBefore: null,
    nextAttemptAt: named.notAfter,
    failures: 3,
    lastError: 'The authority could not connect.',
  }
  const first = [false, true].map((isProvenInDns) => judgeOrdered({ soonest: null, ending: [] }, isProvenInDns))
  assert.deepEqual(
    first.map(({ status, action }) => [status, /port 80|ACME_DNS_CREDENTIALS/.exec(action ?? '')?.[0]]),
    [
      ['warning', 'port 80'],
      ['warning', 'ACME_DNS_CREDENTIALS'],
    ],
  )
  assert.equal(judgeOrdered({ soonest: named, ending: [] }, false).status, 'ok')
  const overdue = judgeOrdered({ soonest: named, ending: [late] }, false)
  assert.deepEqual([overdue.status, overdue.action, overdue.value], ['error', 'The authority could not connect.', 1])
})

test('metrics show each check by its level; without a report there is none', async () => {
  const registry = new Registry()
  const checks = (['ok', 'warning', 'error'] as const).map((status) => {
    return { id: status, status, message: '', action: null, value: null }
  })
  let find = async (): Promise<HealthReport | undefined> => ({ checkedAt: NOW, checks })
  addHealthMetrics(registry, () => find())
  const text = await registry.metrics()
  for (const line of ['{check="ok"} 0', '{check="warning"} 1', '{check="error"} 2'])
    assert.ok(text.includes(`stoa_health_status${line}\n`), text)
  assert.ok(text.includes(`stoa_health_checked_timestamp_seconds ${NOW.getTime() / 1000}\n`), text)
  find = () => Promise.reject(new Error('the database is away'))
  const away = await registry.metrics()
  assert.ok(!away.includes('check="') && away.includes('stoa_health_checked_timestamp_seconds 0\n'), away)
})
