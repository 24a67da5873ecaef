import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Database } from '@stoa/kit/db/database.ts'
import { deleteDomain, updateDomain } from '../../panel/domains/operations.ts'
import type { Tables } from '../../tables.ts'
import { deleteAddress, updateAddress } from './operations.ts'
import { mayWriteAs, type Route, resolveRecipient } from './routing.ts'
import { type MailDatabase, openMailDatabase } from './testing/database.ts'
import { HOSTNAME, plantAccount, plantAddress, plantDomain } from './testing/hosting.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')

let ground: MailDatabase
let database: Database<Tables>

before(async () => {
  ground = await openMailDatabase()
  database = ground.database
})
after(() => ground.close())

const route = (recipient: string): Promise<Route> => resolveRecipient(database.db, { hostname: HOSTNAME }, recipient)
/** The mailbox and how it was reached, or the kind of route. */
const brief = async (recipient: string): Promise<string> => {
  const found = await route(recipient)
  if (found.kind !== 'mailbox') return found.kind
  return `${found.email} via ${found.via}${found.detail === null ? '' : ` +${found.detail}`}`
}
const setDomain = (accountId: string, domainId: string, change: Parameters<typeof updateDomain>[1]['change']) =>
  database.tx((tx) => updateDomain(tx, { accountId, domainId, change, now: NOW }))

