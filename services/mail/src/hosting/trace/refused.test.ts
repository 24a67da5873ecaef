import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createTestClock } from '@stoa/kit/clock.ts'
import { type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { plantAccount, plantDomain } from '../addresses/testing/hosting.ts'
import { createRefusedRecipients, LINES_PER_MINUTE, type Refusal } from './refused.ts'

const NOW = new Date('2026-03-01T12:00:05.000Z')

let mail: MailService
before(async () => {
  mail = await startMail()
})
after(() => mail.close())

let domains = 0
const ground = async () => {
  const clock = createTestClock(NOW)
  const { id: accountId } = await plantAccount(mail.database)
  const { id: domainId } = await plantDomain(mail.database, { accountId, name: `refused-${++domains}.test` })
  const refusal = (recipient: string, more: Partial<Refusal> = {}): Refusal => {
    const base = { accountId, domainId, sender: 'eve@far.example', recipient, remoteIp: '192.0.2.1' }
    return { ...base, ...more }
  }
  /** One process; what it counts is written when the test says so. */
  const counter = () => createRefusedRecipients({ ...mail, clock, log: mail.parts.log }, 3_600_000)
  const lines = async () =>
    (
      await mail.database.db
        .selectFrom('refused_recipient')
        .select(['recipient', 'sender', 'count', 'created_at'])
        .where('domain_id', '=', domainId)
        .orderBy('created_at')
        .orderBy('recipient')
        .execute()
    ).map(({ created_at, ...line }) => ({ ...line, at: created_at.toISOString() }))
  return { clock, domainId, refusal, counter, lines }
}

describe('refused recipients', () => {
  test('that are equal are one line of their minute, written at once and counted', async () => {
    const { clock, refusal, counter, lines } = await ground()
    const refused = counter()
    await refused.record(refusal('a@x'))
    const first = { recipient: 'a@x', sender: 'eve@far.example', count: 1, at: NOW.toISOString() }
    assert.deepEqual(await lines(), [first])
    for (let n = 0; n < 4; n += 1) await refused.record(refusal('a@x'))
    await refused.record(refusal('a@x', { sender: '' }))
    await refused.flush()
    await refused.flush()
    assert.deepEqual((await lines()).map(({ sender, count }) => [sender, count]).sort(), [
      ['', 1],
      ['eve@far.example', 5],
    ])
    clock.advance(60_000)
    await refused.record(refusal('a@x'))
    assert.deepEqual((await lines()).at(-1), { ...first, at: new Date(NOW.getTime() + 60_000).toISOString() })
  })

  test('of which somebody guesses thousands are a few lines and a few writes', async () => {
    const { refusal, counter, lines } = await ground()
    const refused = counter()
    const watch = mail.database.watchStatements()
    for (let n = 0; n < 10_000; n += 1) await refused.record(refusal(`guess-${n}@x`))
    await refused.flush()
    watch.stop()
    const written = await lines()
    assert.equal(written.length, LINES_PER_MINUTE + 1)
    assert.equal(
      written.reduce((sum, { count }) => sum + count, 0),
      10_000,
    )
    assert.deepEqual(
      written.filter(({ recipient }) => recipient === null).map(({ count }) => count),
      [10_000 - LINES_PER_MINUTE],
    )
    assert.ok(watch.texts.length <= (LINES_PER_MINUTE + 2) * 8, String(watch.texts.length))
  })

  test('of several processes together are no more lines', async () => {
    const { refusal, counter, lines } = await ground()
    const processes = [counter(), counter(), counter()]
    const guesses = Array.from({ length: LINES_PER_MINUTE }, (_, n) =>
      processes.map((one, nth) => one.record(refusal(`p${nth}-${n}@x`))),
    ).flat()
    await Promise.all([...guesses, ...processes.map((one) => one.record(refusal('same@x')))])
    await Promise.all(processes.map((one) => one.flush()))
    const written = await lines()
    assert.equal(written.length, LINES_PER_MINUTE + 1)
    assert.equal(
      written.reduce((sum, { count }) => sum + count, 0),
      3 * LINES_PER_MINUTE + 3,
    )
  })

  test('of a deleted domain are not recorded, and no failure is reported', async () => {
    const { domainId, refusal, counter, lines } = await ground()
    await mail.database.tx((tx) =>
      tx.updateTable('domain').set({ deleted_at: NOW }).where('id', '=', domainId).execute(),
    )
    const refused = counter()
    await refused.record(refusal('a@x'))
    await refused.flush()
    assert.deepEqual(await lines(), [])
  })
})
