import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'
import { createAppPassword, listAppPasswords } from './app-passwords.ts'
import { parseAlias, parseLocalPart } from './names.ts'
import {
  type AddressUpdate,
  changeAddressPassword,
  createAddress,
  deleteAddress,
  hashAddressPassword,
  type NewAddress,
  setRecoveryEmail,
  updateAddress,
} from './operations.ts'
import { findAddress, listAliases } from './queries.ts'
import { type MailDatabase, openMailDatabase } from './testing/database.ts'
import { plantAccount, plantAddress, plantDomain } from './testing/hosting.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')

let ground: MailDatabase
let database: Database<Tables>
before(async () => {
  ground = await openMailDatabase({ poolSize: 12 })
  database = ground.database
})
after(() => ground.close())

const create = (of: { accountId: string; domainId: string }, localPart: string, more: Partial<NewAddress> = {}) =>
  database.tx((tx) => createAddress(tx, { passwordHash: 'hash', now: NOW, ...of, localPart, ...more }))
const update = (of: { accountId: string; id: string }, change: AddressUpdate) =>
  database.tx((tx) => updateAddress(tx, { accountId: of.accountId, addressId: of.id, change, now: NOW }))
const idsIn = async (accountId: string): Promise<string[]> => {
  const rows = await database.db.selectFrom('address').select('id').where('account_id', '=', accountId).execute()
  return rows.map(({ id }) => id)
}
const newDomain = async (name: string, plan = 'unlimited') => {
  const { id: accountId } = await plantAccount(database, { plan })
  return { accountId, domainId: (await plantDomain(database, { accountId, name })).id }
}

describe('a local part', () => {
  test('is a dot-atom without + and *, in lower case', () => {
    for (const [given, localPart] of [
      ['Ann.Smith', 'ann.smith'],
      ['a', 'a'],
      ["o'neil-x_1", "o'neil-x_1"],
      ['x'.repeat(64), 'x'.repeat(64)],
    ] as const)
      assert.deepEqual(parseLocalPart(given), { localPart })
    for (const given of [
      '',
      '.a',
      'a.',
      'a..b',
      'a b',
      'a+b',
      'a*',
      'a@b',
      '"a"',
      'x'.repeat(65),
      'a\0',
      'a\n',
      '\u00e9ric',
      '\u212aim',
    ])
      assert.deepEqual(parseLocalPart(given), { problem: 'malformed' }, JSON.stringify(given))
  })

  test('is reserved when the service itself needs it', () => {
    for (const given of ['mailer-daemon', 'MAILER-DAEMON', 'srs0', 'SRS0=x', 'srs1anything', 'b.token', 'B.x'])
      assert.deepEqual(parseLocalPart(given), { problem: 'reserved' }, given)
    for (const given of ['mailer-daemon2', 'srs2', 'bob', 'b-x', 'postmaster', 'abuse'])
      assert.ok('localPart' in parseLocalPart(given), given)
  })

  test('of an alias may stand at another domain, may have a detail, and is a pattern with one *', () => {
    assert.deepEqual(parseAlias('Office', 'own.test'), { domain: 'own.test', localPart: 'office', kind: 'alias' })
    assert.deepEqual(parseAlias('x@B\u00fccher.test', 'own.test'), {
      domain: 'xn--bcher-kva.test',
      localPart: 'x',
      kind: 'alias',
    })
    assert.deepEqual(parseAlias('Sales-*', 'own.test'), { domain: 'own.test', localPart: 'sales-*', kind: 'pattern' })
    assert.deepEqual(parseAlias('a+b', 'own.test'), { domain: 'own.test', localPart: 'a+b', kind: 'alias' })
    for (const given of ['*', '**', 'a*b*', 'a+*', '+a', '', '@own.test', 'a@', 'a@b@c', 'a b', 'a@not a domain'])
      assert.deepEqual(parseAlias(given, 'own.test'), { problem: 'malformed' }, given)
    for (const given of ['b.*', 'srs0*', 'b.x@own.test', 'mailer-daemon'])
      assert.deepEqual(parseAlias(given, 'own.test'), { problem: 'reserved' }, given)
  })
})

