import assert from 'node:assert/strict'
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Database, openDatabase } from '@stoa/kit/db/database.ts'
import { type Bus, openBus } from '@stoa/kit/events/bus.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { type MailDatabase, openMailDatabase } from '../../hosting/addresses/testing/database.ts'
import { plantAccount, plantAddress, plantDomain, testHosting } from '../../hosting/addresses/testing/hosting.ts'
import { activateKey, generateDomainKeys, type KeyPair, signingKeyOf } from '../../hosting/domains/dkim-keys.ts'
import { createHosting } from '../../hosting/domains/hosting.ts'
import { findLocalDomain } from '../../hosting/domains/local.ts'
import { isRegistrable, needsNoProof, parseDomainName } from '../../hosting/domains/names.ts'
import { findDomain, listDomains, listKeys } from '../../hosting/domains/queries.ts'
import type { Tables } from '../../tables.ts'
import {
  CLAIM_MS,
  createDomain,
  type DomainUpdate,
  deleteDomain,
  type NewDomain,
  updateDomain,
  verifyDomain,
} from './operations.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')
const later = (ms: number): Date => new Date(NOW.getTime() + ms)
const log = createLogger({ name: 'test', level: 'silent' })

let ground: MailDatabase
let database: Database<Tables>
let keys: readonly [KeyPair, KeyPair]
before(async () => {
  ground = await openMailDatabase({ poolSize: 10 })
  database = ground.database
  keys = await generateDomainKeys()
})
after(() => ground.close())

const create = (input: Omit<NewDomain, 'keys' | 'now'> & { now?: Date }, hosting = testHosting()) =>
  database.tx((tx) => createDomain(tx, hosting, { now: NOW, keys, ...input }))
const update = (accountId: string, domainId: string, change: Parameters<typeof updateDomain>[1]['change']) =>
  database.tx((tx) => updateDomain(tx, { accountId, domainId, change, now: NOW }))

describe('the name of a domain', () => {
  test('has one spelling', () => {
    assert.equal(parseDomainName('B\u00fccher.Example.'), 'xn--bcher-kva.example')
    assert.equal(parseDomainName(' Example.COM '), 'example.com')
    assert.equal(parseDomainName('stra\u00dfe.test'), 'xn--strae-oqa.test')
    const refused = [
      '',
      'com',
      'a_b.test',
      '-a.test',
      'a-.test',
      '1.2.3.4',
      'a..test',
      '[::1]',
      'a b.test',
      'a@b.test',
      'a/b.test',
    ]
    refused.push(
      `${'x'.repeat(64)}.test`,
      `${'long.'.repeat(60)}test`,
      'a.test\0',
      'a.test\n.b',
      'ex%41mple.com',
      'a.123',
    )
    for (const name of refused) assert.equal(parseDomainName(name), null, JSON.stringify(name))
  })

  test('can be owned below a public suffix only', () => {
    for (const name of ['com', 'co.uk', 'github.io', 'test']) assert.equal(isRegistrable(name), false, name)
    for (const name of ['example.com', 'mail.example.co.uk', 'me.github.io', 'example.test'])
      assert.equal(isRegistrable(name), true, name)
  })

  test('needs no proof where nobody can own it', () => {
    for (const name of ['a.test', 'b.localhost', 'c.d.example']) assert.equal(needsNoProof(name), true, name)
    for (const name of ['a.com', 'test.com', 'example.org']) assert.equal(needsNoProof(name), false, name)
  })
})

