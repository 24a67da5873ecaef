import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'
import { openCredentials, START } from './testing/credentials.ts'
import { type MailDatabase, openMailDatabase } from './testing/database.ts'
import { MAILBOX_PASSWORD, type PlantedAddress, plantAddress } from './testing/hosting.ts'

let ground: MailDatabase
let database: Database<Tables>
before(async () => {
  ground = await openMailDatabase({ poolSize: 8 })
  database = ground.database
})
after(() => ground.close())

const open = (options: { limitExempt?: string[] } = {}) => openCredentials(database, options)
const activityOf = (address: PlantedAddress) =>
  database.db
    .selectFrom('activity')
    .select(['type', 'remote_ip', 'result'])
    .where('address_id', '=', address.id)
    .orderBy('id')
    .execute()

describe('wrong passwords', () => {
  test('are ten in a quarter of an hour for one address from one place, then even the right one is not looked at', async () => {
    const address = await plantAddress(database, 'ann@limits.test')
    const { check, clock } = open()
    for (let n = 0; n < 10; n += 1) {
      assert.equal(await check(address.email, `wrong ${n}`), 'wrong', `attempt ${n}`)
      clock.advance(1_000)
    }
    assert.equal(await check(address.email, 'wrong'), 'limited')
    assert.equal(await check(address.email, MAILBOX_PASSWORD), 'limited')
    // A second process has the same counters, and another place has its own.
    assert.equal(await open().check(address.email, MAILBOX_PASSWORD), 'limited')
    assert.equal(await check(address.email, MAILBOX_PASSWORD, { ip: '192.0.2.77' }), 'ok')
    clock.advance(15 * 60_000)
    assert.equal(await check(address.email, MAILBOX_PASSWORD), 'ok')
  })

  test('end the use of a cached password too, which would reveal the right one', async () => {
    const address = await plantAddress(database, 'ann@oracle.test')
    const { check, clock } = open()
    assert.equal(await check(address.email, MAILBOX_PASSWORD), 'ok')
    for (let n = 0; n < 10; n += 1) {
      await check(address.email, `wrong ${n}`)
      clock.advance(1_000)
    }
    assert.equal(await check(address.email, MAILBOX_PASSWORD), 'limited')
  })

  test('and right ones: a program that opens forty connections at once is let in by each of them', async () => {
    const address = await plantAddress(database, 'ann@storm.test')
    const { check } = open()
    const together = (password: string) => Promise.all(Array.from({ length: 40 }, () => check(address.email, password)))
    assert.deepEqual([...new Set(await together(MAILBOX_PASSWORD))], ['ok'])
    assert.deepEqual([...new Set(await together('wrong'))], ['wrong'])
  })

  test('are forgotten after a right one', async () => {
    const address = await plantAddress(database, 'ann@forgiven.test')
    const { check, clock } = open()
    for (let round = 0; round < 3; round += 1) {
      clock.advance(6 * 60_000)
      for (let n = 0; n < 5; n += 1) {
        assert.equal(await check(address.email, 'wrong'), 'wrong')
        clock.advance(1_000)
      }
      assert.equal(await check(address.email, MAILBOX_PASSWORD), 'ok')
    }
  })

  test('at the same moment count too', async () => {
    const address = await plantAddress(database, 'ann@parallel.test')
    const { check } = open({ limitExempt: ['192.0.2.0/24'] })
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => check(address.email, `wrong ${n}`)))
    assert.equal(answers.filter((answer) => answer === 'wrong').length, 10)
    assert.equal(answers.filter((answer) => answer === 'limited').length, 10)
  })

  test('are five in a second from one place, whatever the address; a network of IPv6 is one place', async () => {
    const { check, clock } = open()
    for (const prefix of ['192.0.2.50', '2001:db8:1:2::']) {
      const ip = (n: number) => (prefix.includes(':') ? `${prefix}${n}` : prefix)
      for (let n = 1; n <= 5; n += 1) assert.equal(await check(`nobody${n}@places.test`, 'x', { ip: ip(n) }), 'wrong')
      assert.equal(await check('nobody6@places.test', 'x', { ip: ip(6) }), 'limited')
      assert.equal(await check('nobody6@places.test', 'x', { ip: '198.51.100.50' }), 'wrong')
      clock.advance(1_000)
      assert.equal(await check('nobody6@places.test', 'x', { ip: ip(7) }), 'wrong')
    }
  })

  test('of an exempt network are not counted by place', async () => {
    const { check } = open({ limitExempt: ['10.0.0.0/8', '2001:db8:9::/48'] })
    for (let n = 0; n < 6; n += 1) assert.equal(await check(`nobody${n}@exempt.test`, 'x', { ip: '10.1.2.3' }), 'wrong')
    for (let n = 0; n < 6; n += 1)
      assert.equal(await check(`nobody${n}@exempt.test`, 'x', { ip: '2001:db8:9::1' }), 'wrong')
  })
})

describe('the activity of a mailbox', () => {
  test('shows sign-ins and failed ones with their place, and not every one of them', async () => {
    const address = await plantAddress(database, 'ann@activity.test')
    const { check, clock } = open({ limitExempt: ['0.0.0.0/0'] })
    for (let n = 0; n < 3; n += 1) await check(address.email, MAILBOX_PASSWORD, { ip: '192.0.2.1' })
    await check(address.email, MAILBOX_PASSWORD, { ip: '192.0.2.2', scope: 'smtp' })
    await check(address.email, 'wrong', { ip: '192.0.2.3' })
    assert.deepEqual(await activityOf(address), [
      { type: 'login', remote_ip: '192.0.2.1', result: 'imap' },
      { type: 'login', remote_ip: '192.0.2.2', result: 'smtp' },
      { type: 'login_failed', remote_ip: '192.0.2.3', result: 'imap' },
    ])
    for (let n = 0; n < 21; n += 1) await check(address.email, 'wrong', { ip: `198.51.100.${n}` })
    const shown = (await activityOf(address)).filter(({ type }) => type === 'login_failed')
    assert.equal(shown.length, 20)
    clock.advance(3_600_000)
    await check(address.email, MAILBOX_PASSWORD, { ip: '192.0.2.1' })
    const row = await database.db
      .selectFrom('address')
      .select('last_login_at')
      .where('id', '=', address.id)
      .executeTakeFirst()
    assert.equal(row?.last_login_at?.getTime(), START.getTime() + 3_600_000)
  })
})