describe('a new address', () => {
  test('has its settings, its names and an empty mailbox with seven folders', async () => {
    const of = await newDomain('new.test')
    const address = await create(of, 'Ann', {
      name: 'Ann Smith',
      quotaBytes: 1_000,
      aliases: ['office', 'OFFICE', 'shop-*'],
      forwardTo: ['Me@Elsewhere.test', 'me@elsewhere.test'],
      keepCopy: false,
      recoveryEmail: 'Ann@Elsewhere.test',
    })
    assert.deepEqual(await findAddress(database.db, of.accountId, address.id), address)
    const { email, local_part, name, quota_bytes, forward_to, keep_copy, recovery_email, enabled } = address
    assert.deepEqual(
      { email, local_part, name, quota_bytes, forward_to, keep_copy, recovery_email, enabled },
      {
        email: 'ann@new.test',
        local_part: 'ann',
        name: 'Ann Smith',
        quota_bytes: 1_000,
        forward_to: ['me@elsewhere.test'],
        keep_copy: false,
        recovery_email: 'ann@elsewhere.test',
        enabled: true,
      },
    )
    assert.equal('password_hash' in address, false)
    assert.deepEqual(await listAliases(database.db, address.id), ['office@new.test', 'shop-*@new.test'])
    const folders = await database.db.selectFrom('folder').select('role').where('address_id', '=', address.id).execute()
    assert.deepEqual(folders.map(({ role }) => role).sort(), [
      'archive',
      'drafts',
      'inbox',
      'junk',
      'sent',
      'snoozed',
      'trash',
    ])
  })

  test('is refused with what is wrong, and leaves nothing behind', async () => {
    const of = await newDomain('refused.test')
    const refused: [string, Partial<NewAddress>, string][] = [
      ['a+b', {}, 'validation_error'],
      ['mailer-daemon', {}, 'validation_error'],
      ['ok', { aliases: ['fine', 'not fine'] }, 'validation_error'],
      ['ok', { aliases: ['fine', 'x@elsewhere.test'] }, 'validation_error'],
      ['ok', { forwardTo: ['nobody'] }, 'validation_error'],
      ['ok', { forwardTo: Array.from({ length: 21 }, (_, n) => `f${n}@a.test`) }, 'validation_error'],
      ['ok', { recoveryEmail: 'OK@refused.test' }, 'validation_error'],
      ['ok', { aliases: ['ok'] }, 'conflict'],
      ['ok', { domainId: crypto.randomUUID() }, 'not_found'],
      ['ok', { accountId: crypto.randomUUID() }, 'not_found'],
    ]
    for (const [localPart, more, code] of refused)
      await assert.rejects(create(of, localPart, more), { code }, `${localPart} ${JSON.stringify(more)}`)
    assert.deepEqual(await idsIn(of.accountId), [])
    const names = await database.db
      .selectFrom('address_name')
      .select('local_part')
      .where('domain_id', '=', of.domainId)
      .execute()
    assert.deepEqual(names, [])
  })

  test('shares one set of names with the aliases', async () => {
    const of = await newDomain('names.test')
    const first = await create(of, 'first', { aliases: ['nick', 'team-*'] })
    for (const [localPart, aliases] of [
      ['first', []],
      ['nick', []],
      ['other', ['first']],
      ['other', ['nick']],
      ['other', ['team-*']],
    ] as const)
      await assert.rejects(create(of, localPart, { aliases: [...aliases] }), { code: 'conflict' }, localPart)
    const other = await create(of, 'other')
    await assert.rejects(update({ ...of, id: other.id }, { aliases: ['free', 'nick'] }), { code: 'conflict' })
    assert.deepEqual(await listAliases(database.db, other.id), [])
    await update({ ...of, id: first.id }, { aliases: [] })
    await update({ ...of, id: other.id }, { aliases: ['free', 'nick'] })
    assert.deepEqual(await listAliases(database.db, other.id), ['free@names.test', 'nick@names.test'])
    // Its own alias may be given again, and become an address of its own.
    await update({ ...of, id: other.id }, { aliases: ['nick'] })
    await create(of, 'free')
  })

  test('goes to one of many that ask for the name at once, as address or as alias', async () => {
    const of = await newDomain('race.test')
    const results = await Promise.allSettled([
      ...Array.from({ length: 6 }, () => create(of, 'same')),
      ...Array.from({ length: 6 }, (_, n) => create(of, `other${n}`, { aliases: ['same'] })),
    ])
    const winners = results.filter(({ status }) => status === 'fulfilled')
    assert.equal(winners.length, 1)
    for (const result of results) if (result.status === 'rejected') assert.equal(result.reason.code, 'conflict')
    assert.equal((await idsIn(of.accountId)).length, 1)
    const names = await database.db.selectFrom('address_name').select('kind').where('local_part', '=', 'same').execute()
    assert.equal(names.length, 1)
  })

  test('is refused over the limit of the plan, exactly, when a dozen are made at once', async () => {
    const of = await newDomain('dozen.test', 'free')
    const results = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => create(of, `a${n}`)))
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 3)
    for (const result of results) if (result.status === 'rejected') assert.equal(result.reason.code, 'quota_exceeded')
    const [first = '', ...others] = await idsIn(of.accountId)
    assert.equal(others.length, 2)
    await database.tx((tx) => deleteAddress(tx, { accountId: of.accountId, addressId: first, now: NOW }))
    await create(of, 'again')
    await assert.rejects(create(of, 'more'), { code: 'quota_exceeded' })
  })

  test('has as many aliases as the plan allows', async () => {
    const of = await newDomain('aliases.test', 'free')
    await assert.rejects(create(of, 'a', { aliases: ['1', '2', '3', '4'] }), { code: 'quota_exceeded' })
    const { id } = await create(of, 'a', { aliases: ['1', '2', '3'] })
    await assert.rejects(update({ ...of, id }, { aliases: ['1', '2', '3', '4'] }), { code: 'quota_exceeded' })
    assert.equal((await listAliases(database.db, id)).length, 3)
    const many = await newDomain('many-aliases.test')
    const kept = await create(many, 'kept', { aliases: ['1', '2', '3', '4', '5'] })
    await database.tx((tx) =>
      tx.updateTable('account').set({ plan: 'free' }).where('id', '=', many.accountId).execute(),
    )
    await assert.rejects(update({ ...many, id: kept.id }, { aliases: ['1', '2', '3', '4', '5', '6'] }), {
      code: 'quota_exceeded',
    })
    assert.equal((await listAliases(database.db, kept.id)).length, 5)
    for (const aliases of [
      ['1', '2', '3', '4', 'other'],
      ['1', '2', '3', '4'],
    ]) {
      await update({ ...many, id: kept.id }, { aliases })
      assert.equal((await listAliases(database.db, kept.id)).length, aliases.length)
    }
    await database.tx((tx) =>
      tx.updateTable('account').set({ plan: 'unlimited' }).where('id', '=', many.accountId).execute(),
    )
    await assert.rejects(create(many, 'a', { aliases: Array.from({ length: 1_001 }, (_, n) => `x${n}`) }), {
      code: 'quota_exceeded',
    })
  })
})