describe('a new domain', () => {
  test('has two RSA keys, of which the first signs, and a token that proves who owns it', async () => {
    const { id: accountId } = await plantAccount(database)
    const { domain, displaced } = await create({ accountId, name: 'B\u00fccher.com' })
    assert.deepEqual([domain.name, domain.verified_at, displaced], ['xn--bcher-kva.com', null, null])
    assert.match(domain.ownership_token, /^[\w-]{43}$/)
    const listed = await listKeys(database.db, domain.id)
    assert.deepEqual(
      listed.map(({ selector, algorithm, key_bits, active }) => [selector, algorithm, key_bits, active]),
      [
        ['s1', 'rsa-sha256', 2048, true],
        ['s2', 'rsa-sha256', 2048, false],
      ],
    )
    assert.notEqual(listed[0]?.public_key, listed[1]?.public_key)
    const stored = await database.db.selectFrom('dkim_key').selectAll().where('domain_id', '=', domain.id).execute()
    for (const row of stored) assert.match(row.sealed_private_key, /^v1\./)
  })

  test('counts as verified under a reserved name outside production only', async () => {
    const { id: accountId } = await plantAccount(database)
    const production = createHosting({
      hostname: 'mx.test',
      secret: new Secret('s'.repeat(32)),
      environment: 'production',
    })
    assert.deepEqual((await create({ accountId, name: 'free.test' })).domain.verified_at, NOW)
    assert.equal((await create({ accountId, name: 'paid.com' })).domain.verified_at, null)
    assert.equal((await create({ accountId, name: 'strict.test' }, production)).domain.verified_at, null)
  })

  test('is refused as a public suffix, as no name, and for an unknown account', async () => {
    const { id: accountId } = await plantAccount(database)
    for (const name of ['co.uk', 'localhost', 'not a name'])
      await assert.rejects(create({ accountId, name }), { code: 'validation_error' }, name)
    await assert.rejects(create({ accountId: crypto.randomUUID(), name: 'lost.test' }), { code: 'not_found' })
    assert.deepEqual(await listDomains(database.db, accountId), [])
  })

  test('is refused while another account verified it or claimed it within 72 hours, without a word about who', async () => {
    const [one, two] = [await plantAccount(database), await plantAccount(database)]
    const { domain } = await create({ accountId: one.id, name: 'claimed.com' })
    const again = (accountId: string, now: Date) => create({ accountId, name: 'Claimed.COM', now })
    const conflict = { code: 'conflict', message: 'This `name` is already taken.' }
    await assert.rejects(again(two.id, later(CLAIM_MS - 1)), conflict)
    await assert.rejects(again(one.id, later(CLAIM_MS)), conflict)
    await database.tx((tx) => verifyDomain(tx, { accountId: one.id, domainId: domain.id, now: NOW }))
    await assert.rejects(again(two.id, later(100 * CLAIM_MS)), conflict)
    assert.equal((await findLocalDomain(database.db, 'claimed.com'))?.accountId, one.id)
  })

  test('takes the place of an old unproved claim, with all that was under it', async () => {
    const [one, two] = [await plantAccount(database), await plantAccount(database)]
    const old = (await create({ accountId: one.id, name: 'stale.com' })).domain
    const address = await plantAddress(database, 'me@stale.com', { accountId: one.id })
    const { domain, displaced } = await create({ accountId: two.id, name: 'stale.com', now: later(CLAIM_MS) })
    assert.deepEqual(displaced, { accountId: one.id, domainId: old.id })
    assert.equal(await findDomain(database.db, one.id, old.id), undefined)
    const gone = await database.db
      .selectFrom('address')
      .select('deleted_at')
      .where('id', '=', address.id)
      .executeTakeFirstOrThrow()
    assert.notEqual(gone.deleted_at, null)
    const again = await plantAddress(database, 'me@stale.com', { accountId: two.id })
    assert.equal(again.domainId, domain.id)
  })

  test('goes to one of many that ask at once', async () => {
    const accounts = await Promise.all(Array.from({ length: 8 }, () => plantAccount(database)))
    const results = await Promise.allSettled(accounts.map(({ id }) => create({ accountId: id, name: 'race.com' })))
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const result of results) if (result.status === 'rejected') assert.equal(result.reason.code, 'conflict')
    const rows = await database.db.selectFrom('domain').select('id').where('name', '=', 'race.com').execute()
    assert.equal(rows.length, 1)
  })

  test('is refused over the limit of the plan, exactly, also when many are made at once', async () => {
    const { id: accountId } = await plantAccount(database, { plan: 'starter' })
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) => create({ accountId, name: `limit-${n}.test` })),
    )
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 3)
    for (const result of results) if (result.status === 'rejected') assert.equal(result.reason.code, 'quota_exceeded')
    const [first] = await listDomains(database.db, accountId)
    assert.equal((await listDomains(database.db, accountId)).length, 3)
    await database.tx((tx) => deleteDomain(tx, { accountId, domainId: first?.id ?? '', now: NOW }))
    await create({ accountId, name: 'limit-again.test' })
  })
})

