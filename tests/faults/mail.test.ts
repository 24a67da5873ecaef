import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runs } from '../lib/runs.ts'
import { mailAway } from './scenarios/mail-away.ts'
import { mailBatch } from './scenarios/mail-batch.ts'
import { mailData } from './scenarios/mail-data.ts'
import { mailDisk } from './scenarios/mail-disk.ts'
import { mailOutage } from './scenarios/mail-outage.ts'
import { mailRelay } from './scenarios/mail-relay.ts'
import { mailStore } from './scenarios/mail-store.ts'
import { mailTransfer } from './scenarios/mail-transfer.ts'
import { mailUpkeep } from './scenarios/mail-upkeep.ts'

/** To start a process again is most of the work; `npm run faults` kills hundreds. */
const KILLS = runs(1, 3)

describe('faults while mail is moved', () => {
  test('killed while messages come in, the service has each acknowledged one once', async () => {
    const { figures, broken } = await mailData({ kills: KILLS, perSecond: 5 })
    assert.deepEqual(broken, [])
    assert.ok(Number(figures.acknowledged) > 0)
  })

  test('killed and stopped while it hands mail over, the relay loses nothing and lets late results be', async () => {
    const { broken } = await mailRelay({ kills: KILLS, freezes: 1 })
    assert.deepEqual(broken, [])
  })

  test('killed while a mailbox is copied from another server, the next one goes on and has each message once', async () => {
    const { figures, broken } = await mailTransfer({ kills: KILLS, messages: 45 })
    assert.deepEqual(broken, [])
    assert.equal(figures.copied, 45)
  })

  test('an export survives kills; automatic backups are made once, and kept as set', async () => {
    const { figures, broken } = await mailUpkeep({ kills: 1, messages: 30, failsLast: false })
    assert.deepEqual(broken, [])
    assert.deepEqual([figures.exported, figures.backups], [30, 2])
  })

  test('killed while programs send batches, the service has each of them whole, once and delivered, or not at all', async () => {
    const { figures, broken } = await mailBatch({ kills: KILLS, mails: 4 })
    assert.deepEqual(broken, [])
    assert.ok(Number(figures.acknowledged) > 0)
  })

  test('with the database away, senders get a temporary failure, and nothing is lost or doubled', async () => {
    const { figures, broken } = await mailOutage({ stops: 1, cuttingSeconds: 1, perSecond: 5 })
    assert.deepEqual(broken, [])
    assert.ok(Number(figures.acknowledged) > 0)
  })

  test('with the line to the database silent, senders and readers are answered in time, and mail comes in again', async () => {
    const { figures, broken } = await mailAway({ seconds: 1, perSecond: 5 })
    assert.deepEqual(broken, [])
    assert.ok(Number(figures.acknowledged) > 0)
  })

  test('with an object store that fails, senders get a temporary failure, and no message is without its bytes', async () => {
    const { figures, broken } = await mailStore({ seconds: 1, perSecond: 5, faults: ['failing', 'losing'] })
    assert.deepEqual(broken, [])
    assert.ok(Number(figures.acknowledged) > 0)
  })

  test('a full disk is answered with 452 and nothing is cut short; a damaged message is noticed', async (context) => {
    if (process.getuid?.() !== 0) return context.skip('a small disk is mounted, which needs root')
    const { figures, broken } = await mailDisk({ rounds: 1, perSecond: 5 })
    assert.deepEqual(broken, [])
    assert.ok(Number(figures.refused) > 0)
  })
})
