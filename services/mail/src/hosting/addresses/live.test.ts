import assert from 'node:assert/strict'
import { after, before, describe, mock, test } from 'node:test'
import { createTestClock } from '@stoa/kit/clock.ts'
import { type Database, openDatabase } from '@stoa/kit/db/database.ts'
import { type Bus, openBus } from '@stoa/kit/events/bus.ts'
import { newId } from '@stoa/kit/ids.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import type { CredentialScope, SignIn } from '../../principal.ts'
import type { Tables } from '../../tables.ts'
import { createAppPassword, deleteAppPassword } from './app-passwords.ts'
import { createCredentials } from './credentials.ts'
import { createLiveSignIns } from './live.ts'
import { type AddressUpdate, changeAddressPassword, deleteAddress, updateAddress } from './operations.ts'
import { START } from './testing/credentials.ts'
import { type MailDatabase, openMailDatabase } from './testing/database.ts'
import { MAILBOX_PASSWORD, type PlantedAddress, plantAddress } from './testing/hosting.ts'

const lines: string[] = []
const log = createLogger({ name: 'test', level: 'warn', destination: { write: (line) => void lines.push(line) } })

let ground: MailDatabase
let database: Database<Tables>
let bus: Bus
before(async () => {
  ground = await openMailDatabase({ poolSize: 4 })
  database = ground.database
  bus = openBus(database, { log })
  await bus.ready()
})
after(async () => {
  await bus.close()
  await ground.close()
})

const clock = createTestClock(START)
let addresses = 0
const plant = () => plantAddress(database, `person@live${++addresses}.test`)
const open = (parts: { database?: Database<Tables>; bus?: Bus } = {}) =>
  createLiveSignIns({ database, bus, log, clock, ...parts })
const check = async (address: PlantedAddress, password: string, scope: CredentialScope): Promise<SignIn> => {
  const credentials = createCredentials({ database, secret: new Secret('a secret of the tests'), clock, log })
  const answer = await credentials.check({ email: address.email, password, scope, ip: '192.0.2.1' })
  assert.ok(answer.ok)
  return answer
}
const signIn = (address: PlantedAddress, scope: CredentialScope = 'imap') => check(address, MAILBOX_PASSWORD, scope)
const makeAppPassword = async ({ accountId, id }: PlantedAddress, expiresAt: Date | null = null) => {
  const input = { accountId, addressId: id, name: 'phone', expiresAt, now: clock.now() }
  const { appPassword, token } = await database.tx((tx) => createAppPassword(tx, input))
  return { id: appPassword.id, token: token.reveal() }
}
const change = ({ accountId, id }: PlantedAddress, to: AddressUpdate) =>
  database.tx((tx) => updateAddress(tx, { accountId, addressId: id, change: to, now: START }))
const changePassword = ({ accountId, id }: PlantedAddress) =>
  database.tx((tx) => changeAddressPassword(tx, { accountId, addressId: id, passwordHash: 'other', now: START }))
/** A browser that is signed in to webmail. */
const openSession = async ({ id: addressId }: PlantedAddress): Promise<string> => {
  const id = newId()
  const expiresAt = new Date(START.getTime() + 3_600_000)
  const times = { created_at: START, last_seen_at: START, expires_at: expiresAt }
  const row = { address_id: addressId, id, token_hash: Buffer.from(id), password_stamp: '', ip: null, user_agent: null }
  await database.tx((tx) =>
    tx
      .insertInto('webmail_session')
      .values({ ...row, ...times })
      .execute(),
  )
  return id
}

/** Connections of one process, and how often each was ended. */
const connections = (live: ReturnType<typeof open>) => {
  const ended: Record<string, number> = {}
  const enter = (name: string, who: SignIn, options: { limit?: number; sessionId?: string } = {}) => {
    ended[name] = 0
    const end = () => {
      ended[name] = (ended[name] ?? 0) + 1
    }
    return live.enter(who, { ...options, end })
  }
  return { ended, enter }
}