describe('a recipient', () => {
  test('is found in any spelling of the address, and its detail is returned', async () => {
    const { id, accountId, domainId } = await plantAddress(database, 'ann@spelling.test')
    assert.deepEqual(await route('Ann+Shop@SPELLING.test'), {
      kind: 'mailbox',
      addressId: id,
      accountId,
      domainId,
      email: 'ann@spelling.test',
      detail: 'Shop',
      via: 'address',
    })
    for (const spelling of [
      'ann@spelling.test',
      'ANN@spelling.TEST',
      '"ann"@spelling.test',
      '"a\\nn"@spelling.test',
      'ann@spelling.test.',
    ])
      assert.equal(await brief(spelling), 'ann@spelling.test via address', spelling)
  })

  test('at an internationalised domain is found under both names of it', async () => {
    await plantAddress(database, 'eva@b\u00fccher.test')
    assert.equal(await brief('eva@B\u00dcCHER.test'), 'eva@xn--bcher-kva.test via address')
    assert.equal(await brief('eva@xn--bcher-kva.test'), 'eva@xn--bcher-kva.test via address')
  })

  test('with a letter that only looks like ASCII in lower case is somebody else', async () => {
    await plantAddress(database, 'kim@kelvin.test')
    assert.equal(await brief('\u212aim@kelvin.test'), 'unknown')
  })

  test('goes to address, alias, the longest pattern, catch-all and fallback in this order', async () => {
    const main = await plantAddress(database, 'main@order.test', {
      aliases: ['office', 'sales-*', 'sales-eu-*', '*-info'],
    })
    const { accountId } = main
    await plantAddress(database, 'sales-eu-anna@order.test', { accountId })
    const rest = await plantAddress(database, 'rest@order.test', { accountId })
    const other = await plantAddress(database, 'only@fallback.test', {
      accountId,
      aliases: ['office@order.test'].slice(1),
    })
    const expect = async (name: string, wanted: string) => assert.equal(await brief(`${name}@order.test`), wanted, name)

    await expect('main', 'main@order.test via address')
    await expect('office', 'main@order.test via alias')
    await expect('sales-eu-anna', 'sales-eu-anna@order.test via address')
    await expect('sales-eu-bob', 'main@order.test via pattern')
    await expect('sales-', 'main@order.test via pattern')
    await expect('press-info', 'main@order.test via pattern')
    await expect('sales', 'unknown')
    await expect('only', 'unknown')

    await setDomain(accountId, main.domainId, { fallback_domain_id: other.domainId })
    await expect('only', 'only@fallback.test via fallback')
    await expect('nobody', 'unknown')
    await setDomain(accountId, main.domainId, { catch_all_address_id: rest.id })
    await expect('only', 'rest@order.test via catch_all')
    await expect('main', 'main@order.test via address')
  })

  test('matches the pattern with the longest literal text, whoever it belongs to', async () => {
    const one = await plantAddress(database, 'one@patterns.test', { aliases: ['a*', '*_x', 'a%*'] })
    await plantAddress(database, 'two@patterns.test', { accountId: one.accountId, aliases: ['ab*', 'a*b'] })
    assert.equal(await brief('ac@patterns.test'), 'one@patterns.test via pattern')
    assert.equal(await brief('abc@patterns.test'), 'two@patterns.test via pattern')
    assert.equal(await brief('a-b@patterns.test'), 'two@patterns.test via pattern')
    // % and _ are letters here, not wildcards of the database.
    assert.equal(await brief('b_x@patterns.test'), 'one@patterns.test via pattern')
    assert.equal(await brief('b-x@patterns.test'), 'unknown')
    assert.equal(await brief('a%1@patterns.test'), 'one@patterns.test via pattern')
  })

  test('never overlaps a pattern with itself', async () => {
    await plantAddress(database, 'p@overlap.test', { aliases: ['aba*ba'] })
    assert.equal(await brief('aba@overlap.test'), 'unknown')
    assert.equal(await brief('ababa@overlap.test'), 'p@overlap.test via pattern')
  })

  test('with a detail goes to an alias of that whole name first, then to the name without it', async () => {
    const ann = await plantAddress(database, 'ann@detail.test', { aliases: ['team-*'] })
    await plantAddress(database, 'bob@detail.test', { accountId: ann.accountId, aliases: ['ann+news'] })
    assert.equal(await brief('ann+news@detail.test'), 'bob@detail.test via alias')
    assert.equal(await brief('ann+other@detail.test'), 'ann@detail.test via address +other')
    assert.equal(await brief('team-x+y@detail.test'), 'ann@detail.test via pattern +y')
    assert.equal(await brief('ann+@detail.test'), 'ann@detail.test via address +')
    assert.equal(await brief('+ann@detail.test'), 'unknown')
  })

  test('of an alias at another domain of the account reaches the mailbox', async () => {
    const account = await plantAccount(database)
    await plantDomain(database, { accountId: account.id, name: 'second.test' })
    await plantAddress(database, 'me@first.test', { accountId: account.id, aliases: ['hello@second.test'] })
    assert.equal(await brief('hello@second.test'), 'me@first.test via alias')
  })

  test('at a fallback domain may be an alias or its catch-all, and the chain ends there', async () => {
    const account = await plantAccount(database)
    const last = await plantAddress(database, 'real@last.test', { accountId: account.id, aliases: ['nick'] })
    const first = await plantDomain(database, { accountId: account.id, name: 'front.test' })
    await setDomain(account.id, first.id, { fallback_domain_id: last.domainId })
    assert.equal(await brief('nick@front.test'), 'real@last.test via fallback')
    assert.equal(await brief('nobody@front.test'), 'unknown')
    await setDomain(account.id, last.domainId, { catch_all_address_id: last.id })
    assert.equal(await brief('nobody@front.test'), 'real@last.test via fallback')
  })

  test('of a switched-off mailbox is unknown, also where a catch-all waits', async () => {
    const off = await plantAddress(database, 'off@disabled.test', { enabled: false })
    const rest = await plantAddress(database, 'rest@disabled.test', { accountId: off.accountId })
    await setDomain(off.accountId, off.domainId, { catch_all_address_id: rest.id })
    assert.equal(await brief('off@disabled.test'), 'unknown')
    assert.equal(await brief('else@disabled.test'), 'rest@disabled.test via catch_all')
  })

  test('of a deleted address or domain is gone at once, and the name is free', async () => {
    const gone = await plantAddress(database, 'gone@deleted.test', { aliases: ['alias'] })
    const { accountId, domainId } = gone
    await setDomain(accountId, domainId, { catch_all_address_id: gone.id })
    await database.tx((tx) => deleteAddress(tx, { accountId, addressId: gone.id, now: NOW }))
    assert.equal(await brief('gone@deleted.test'), 'unknown')
    assert.equal(await brief('alias@deleted.test'), 'unknown')
    assert.equal(await brief('any@deleted.test'), 'unknown')
    const again = await plantAddress(database, 'gone@deleted.test', { accountId })
    assert.notEqual(again.id, gone.id)
    await database.tx((tx) => deleteDomain(tx, { accountId, domainId, now: NOW }))
    assert.equal(await brief('gone@deleted.test'), 'foreign')
    const elsewhere = await plantAddress(database, 'gone@deleted.test')
    assert.notEqual(elsewhere.accountId, accountId)
    assert.equal(await brief('gone@deleted.test'), 'gone@deleted.test via address')
  })

  test('at a domain that nobody proved to own is foreign', async () => {
    const account = await plantAccount(database)
    await plantDomain(database, { accountId: account.id, name: 'unproved.test', isVerified: false })
    await plantAddress(database, 'me@unproved.test', { accountId: account.id })
    assert.equal(await brief('me@unproved.test'), 'foreign')
    assert.equal(await brief('me@elsewhere.test'), 'foreign')
  })

  test('that is no address is malformed', async () => {
    const bad = [
      '',
      '@',
      'ann',
      'ann@',
      '@spelling.test',
      'a b@spelling.test',
      'ann@[127.0.0.1]',
      '@a.test:ann@spelling.test',
    ]
    bad.push(
      'ann\0@spelling.test',
      'ann\r\n@spelling.test',
      'an..n@spelling.test',
      '""@spelling.test',
      'ann@spel ling.test',
    )
    bad.push(`${'x'.repeat(300)}@spelling.test`, 'ann@spelling.test\0', 'ann@127.0.0.1', '\ud800@spelling.test', 'a@b@')
    for (const recipient of bad) assert.equal(await brief(recipient), 'malformed', JSON.stringify(recipient))
  })

  test('with another address inside its local part stays at its own domain', async () => {
    await plantAddress(database, 'ann@relay.test')
    for (const trick of [
      'victim%elsewhere.test@relay.test',
      'elsewhere.test!victim@relay.test',
      '"victim@elsewhere.test"@relay.test',
    ])
      assert.equal(await brief(trick), 'unknown', trick)
  })
})