describe('a domain', () => {
  test('is local once it is verified, in any spelling, and until it is deleted', async () => {
    const { id: accountId } = await plantAccount(database)
    const { domain } = await create({ accountId, name: 'local-b\u00fccher.com' })
    const find = (name: string) => findLocalDomain(database.db, name)
    assert.equal(await find(domain.name), null)
    await database.tx((tx) => verifyDomain(tx, { accountId, domainId: domain.id, now: NOW }))
    const expected = { id: domain.id, accountId, name: domain.name, verifiedAt: NOW }
    assert.deepEqual(await find('Local-B\u00dcCHER.com.'), expected)
    // Later proofs do not move the first one.
    await database.tx((tx) => verifyDomain(tx, { accountId, domainId: domain.id, now: later(1_000) }))
    assert.deepEqual(await find(domain.name), expected)
    assert.equal(await find('not a name'), null)
    await database.tx((tx) => deleteDomain(tx, { accountId, domainId: domain.id, now: NOW }))
    assert.equal(await find(domain.name), null)
  })

  test('of another account is not found by any operation', async () => {
    const [one, two] = [await plantAccount(database), await plantAccount(database)]
    const domain = await plantDomain(database, { accountId: one.id, name: 'private.test' })
    const [key] = await listKeys(database.db, domain.id)
    const target = { accountId: two.id, domainId: domain.id, now: NOW }
    const attempts = [
      () => database.tx((tx) => deleteDomain(tx, target)),
      () => database.tx((tx) => verifyDomain(tx, target)),
      () => database.tx((tx) => activateKey(tx, { ...target, keyId: key?.id ?? '' })),
      () => update(two.id, domain.id, { note: 'mine now' }),
    ]
    for (const attempt of attempts) await assert.rejects(attempt(), { code: 'not_found' })
    assert.deepEqual(await findDomain(database.db, one.id, domain.id), domain)
  })

  test('falls back to another domain of the account, one step and never in a circle', async () => {
    const { id: accountId } = await plantAccount(database)
    const make = async (name: string) => (await create({ accountId, name })).domain.id
    const [a, b, c] = [await make('fa.test'), await make('fb.test'), await make('fc.test')]
    const foreign = await plantDomain(database, { accountId: (await plantAccount(database)).id, name: 'foreign.test' })
    await assert.rejects(update(accountId, a, { fallback_domain_id: a }), { code: 'validation_error' })
    await assert.rejects(update(accountId, a, { fallback_domain_id: foreign.id }), { code: 'not_found' })
    await update(accountId, a, { fallback_domain_id: b })
    await assert.rejects(update(accountId, b, { fallback_domain_id: c }), { code: 'validation_error' })
    await assert.rejects(update(accountId, b, { fallback_domain_id: a }), { code: 'validation_error' })
    await assert.rejects(update(accountId, c, { fallback_domain_id: a }), { code: 'validation_error' })
    await update(accountId, a, { fallback_domain_id: null })
    // Two at once cannot make a circle either.
    const results = await Promise.allSettled([
      update(accountId, a, { fallback_domain_id: b }),
      update(accountId, b, { fallback_domain_id: a }),
    ])
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  })

  test('has a catch-all of the own account, if the plan includes one', async () => {
    const free = await plantAccount(database, { plan: 'free' })
    const mine = await plantAddress(database, 'me@catch-free.test', { accountId: free.id })
    const unlimited = await plantAddress(database, 'me@catch.test')
    const setCatchAll = (of: { accountId: string; domainId: string }, id: string) =>
      update(of.accountId, of.domainId, { catch_all_address_id: id })
    await assert.rejects(setCatchAll(mine, mine.id), { code: 'plan_required' })
    await assert.rejects(setCatchAll(unlimited, mine.id), { code: 'not_found' })
    assert.equal((await setCatchAll(unlimited, unlimited.id)).catch_all_address_id, unlimited.id)
  })

  test('has its mail tracked if the plan includes it; switching it off is always possible', async () => {
    const free = await plantAccount(database, { plan: 'starter' })
    const mine = await plantAddress(database, 'me@track-free.test', { accountId: free.id })
    const unlimited = await plantAddress(database, 'me@track.test')
    const track = (of: { accountId: string; domainId: string }, change: DomainUpdate) =>
      update(of.accountId, of.domainId, change)
    for (const change of [{ open_tracking: true }, { click_tracking: true, note: 'changed' }])
      await assert.rejects(track(mine, change), { code: 'plan_required' })
    const off = await track(mine, { open_tracking: false, click_tracking: false })
    assert.deepEqual([off.open_tracking, off.click_tracking, off.note], [false, false, null])
    const on = await track(unlimited, { open_tracking: true, click_tracking: true })
    assert.deepEqual([on.open_tracking, on.click_tracking], [true, true])
  })

  test('keeps after a downgrade what the plan does not include any more, until it is switched off', async () => {
    const { accountId, domainId, id } = await plantAddress(database, 'me@downgraded.test')
    const other = await plantAddress(database, 'you@fallback.test', { accountId })
    const before = await update(accountId, domainId, {
      catch_all_address_id: id,
      fallback_domain_id: other.domainId,
      open_tracking: true,
    })
    await database.tx((tx) => tx.updateTable('account').set({ plan: 'free' }).where('id', '=', accountId).execute())
    const same = { catch_all_address_id: id, fallback_domain_id: other.domainId, open_tracking: true, note: 'new' }
    const kept = await update(accountId, domainId, same)
    assert.deepEqual({ ...kept, note: before.note, updated_at: before.updated_at }, before)
    for (const change of [{ catch_all_address_id: other.id }, { click_tracking: true }])
      await assert.rejects(update(accountId, domainId, change), { code: 'plan_required' })
    await update(accountId, domainId, { catch_all_address_id: null })
    await assert.rejects(update(accountId, domainId, { catch_all_address_id: id }), { code: 'plan_required' })
  })

  test('that is deleted takes its addresses, aliases and fallbacks with it in one moment', async () => {
    const account = await plantAccount(database)
    const gone = await plantAddress(database, 'me@going.test', { accountId: account.id })
    const staying = await plantAddress(database, 'me@staying.test', {
      accountId: account.id,
      aliases: ['other@going.test'],
    })
    await update(account.id, staying.domainId, { fallback_domain_id: gone.domainId })
    const events: string[] = []
    database.onCommit({
      after: (changes) => void events.push(...changes.map(({ topic, event }) => `${topic} ${event}`)),
    })
    await database.tx((tx) => deleteDomain(tx, { accountId: account.id, domainId: gone.domainId, now: NOW }))
    assert.deepEqual(events, ['address deleted', 'domain deleted'])
    assert.equal((await findDomain(database.db, account.id, staying.domainId))?.fallback_domain_id, null)
    const names = await database.db
      .selectFrom('address_name')
      .select(['local_part', 'domain_id'])
      .where('address_id', 'in', [gone.id, staying.id])
      .execute()
    assert.deepEqual(names, [{ local_part: 'me', domain_id: staying.domainId }])
    await assert.rejects(
      database.tx((tx) => deleteDomain(tx, { accountId: account.id, domainId: gone.domainId, now: NOW })),
      { code: 'not_found' },
    )
  })
})