describe('what somebody signed in with', () => {
  test('ends their connections when the password is changed, those with app passwords too, and nobody else is', async () => {
    const [address, other] = [await plant(), await plant()]
    const { token } = await makeAppPassword(address)
    const live = open()
    const { ended, enter } = connections(live)
    enter('password', await signIn(address))
    enter('app password', await check(address, token, 'imap'))
    enter('webmail', await signIn(address, 'webmail'))
    enter('other', await signIn(other))
    await live.settled()
    assert.deepEqual(ended, { password: 0, 'app password': 0, webmail: 0, other: 0 })
    await changePassword(address)
    await live.settled()
    assert.deepEqual(ended, { password: 1, 'app password': 1, webmail: 1, other: 0 })
    await changePassword(address)
    await live.settled()
    assert.equal(ended.password, 1)
    live.close()
  })

  test('ends only those of an app password that is revoked', async () => {
    const address = await plant()
    const [first, second] = [await makeAppPassword(address), await makeAppPassword(address)]
    const live = open()
    const { ended, enter } = connections(live)
    enter('first', await check(address, first.token, 'imap'))
    enter('second', await check(address, second.token, 'pop3'))
    enter('password', await signIn(address))
    const { accountId, id: addressId } = address
    await database.tx((tx) => deleteAppPassword(tx, { accountId, addressId, id: first.id }))
    await live.settled()
    assert.deepEqual(ended, { first: 1, second: 0, password: 0 })
    live.close()
  })

  test('ends within a minute when an app password runs out', async () => {
    const address = await plant()
    const brief = await makeAppPassword(address, new Date(START.getTime() + 5_000))
    mock.timers.enable({ apis: ['setInterval'] })
    const live = open()
    const { ended, enter } = connections(live)
    enter('brief', await check(address, brief.token, 'imap'))
    enter('password', await signIn(address))
    mock.timers.tick(60_000)
    await live.settled()
    assert.deepEqual(ended, { brief: 0, password: 0 })
    clock.advance(5_000)
    mock.timers.tick(60_000)
    await live.settled()
    assert.deepEqual(ended, { brief: 1, password: 0 })
    live.close()
    mock.timers.reset()
    clock.set(START)
  })

  test('ends when the address is switched off or deleted', async () => {
    const [off, gone] = [await plant(), await plant()]
    const live = open()
    const { ended, enter } = connections(live)
    enter('off', await signIn(off))
    enter('gone', await signIn(gone))
    await change(off, { enabled: false })
    await live.settled()
    assert.deepEqual(ended, { off: 1, gone: 0 })
    await database.tx((tx) => deleteAddress(tx, { accountId: gone.accountId, addressId: gone.id, now: START }))
    await live.settled()
    assert.deepEqual(ended, { off: 1, gone: 1 })
    live.close()
  })

  test('ends when app passwords become a must, except in webmail', async () => {
    const address = await plant()
    const { token } = await makeAppPassword(address)
    const live = open()
    const { ended, enter } = connections(live)
    enter('password', await signIn(address))
    enter('app password', await check(address, token, 'imap'))
    enter('webmail', await signIn(address, 'webmail'))
    await change(address, { name: 'Another name' })
    await live.settled()
    assert.deepEqual(ended, { password: 0, 'app password': 0, webmail: 0 })
    await change(address, { requireAppPassword: true })
    await live.settled()
    assert.deepEqual(ended, { password: 1, 'app password': 0, webmail: 0 })
    live.close()
  })

  test('ends a connection that was checked before a change and entered after it', async () => {
    const address = await plant()
    const live = open()
    const { ended, enter } = connections(live)
    const checked = await signIn(address)
    await changePassword(address)
    await live.settled()
    enter('late', checked)
    await live.settled()
    assert.deepEqual(ended, { late: 1 })
    live.close()
  })

  test('ends it in another process', async () => {
    const address = await plant()
    const second = openDatabase<Tables>({ url: ground.url, poolSize: 2, log })
    const secondBus = openBus(second, { log })
    await secondBus.ready()
    const live = open({ database: second, bus: secondBus })
    const { ended, enter } = connections(live)
    enter('there', await signIn(address))
    await live.settled()
    await changePassword(address)
    await until(() => ended.there === 1)
    live.close()
    await secondBus.close()
    await second.close()
  })

  test('ends it after the process was cut off from the others, once it is connected to them again', async () => {
    const address = await plant()
    const second = openDatabase<Tables>({ url: ground.url, poolSize: 2, log })
    const name = 'live-test-events'
    const secondBus = openBus(second, { log, applicationName: name })
    await secondBus.ready()
    const live = open({ database: second, bus: secondBus })
    const { ended, enter } = connections(live)
    enter('there', await signIn(address))
    await live.settled()
    // Without a word to anybody.
    await database.pool.query(`update address set password_hash = 'other' where id = $1`, [address.id])
    await passTime(50, 'whoever looked by itself would have noticed by now')
    assert.equal(ended.there, 0)
    await database.pool.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
      name,
    ])
    await until(() => ended.there === 1)
    live.close()
    await secondBus.close()
    await second.close()
  })

  test('ends the connections of a session that was signed out, and those of no other session', async () => {
    const address = await plant()
    const [first, second] = [await openSession(address), await openSession(address)]
    const live = open()
    const { ended, enter } = connections(live)
    enter('first', await signIn(address, 'webmail'), { sessionId: first })
    enter('second', await signIn(address, 'webmail'), { sessionId: second })
    enter('mail program', await signIn(address))
    await live.settled()
    assert.deepEqual(ended, { first: 0, second: 0, 'mail program': 0 })
    await database.tx(async (tx) => {
      await tx.deleteFrom('webmail_session').where('id', '=', first).execute()
      const data = { addressId: address.id, sessionId: first }
      tx.changes.push({ topic: 'webmail_session', event: 'ended', data })
    })
    await live.settled()
    assert.deepEqual(ended, { first: 1, second: 0, 'mail program': 0 })
    live.close()
  })

  test('is checked when it changes at the moment another check ends', async () => {
    const [revoked, late] = [await plant(), await plant()]
    const [revokedSignIn, lateSignIn] = [await signIn(revoked), await signIn(late)]
    await changePassword(revoked)
    await changePassword(late)
    const lost: number[] = []
    for (let steps = 0; steps < 12; steps += 1) {
      const live = open()
      let isEnded = false
      const enterLate = async () => {
        for (let step = 0; step < steps; step += 1) await null
        live.enter(lateSignIn, { end: () => (isEnded = true) })
      }
      await new Promise<void>((resolve) => {
        live.enter(revokedSignIn, { end: () => resolve(enterLate()) })
      })
      await live.settled()
      await live.settled()
      if (!isEnded) lost.push(steps)
      live.close()
    }
    assert.deepEqual(lost, [])
  })

  test('is queried again when the database did not answer', async () => {
    const address = await plant()
    const second = openDatabase<Tables>({ url: ground.url, poolSize: 1, log, statementTimeoutMs: 100 })
    const live = open({ database: second })
    const { ended, enter } = connections(live)
    enter('there', await signIn(address))
    await live.settled()
    const holder = await database.pool.connect()
    await holder.query('begin; lock table app_password in access exclusive mode')
    await holder.query(`update address set password_hash = 'other' where id = $1`, [address.id])
    const before = lines.length
    await database.tx(async (tx) => {
      tx.changes.push({ topic: 'address', event: 'password_changed', data: { addressId: address.id } })
    })
    await until(() => lines.length > before)
    assert.equal(ended.there, 0)
    await holder.query('commit')
    holder.release()
    await until(() => ended.there === 1)
    live.close()
    await second.close()
  })
})