describe('postmaster and abuse', () => {
  test('reach an own address, else the catch-all, else the e-mail of the account, never the fallback', async () => {
    const account = await plantAccount(database, { email: 'boss@outside.test' })
    const ann = await plantAddress(database, 'ann@roles.test', { accountId: account.id })
    const other = await plantAddress(database, 'postmaster@roles-fallback.test', { accountId: account.id })
    await setDomain(account.id, ann.domainId, { fallback_domain_id: other.domainId })
    for (const name of ['postmaster', 'Abuse', 'POSTMASTER+x'])
      assert.deepEqual(await route(`${name}@roles.test`), {
        kind: 'outside',
        to: 'boss@outside.test',
        accountId: account.id,
      })
    await setDomain(account.id, ann.domainId, { catch_all_address_id: ann.id })
    assert.equal(await brief('abuse@roles.test'), 'ann@roles.test via catch_all')
    await plantAddress(database, 'abuse@roles.test', { accountId: account.id })
    assert.equal(await brief('abuse@roles.test'), 'abuse@roles.test via address')
    assert.equal(await brief('postmaster@roles.test'), 'ann@roles.test via catch_all')
  })

  test('reach the mailbox of an account whose e-mail is hosted here', async () => {
    const account = await plantAccount(database, { email: 'me@roles-inside.test' })
    const me = await plantAddress(database, 'me@roles-inside.test', { accountId: account.id })
    assert.deepEqual(await route('postmaster@roles-inside.test'), {
      kind: 'mailbox',
      addressId: me.id,
      accountId: account.id,
      domainId: me.domainId,
      email: me.email,
      detail: null,
      via: 'role',
    })
  })

  test('do not go round when the account gave postmaster as its own e-mail', async () => {
    const account = await plantAccount(database, { email: 'postmaster@roles-circle.test' })
    const domain = await plantDomain(database, { accountId: account.id, name: 'roles-circle.test' })
    assert.equal(await brief('postmaster@roles-circle.test'), 'unknown')
    await plantAddress(database, 'someone@roles-circle.test', { accountId: account.id })
    assert.equal(await brief('postmaster@roles-circle.test'), 'someone@roles-circle.test via role')
    assert.equal(domain.account_id, account.id)
  })

  test('of the service itself, and a bare postmaster, reach the owner of the instance', async () => {
    assert.equal(await brief('postmaster'), 'unknown')
    const owner = await plantAccount(database, { role: 'owner', email: 'owner@outside.test' })
    const expected = { kind: 'outside', to: 'owner@outside.test', accountId: owner.id }
    for (const name of ['postmaster', 'Postmaster', `postmaster@${HOSTNAME}`, `abuse@${HOSTNAME}`])
      assert.deepEqual(await route(name), expected, name)
  })
})