describe('the signing key', () => {
  test('is the active one of a verified domain, and opens with the secret that sealed it', async () => {
    const { id: accountId } = await plantAccount(database)
    const { domain } = await create({ accountId, name: 'signs.com' })
    const hosting = testHosting()
    assert.equal(await signingKeyOf(database.db, hosting, domain.id), null)
    await database.tx((tx) => verifyDomain(tx, { accountId, domainId: domain.id, now: NOW }))
    const key = await signingKeyOf(database.db, hosting, domain.id)
    assert.deepEqual([key?.domain, key?.selector, key?.algorithm], ['signs.com', 's1', 'rsa-sha256'])
    const publicKey = createPublicKey(createPrivateKey(key?.privateKeyPem ?? ''))
    const [first] = await listKeys(database.db, domain.id)
    assert.equal(publicKey.export({ type: 'spki', format: 'der' }).toString('base64'), first?.public_key)
    const other = createHosting({ hostname: 'x.test', secret: new Secret('another'), environment: 'test' })
    await assert.rejects(signingKeyOf(database.db, other, domain.id), /sealed value/)
    assert.equal(await signingKeyOf(database.db, hosting, crypto.randomUUID()), null)
  })

  test('is switched at once, once only, and one of two at a time is active', async () => {
    const { id: accountId } = await plantAccount(database)
    const domain = await plantDomain(database, { accountId, name: 'switch.test' })
    const all = await listKeys(database.db, domain.id)
    const activate = (keyId: string) =>
      database.tx((tx) => activateKey(tx, { accountId, domainId: domain.id, keyId, now: NOW }))
    const second = all[1]?.id ?? ''
    assert.deepEqual((await activate(second)).activated_at, NOW)
    assert.equal((await activate(second)).active, true)
    assert.equal((await signingKeyOf(database.db, testHosting(), domain.id))?.selector, 's2')
    await Promise.all(Array.from({ length: 10 }, (_, n) => activate(all[n % 2]?.id ?? '')))
    assert.equal((await listKeys(database.db, domain.id)).filter(({ active }) => active).length, 1)
    await assert.rejects(activate(crypto.randomUUID()), { code: 'not_found' })
  })

  test('is kept in memory until a process publishes that something changed', async () => {
    const buses: Bus[] = []
    const second = openDatabase<Tables>({ url: ground.url, poolSize: 2, log })
    const hostings = [database, second].map((of) => {
      const bus = openBus(of, { log })
      buses.push(bus)
      return createHosting(
        {
          hostname: 'x.test',
          secret: new Secret('a secret of the tests, long enough for anyone'),
          environment: 'test',
        },
        bus,
      )
    })
    await Promise.all(buses.map((bus) => bus.ready()))
    const { id: accountId } = await plantAccount(database)
    const domain = await plantDomain(database, { accountId, name: 'kept.test' })
    const selectors = () =>
      Promise.all(
        hostings.map(
          async (hosting, n) =>
            (await signingKeyOf([database, second][n]?.db ?? database.db, hosting, domain.id))?.selector,
        ),
      )
    assert.deepEqual(await selectors(), ['s1', 's1'])
    const watch = database.watchStatements()
    await selectors()
    watch.stop()
    assert.deepEqual(watch.texts, [])
    const keyId = (await listKeys(database.db, domain.id))[1]?.id ?? ''
    await database.tx((tx) => activateKey(tx, { accountId, domainId: domain.id, keyId, now: NOW }))
    const started = performance.now()
    while ((await selectors()).join() !== 's2,s2') assert.ok(performance.now() - started < 15_000)
    for (const hosting of hostings) hosting.close()
    for (const bus of buses) await bus.close()
    await second.close()
  })
})
