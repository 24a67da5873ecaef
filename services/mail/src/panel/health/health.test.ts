import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type FakeDns, startFakeDns } from '@stoa/tests/lib/fake-dns.ts'
import { type MailAnswer, type MailClient, type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { findInstanceSettings } from '../../hosting/instance-settings/instance-settings.ts'
import { createResolver, resolveForMailauth } from '../../wire/dns/dns.ts'
import { judgeDomains } from './domain-check.ts'
import { checkDnsLists } from './list-check.ts'
import { checkBlocklists, checkHostNames, checkReverseDns } from './name-checks.ts'
import { judgeQueue } from './queue-check.ts'

const HOSTNAME = 'mx.harbour.test'
const IP = '203.0.114.7'
const LISTED = '7.114.0.203.zen.spamhaus.org'

let dns: FakeDns
let mail: MailService
let owner: MailClient
before(async () => {
  dns = await startFakeDns()
  mail = await startMail({ env: { DNS_RESOLVERS: dns.address, MAIL_HOSTNAME: HOSTNAME } })
  owner = (await mail.signUp()).client
})
after(async () => {
  await mail.close()
  await dns.close()
})

const PATH = '/api/instance/health'
const checkOf = ({ body }: MailAnswer, id: string) =>
  body.checks.find((check: { id: string }) => check.id === id) ?? assert.fail(`there is no check ${id}`)

describe('the health of the instance', () => {
  test('is what the last look found, each with what to do; a new look is made once a minute', async () => {
    const first = await owner.get(PATH)
    assert.equal(first.status, 200, first.text)
    assert.deepEqual([first.body.object, first.body.checked_at], ['health', mail.clock.now().toISOString()])
    assert.deepEqual(
      first.body.checks.map(({ id }: { id: string }) => id),
      ['ports', 'host_names', 'reverse_dns', 'blocklists', 'dns_lists', 'domains', 'certificate', 'queue'].concat([
        'jobs',
        'database',
        'clock',
        'disk',
        'backups',
      ]),
    )
    for (const check of first.body.checks) {
      assert.deepEqual(Object.keys(check), ['id', 'status', 'message', 'action', 'value'])
      assert.equal(check.action === null, check.status === 'ok', JSON.stringify(check))
    }
    // Clusters of tests lose what a crash loses.
    assert.deepEqual([first.body.status, checkOf(first, 'database').status], ['error', 'error'])
    assert.deepEqual([checkOf(first, 'host_names').status, checkOf(first, 'backups').status], ['error', 'warning'])
    assert.equal(checkOf(first, 'domains').message, 'No verified domains yet.')
    // What confirms the owner's email address.
    assert.equal(checkOf(first, 'queue').message, '1 message is waiting, the oldest for 0 hours.')

    dns.set(HOSTNAME, 'A', [IP])
    mail.clock.advance(1_000)
    assert.deepEqual((await owner.get(PATH)).body, first.body)
    const second = await owner.post(`${PATH}/check`, {})
    assert.equal(second.status, 200, second.text)
    assert.deepEqual(
      [second.body.checked_at, checkOf(second, 'host_names').status],
      [mail.clock.now().toISOString(), 'ok'],
    )
    assert.deepEqual((await owner.get(PATH)).body, second.body)
    mail.clock.advance(20_000)
    const early = await owner.post(`${PATH}/check`, {})
    assert.deepEqual(
      [early.status, early.body.name, early.headers.get('retry-after')],
      [429, 'rate_limit_exceeded', '40'],
    )
    mail.clock.advance(40_000)
    const both = await Promise.all([owner.post(`${PATH}/check`, {}), owner.post(`${PATH}/check`, {})])
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 429])
  })

  test('is the owner’s to see', async () => {
    const { client } = await mail.signUp()
    for (const answer of [await client.get(PATH), await client.post(`${PATH}/check`, {})])
      assert.deepEqual([answer.status, answer.body.name], [403, 'forbidden'])
    assert.equal((await mail.client().get(PATH)).status, 401)
  })
})

