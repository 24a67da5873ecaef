import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { hashPassword, passwordLoad } from '@stoa/kit/crypto/password.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import type { CredentialScope } from '../../principal.ts'
import type { Tables } from '../../tables.ts'
import { type AppPasswordScope, createAppPassword, deleteAppPassword, listAppPasswords } from './app-passwords.ts'
import { stampOf } from './credentials.ts'
import { changeAddressPassword, deleteAddress, updateAddress } from './operations.ts'
import { openCredentials, START } from './testing/credentials.ts'
import { type MailDatabase, openMailDatabase } from './testing/database.ts'
import { MAILBOX_PASSWORD, type PlantedAddress, plantAddress } from './testing/hosting.ts'

const SCOPES: readonly CredentialScope[] = ['smtp', 'imap', 'pop3', 'managesieve', 'jmap', 'webmail']
const NEW_PASSWORD = 'another pass phrase'

let ground: MailDatabase
let database: Database<Tables>
before(async () => {
  ground = await openMailDatabase({ poolSize: 8 })
  database = ground.database
})
after(() => ground.close())

const open = () => openCredentials(database)

const hashOf = async (id: string): Promise<string> => {
  const query = database.db.selectFrom('address').select('password_hash').where('id', '=', id)
  return (await query.executeTakeFirstOrThrow()).password_hash
}

const makeAppPassword = async (
  address: PlantedAddress,
  more: { scopes?: AppPasswordScope[]; expiresAt?: Date | null } = {},
) => {
  const input = { accountId: address.accountId, addressId: address.id, name: 'phone', now: START, ...more }
  const { appPassword, token } = await database.tx((tx) => createAppPassword(tx, input))
  return { id: appPassword.id, token: token.reveal(), appPassword }
}
describe('the mailbox password', () => {
  test('works for every protocol, in any spelling of the address, and returns who it is', async () => {
    const address = await plantAddress(database, 'ann@doors.test', { name: 'Ann' })
    const { credentials, check } = open()
    for (const scope of SCOPES) assert.equal(await check('Ann@Doors.test', MAILBOX_PASSWORD, { scope }), 'ok', scope)
    assert.deepEqual(
      await credentials.check({
        email: 'ann@doors.test',
        password: MAILBOX_PASSWORD,
        scope: 'smtp',
        ip: '::ffff:192.0.2.1',
      }),
      {
        ok: true,
        address: {
          id: address.id,
          accountId: address.accountId,
          domainId: address.domainId,
          email: 'ann@doors.test',
          name: 'Ann',
          sendEnabled: true,
        },
        scope: 'smtp',
        appPasswordId: null,
        passwordStamp: stampOf(await hashOf(address.id)),
      },
    )
  })

  test('is refused when it is wrong, for aliases, and of addresses that are off, deleted or unknown', async () => {
    const address = await plantAddress(database, 'ann@closed.test', { aliases: ['office'] })
    const off = await plantAddress(database, 'off@closed.test', { accountId: address.accountId, enabled: false })
    const gone = await plantAddress(database, 'gone@closed.test', { accountId: address.accountId })
    await database.tx((tx) => deleteAddress(tx, { accountId: gone.accountId, addressId: gone.id, now: START }))
    const { check, lines } = open()
    let host = 0
    const elsewhere = () => ({ ip: `198.51.100.${++host}` })
    for (const email of [
      'office@closed.test',
      off.email,
      gone.email,
      'nobody@closed.test',
      'not an address',
      '',
      'ann+x@closed.test',
    ])
      assert.equal(await check(email, MAILBOX_PASSWORD, elsewhere()), 'wrong', email)
    for (const password of [
      '',
      'wrong',
      `${MAILBOX_PASSWORD} `,
      MAILBOX_PASSWORD.toUpperCase(),
      'x'.repeat(5_000),
      '\ud800',
    ])
      assert.equal(await check(address.email, password, elsewhere()), 'wrong', password.slice(0, 30))
    assert.equal(
      lines.some((line) => line.includes(MAILBOX_PASSWORD) || line.includes('closed.test')),
      false,
    )
  })

  test('costs the same work for an unknown address', async () => {
    await plantAddress(database, 'ann@work.test')
    const { check } = open()
    const hashesFor = async (email: string) => {
      const { made } = passwordLoad()
      await check(email, 'wrong password')
      return passwordLoad().made - made
    }
    assert.deepEqual([await hashesFor('ann@work.test'), await hashesFor('nobody@work.test')], [1, 1])
  })

  test('that is remembered takes one statement', async () => {
    const address = await plantAddress(database, 'ann@statement.test')
    const { check } = open()
    assert.equal(await check(address.email, MAILBOX_PASSWORD), 'ok')
    const watch = database.watchStatements()
    assert.equal(await check(address.email, MAILBOX_PASSWORD), 'ok')
    watch.stop()
    assert.equal(watch.texts.length, 1)
  })

  test('that was right is remembered for five minutes, and forgotten when it changes', async () => {
    const address = await plantAddress(database, 'ann@memory.test')
    const { check, clock } = open()
    const writes = async () => {
      const watch = database.watchStatements()
      assert.equal(await check(address.email, MAILBOX_PASSWORD), 'ok')
      watch.stop()
      return watch.texts.filter((text) => /^\s*(insert|update|delete)/i.test(text)).length
    }
    assert.ok((await writes()) > 0)
    assert.equal(await writes(), 0)
    clock.advance(4 * 60_000)
    assert.equal(await writes(), 0)
    clock.advance(2 * 60_000)
    assert.ok((await writes()) > 0)
    const passwordHash = await hashPassword(NEW_PASSWORD)
    await database.tx((tx) =>
      changeAddressPassword(tx, { accountId: address.accountId, addressId: address.id, passwordHash, now: START }),
    )
    assert.equal(await check(address.email, MAILBOX_PASSWORD), 'wrong')
    assert.equal(await check(address.email, NEW_PASSWORD), 'ok')
  })

  test('opens only webmail where app passwords are required, remembered or not', async () => {
    const address = await plantAddress(database, 'ann@required.test')
    const { check } = open()
    assert.equal(await check(address.email, MAILBOX_PASSWORD), 'ok')
    await database.tx((tx) =>
      updateAddress(tx, {
        accountId: address.accountId,
        addressId: address.id,
        change: { requireAppPassword: true },
        now: START,
      }),
    )
    const { token } = await makeAppPassword(address)
    let host = 0
    for (const scope of SCOPES) {
      const expected = scope === 'webmail' ? 'ok' : 'wrong'
      const ip = `198.51.100.${++host}`
      assert.equal(await check(address.email, MAILBOX_PASSWORD, { scope, ip }), expected, scope)
    }
    assert.equal(await check(address.email, token), 'ok')
  })
})