describe('an address', () => {
  test('keeps what a change does not name', async () => {
    const address = await plantAddress(database, 'me@change.test', {
      name: 'Me',
      quotaBytes: 5,
      forwardTo: ['a@b.test'],
      aliases: ['nick'],
    })
    const changed = await update(address, {
      name: null,
      sendEnabled: false,
      spamThreshold: 7.5,
      requireAppPassword: true,
    })
    const { accountId: _account, domainId: _domain, ...stored } = address
    assert.deepEqual(changed, {
      ...stored,
      name: null,
      send_enabled: false,
      spam_threshold: 7.5,
      require_app_password: true,
      updated_at: NOW,
    })
    assert.deepEqual(await listAliases(database.db, address.id), ['nick@change.test'])
    assert.equal((await update(address, { quotaBytes: null })).quota_bytes, null)
  })

  test('of another account is not found by any operation, and not changed', async () => {
    const address = await plantAddress(database, 'me@tenant.test')
    const { id: accountId } = await plantAccount(database)
    const target = { accountId, addressId: address.id, now: NOW }
    const attempts = [
      () => database.tx((tx) => updateAddress(tx, { ...target, change: { name: 'taken' } })),
      () => database.tx((tx) => deleteAddress(tx, target)),
      () => database.tx((tx) => changeAddressPassword(tx, { ...target, passwordHash: 'x' })),
      () => database.tx((tx) => setRecoveryEmail(tx, { ...target, recoveryEmail: null })),
      () => database.tx((tx) => createAppPassword(tx, { ...target, name: 'phone' })),
    ]
    const before = await row(address.id)
    for (const attempt of attempts) await assert.rejects(attempt(), { code: 'not_found' })
    assert.deepEqual(await row(address.id), before)
    assert.deepEqual(await listAppPasswords(database.db, address.id), [])
  })

  test('that is deleted is not found by any operation, and deleted once', async () => {
    const address = await plantAddress(database, 'me@twice.test')
    const target = { accountId: address.accountId, addressId: address.id, now: NOW }
    await database.tx((tx) => deleteAddress(tx, target))
    await assert.rejects(
      database.tx((tx) => deleteAddress(tx, target)),
      { code: 'not_found' },
    )
    await assert.rejects(update(address, { name: 'x' }), { code: 'not_found' })
    assert.equal(await findAddress(database.db, address.accountId, address.id), undefined)
    assert.deepEqual((await row(address.id)).deleted_at, NOW)
  })

  test('has a recovery address that is another one', async () => {
    const address = await plantAddress(database, 'me@recovery.test')
    const set = (recoveryEmail: string | null) =>
      database.tx((tx) =>
        setRecoveryEmail(tx, { accountId: address.accountId, addressId: address.id, recoveryEmail, now: NOW }),
      )
    assert.equal((await set('Other@Elsewhere.test')).recovery_email, 'other@elsewhere.test')
    for (const bad of ['ME@recovery.test', 'nobody', '']) await assert.rejects(set(bad), { code: 'validation_error' })
    assert.equal((await row(address.id)).recovery_email, 'other@elsewhere.test')
    assert.equal((await set(null)).recovery_email, null)
  })

  test('takes a good password only', async () => {
    for (const bad of ['short', 'x'.repeat(1025), 'password', '\ud800'.repeat(10)])
      await assert.rejects(hashAddressPassword(bad), { code: 'validation_error' }, bad.slice(0, 10))
    assert.match(await hashAddressPassword('a fine pass phrase'), /^\$argon2id\$/)
  })
})

const row = (id: string) => database.db.selectFrom('address').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