describe('the name of the service', () => {
  test('takes bounces, returned forwards and reports, and nothing else', async () => {
    assert.deepEqual(await route(`B.Tok3n@${HOSTNAME.toUpperCase()}`), { kind: 'bounce', token: 'tok3n' })
    const long = `SRS0=hash=tt=example.test=${'x'.repeat(90)}`
    assert.deepEqual(await route(`${long}@${HOSTNAME}`), { kind: 'srs', localPart: long })
    assert.deepEqual(await route(`srs1+abc=x=y@${HOSTNAME}`), { kind: 'srs', localPart: 'srs1+abc=x=y' })
    assert.deepEqual(await route(`dmarc-reports@${HOSTNAME}`), { kind: 'reports', type: 'dmarc' })
    assert.deepEqual(await route(`tls-reports+2026@${HOSTNAME}`), { kind: 'reports', type: 'tls' })
    for (const name of ['b.', 'srs0', 'root', 'mailer-daemon', 'reports'])
      assert.match(await brief(`${name}@${HOSTNAME}`), /unknown|malformed/, name)
  })

  test('means nothing at the domain of a customer', async () => {
    await plantAddress(database, 'ann@customer.test')
    for (const name of ['b.token', 'srs0=a=b=c=d', 'dmarc-reports'])
      assert.equal(await brief(`${name}@customer.test`), 'unknown', name)
  })

  test('may be a hosted domain too', async () => {
    await plantAddress(database, `ann@${HOSTNAME}`)
    assert.equal(await brief(`ann@${HOSTNAME}`), `ann@${HOSTNAME} via address`)
    assert.equal(await brief(`b.token@${HOSTNAME}`), 'bounce')
  })
})

describe('a route', () => {
  test('costs one statement, and no more than four for a role', async () => {
    await plantAddress(database, 'ann@cost.test', { aliases: ['a-*'] })
    const cost = async (recipient: string): Promise<number> => {
      const watch = database.watchStatements()
      await route(recipient)
      watch.stop()
      return watch.texts.length
    }
    for (const name of ['ann', 'ann+x', 'a-b', 'nobody']) assert.equal(await cost(`${name}@cost.test`), 1, name)
    assert.equal(await cost(`b.x@${HOSTNAME}`), 0)
    assert.ok((await cost('postmaster@cost.test')) <= 4)
  })
})

describe('a sender', () => {
  test('may write under the own address, aliases and patterns with any detail, and under nothing else', async () => {
    const ann = await plantAddress(database, 'ann@writes.test', { aliases: ['office', 'shop-*'] })
    const bob = await plantAddress(database, 'bob@writes.test', { accountId: ann.accountId, aliases: ['shop-bob'] })
    await setDomain(ann.accountId, ann.domainId, { catch_all_address_id: ann.id })
    const may = (id: string, email: string) => mayWriteAs(database.db, id, email)
    for (const own of [
      'ann@writes.test',
      'Ann@Writes.Test',
      'ann+any@writes.test',
      'office@writes.test',
      'office+x@writes.test',
      'shop-1@writes.test',
    ])
      assert.equal(await may(ann.id, own), true, own)
    const foreign = [
      'bob@writes.test',
      'shop-bob@writes.test',
      'bob+ann@writes.test',
      'nobody@writes.test',
      'ann@elsewhere.test',
    ]
    foreign.push('ann@writes.test\r\nBcc: x@y.test', 'postmaster', '', 'postmaster@writes.test', 'victim%x@writes.test')
    for (const email of foreign) assert.equal(await may(ann.id, email), false, email)
    assert.equal(await may(bob.id, 'shop-bob@writes.test'), true)
  })

  test('may not write under a fallback name, a deleted one, or while switched off', async () => {
    const account = await plantAccount(database)
    const ann = await plantAddress(database, 'ann@writes-back.test', { accountId: account.id, aliases: ['old'] })
    const front = await plantDomain(database, { accountId: account.id, name: 'writes-front.test' })
    await setDomain(account.id, front.id, { fallback_domain_id: ann.domainId })
    assert.equal(await brief('ann@writes-front.test'), 'ann@writes-back.test via fallback')
    assert.equal(await mayWriteAs(database.db, ann.id, 'ann@writes-front.test'), false)
    const update = (change: Parameters<typeof updateAddress>[1]['change']) =>
      database.tx((tx) => updateAddress(tx, { accountId: account.id, addressId: ann.id, change, now: NOW }))
    assert.equal(await mayWriteAs(database.db, ann.id, 'old@writes-back.test'), true)
    await update({ aliases: [] })
    assert.equal(await mayWriteAs(database.db, ann.id, 'old@writes-back.test'), false)
    await update({ enabled: false })
    assert.equal(await mayWriteAs(database.db, ann.id, 'ann@writes-back.test'), false)
  })
})