describe('an app password', () => {
  test('opens the doors that it is for and no other, under its own address only', async () => {
    const address = await plantAddress(database, 'ann@scopes.test')
    const other = await plantAddress(database, 'bob@scopes.test', { accountId: address.accountId })
    const { token, id, appPassword } = await makeAppPassword(address, { scopes: ['smtp', 'imap', 'imap'] })
    assert.match(token, /^ap_[0-9A-Za-z]{32}$/)
    assert.deepEqual([appPassword.scopes, appPassword.token_prefix], [['smtp', 'imap'], token.slice(0, 7)])
    const { check, credentials } = open()
    let host = 0
    for (const scope of SCOPES) {
      const expected = scope === 'smtp' || scope === 'imap' ? 'ok' : 'wrong'
      assert.equal(await check(address.email, token, { scope, ip: `198.51.100.${++host}` }), expected, scope)
    }
    assert.equal(await check(other.email, token), 'wrong')
    assert.equal(await check(address.email, token.toLowerCase()), 'wrong')
    const answer = await credentials.check({ email: address.email, password: token, scope: 'imap', ip: '192.0.2.9' })
    assert.equal(answer.ok && answer.appPasswordId, id)
  })

  test('never opens webmail, and by default opens all others', async () => {
    const address = await plantAddress(database, 'ann@all-scopes.test')
    const { token } = await makeAppPassword(address)
    const { check } = open()
    for (const scope of SCOPES)
      assert.equal(await check(address.email, token, { scope }), scope === 'webmail' ? 'wrong' : 'ok', scope)
  })

  test('ends at its moment, when it is deleted, and when the mailbox password changes', async () => {
    const address = await plantAddress(database, 'ann@ends.test')
    const { accountId, id: addressId } = address
    const ending = await makeAppPassword(address, { expiresAt: new Date(START.getTime() + 60_000) })
    const passwordHash = await hashPassword(NEW_PASSWORD)
    const [deleted, revoked] = [await makeAppPassword(address), await makeAppPassword(address)]
    const { check, clock } = open()
    for (const { token } of [ending, deleted, revoked]) assert.equal(await check(address.email, token), 'ok')
    clock.advance(60_000)
    assert.equal(await check(address.email, ending.token), 'wrong')
    await database.tx((tx) => deleteAppPassword(tx, { accountId, addressId, id: deleted.id }))
    assert.equal(await check(address.email, deleted.token), 'wrong')
    assert.equal(await check(address.email, revoked.token), 'ok')
    await database.tx((tx) => changeAddressPassword(tx, { accountId, addressId, passwordHash, now: START }))
    assert.equal(await check(address.email, revoked.token), 'wrong')
    assert.deepEqual(await listAppPasswords(database.db, addressId), [])
    await assert.rejects(
      database.tx((tx) => deleteAppPassword(tx, { accountId, addressId, id: deleted.id })),
      {
        code: 'not_found',
      },
    )
  })

  test('is stored as a hash, with when and from where it was used', async () => {
    const address = await plantAddress(database, 'ann@used.test')
    const { token } = await makeAppPassword(address)
    const { check, clock } = open()
    const lastUse = async () => {
      const [used] = await listAppPasswords(database.db, address.id)
      return [used?.last_used_at?.getTime(), used?.last_used_ip]
    }
    await check(address.email, token, { ip: '192.0.2.1' })
    assert.deepEqual(await lastUse(), [START.getTime(), '192.0.2.1'])
    clock.advance(30_000)
    await check(address.email, token, { ip: '192.0.2.2' })
    assert.deepEqual(await lastUse(), [START.getTime(), '192.0.2.1'])
    clock.advance(31_000)
    await check(address.email, token, { ip: '2001:db8::1' })
    assert.deepEqual(await lastUse(), [START.getTime() + 61_000, '2001:db8::1'])
    const stored = await database.db
      .selectFrom('app_password')
      .selectAll()
      .where('address_id', '=', address.id)
      .execute()
    assert.equal(JSON.stringify(stored).includes(token), false)
    assert.equal(stored[0]?.token_hash.length, 32)
  })

  test('comes alone as a Bearer token, for its scope', async () => {
    const address = await plantAddress(database, 'ann@bearer.test')
    const { token } = await makeAppPassword(address, { scopes: ['jmap'] })
    const imap = await makeAppPassword(address, { scopes: ['imap'] })
    const { credentials } = open()
    const ask = async (token: string) => {
      const answer = await credentials.checkToken({ token, scope: 'jmap', ip: '192.0.2.1' })
      return answer.ok ? answer.address.email : answer.reason
    }
    assert.equal(await ask(token), 'ann@bearer.test')
    assert.equal(await ask(imap.token), 'wrong')
    for (const bad of ['', 'ap_', `${token}x`, MAILBOX_PASSWORD, "' or 1=1 --"])
      assert.match(await ask(bad), /wrong|limited/)
    assert.equal(await ask(token), 'limited')
  })

  test('is refused without a name, without doors, for the past, and past a hundred', async () => {
    const address = await plantAddress(database, 'ann@many.test')
    const make = (more: { name?: string; scopes?: AppPasswordScope[]; expiresAt?: Date }) =>
      database.tx((tx) =>
        createAppPassword(tx, { accountId: address.accountId, addressId: address.id, name: 'x', now: START, ...more }),
      )
    for (const more of [{ name: ' ' }, { name: 'x'.repeat(101) }, { scopes: [] }, { expiresAt: START }])
      await assert.rejects(make(more), { code: 'validation_error' }, JSON.stringify(more))
    assert.deepEqual(await listAppPasswords(database.db, address.id), [])
    for (let n = 0; n < 98; n += 1) await make({})
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => make({})))
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 2)
    assert.equal((await listAppPasswords(database.db, address.id)).length, 100)
  })
})