describe('the names of the server', () => {
  const config = { hostname: HOSTNAME, mxHosts: [HOSTNAME], relayUrl: null }
  const names = () => ({
    config,
    resolver: createResolver({ servers: [dns.address], clock: mail.clock, timeoutMs: 10_000 }),
  })

  test('have public addresses, which lead back to them', async () => {
    dns.set(HOSTNAME, 'A', ['10.0.0.1'])
    assert.equal((await checkHostNames(names())).status, 'error')
    assert.equal((await checkReverseDns(names())).status, 'warning')
    dns.set(HOSTNAME, 'A', [IP])
    dns.set('7.114.0.203.in-addr.arpa', 'PTR', ['somebody.else.test'])
    assert.equal((await checkHostNames(names())).status, 'ok')
    const wrong = await checkReverseDns(names())
    assert.deepEqual([wrong.status, wrong.action?.includes(`${IP} to ${HOSTNAME}`)], ['error', true])
    dns.set('7.114.0.203.in-addr.arpa', 'PTR', [HOSTNAME])
    assert.equal((await checkReverseDns(names())).status, 'ok')
    dns.fail(HOSTNAME, 'A', 'SERVFAIL')
    dns.fail(HOSTNAME, 'AAAA', 'SERVFAIL')
    assert.equal((await checkHostNames(names())).status, 'warning')
    dns.remove(HOSTNAME)
  })

  test('are on no blocklist; a list that refuses to answer does not count', async () => {
    dns.set(HOSTNAME, 'A', [IP])
    assert.equal((await checkBlocklists(names())).status, 'ok')
    dns.set(LISTED, 'A', ['127.255.255.254'])
    assert.equal((await checkBlocklists(names())).status, 'ok')
    dns.set(LISTED, 'A', ['127.0.0.2'])
    const listed = await checkBlocklists(names())
    assert.deepEqual([listed.status, listed.value], ['error', 1])
    assert.match(listed.message, /203\.0\.114\.7 on zen\.spamhaus\.org/)
    const relayed = { ...names(), config: { ...config, relayUrl: mail.config.secret } }
    assert.equal((await checkBlocklists(relayed)).status, 'ok')
  })
})

test('DNS lists that judge mail must list their test entry, and nothing else', async () => {
  const lookup = resolveForMailauth(createResolver({ servers: [dns.address], clock: mail.clock, timeoutMs: 10_000 }))
  const settings = {
    ...(await findInstanceSettings(mail.database.db)),
    dnsbl: ['good.test', 'all.test', 'refuses.test*reject'],
    dnswl: ['none.test'],
    domain_dnsbl: ['names.test', 'away.test'],
  }
  assert.equal((await checkDnsLists(lookup, { ...settings, dnsbl: [], dnswl: [], domain_dnsbl: [] })).status, 'ok')
  for (const zone of ['good.test', 'all.test']) dns.set(`2.0.0.127.${zone}`, 'A', ['127.0.0.2'])
  dns.set('1.0.0.127.all.test', 'A', ['127.0.0.2'])
  dns.set('2.0.0.127.refuses.test', 'A', ['127.255.255.254'])
  dns.set('test.names.test', 'A', ['127.0.1.2'])
  for (const name of ['test', 'invalid']) dns.fail(`${name}.away.test`, 'A', 'SERVFAIL')
  const found = await checkDnsLists(lookup, settings)
  assert.deepEqual([found.status, found.value], ['warning', 4])
  assert.match(
    found.message,
    /: all\.test lists everything, refuses\.test refuses .*, none\.test doesn't list its own test entry, away\.test doesn't answer\.$/,
  )
  assert.equal(
    (await checkDnsLists(lookup, { ...settings, dnsbl: ['good.test'], dnswl: [], domain_dnsbl: [] })).status,
    'ok',
  )
})

test('the queue wants attention when nobody works on it, or mail waits for a day', () => {
  const now = new Date('2026-03-02T12:00:00.000Z')
  const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
  const judged = (waiting: number, overdue: number, hours: number) =>
    judgeQueue({ waiting, overdue, oldestAt: ago(hours) }, now).status
  assert.equal(judgeQueue({ waiting: 0, overdue: 0, oldestAt: null }, now).status, 'ok')
  assert.deepEqual(
    [judged(5, 0, 2), judged(5, 0, 24), judged(20_000, 0, 1), judged(5, 1, 1)],
    ['ok', 'warning', 'warning', 'error'],
  )
})

test('domains whose DNS records are wrong are named, as many as fit', () => {
  assert.equal(judgeDomains({ verified: 2, broken: [] }).status, 'ok')
  const broken = judgeDomains({ verified: 9, broken: ['a.test', 'b.test', 'c.test', 'd.test', 'e.test', 'f.test'] })
  assert.deepEqual([broken.status, broken.value], ['warning', 6])
  assert.match(broken.message, /a\.test, .*e\.test and 1 more\.$/)
})