describe('the connections of an address', () => {
  test('are limited per door; one that has left makes room', async () => {
    const [address, other] = [await plant(), await plant()]
    const live = open()
    const { enter } = connections(live)
    const imap = await signIn(address)
    const leave = await enter('1', imap, { limit: 2 })
    assert.ok(leave)
    assert.ok(await enter('2', imap, { limit: 2 }))
    assert.equal(await enter('3', imap, { limit: 2 }), null)
    assert.ok(await enter('another door', await signIn(address, 'pop3'), { limit: 2 }))
    assert.ok(await enter('another address', await signIn(other), { limit: 2 }))
    assert.ok(await enter('no limit', imap))
    leave()
    leave()
    assert.equal(await enter('4', imap, { limit: 2 }), null)
    assert.ok(await enter('5', imap, { limit: 3 }))
    await live.settled()
    live.close()
  })

  test('that have left or were ended are not ended again, and make room', async () => {
    const address = await plant()
    const live = open()
    const { ended, enter } = connections(live)
    const who = await signIn(address)
    const leave = await enter('left', who, { limit: 2 })
    await enter('there', who, { limit: 2 })
    leave?.()
    await changePassword(address)
    await live.settled()
    assert.deepEqual(ended, { left: 0, there: 1 })
    assert.ok(await enter('next', who, { limit: 1 }))
    await live.settled()
    assert.deepEqual(ended, { left: 0, there: 1, next: 1 })
    live.close()
  })

  test('cost one statement together when many come at once', async () => {
    const address = await plant()
    const live = open()
    const { enter } = connections(live)
    const who = await signIn(address)
    const watch = database.watchStatements()
    for (let n = 0; n < 100; n += 1) enter(String(n), who)
    await live.settled()
    watch.stop()
    assert.equal(watch.texts.length, 1)
    live.close()
  })
})
