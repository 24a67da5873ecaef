import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type FakeDns, startFakeDns } from '@stoa/tests/lib/fake-dns.ts'
import { type MailClient, type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { checkDueDomains } from '../../hosting/dns-records/check.ts'
import { serveRecords } from '../../hosting/dns-records/testing/zone.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let dns: FakeDns
let mail: MailService
let own: { client: MailClient; id: string }
let other: { client: MailClient; id: string }
before(async () => {
  dns = await startFakeDns()
  mail = await startMail({
    env: { DNS_RESOLVERS: dns.address, SPF_INCLUDE: '_spf.stoa.test', MX_HOSTS: 'mx1.stoa.test,mx2.stoa.test' },
  })
  own = await mail.signUp()
  other = await mail.signUp()
})
after(async () => {
  await mail.close()
  await dns.close()
})

let names = 0
const add = async (name = `made-${++names}-here.com`, client = own.client) => {
  const answer = await client.post('/api/domains', { name })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const statusesOf = (body: { records: { record: string; type: string; status: string }[] }, record: string): string[] =>
  body.records.filter((one) => one.record === record).map(({ status }) => status)
const wait = (ms = 6_000) => mail.clock.advance(ms)
const check = async (id: string) => {
  wait()
  const answer = await own.client.post(`/api/domains/${id}/check`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const queuedMails = async (subject: string): Promise<number> => {
  const rows = await mail.database.db
    .selectFrom('queue_message')
    .select('subject')
    .where('subject', '=', subject)
    .execute()
  return rows.length
}

describe('domains over the API', () => {
  test('a domain is created with two keys and its records', async () => {
    const made = await add('B\u00fccher-laden.com')
    assert.equal(made.object, 'domain')
    assert.equal(made.name, 'xn--bcher-laden-thb.com')
    assert.equal(made.unicode_name, 'b\u00fccher-laden.com')
    assert.equal(made.status, 'not_started')
    assert.equal(made.verified_at, null)
    assert.deepEqual(made.capabilities, { sending: 'disabled', receiving: 'disabled' })
    assert.equal(made.active_selector, 's1')
    assert.deepEqual(statusesOf(made, 'MX'), ['not_started', 'not_started'])
    const required = made.records.filter((one: { required: boolean }) => one.required)
    assert.deepEqual(
      required.map((one: { record: string; fqdn: string }) => `${one.record} ${one.fqdn.replace(made.name, '')}`),
      ['Ownership _mail-verify.', 'MX ', 'MX ', 'SPF ', 'DKIM s1._domainkey.', 'DMARC _dmarc.'],
    )
    const text = JSON.stringify(made)
    assert.ok(!text.includes('PRIVATE') && !text.includes('sealed'))
    const read = await own.client.get(`/api/domains/${made.id}`)
    assert.deepEqual(read.body, made)
  })

  test('names that nobody can own, taken names and bad bodies are refused and change nothing', async () => {
    const taken = await add()
    const count = async () => (await own.client.get('/api/domains')).body.total
    const had = await count()
    for (const [body, status, name] of [
      [{}, 422, 'missing_required_field'],
      [{ name: 5 }, 400, 'validation_error'],
      [{ name: 'co.uk' }, 400, 'validation_error'],
      [{ name: 'not a name' }, 400, 'validation_error'],
      [{ name: taken.name.toUpperCase() }, 409, 'conflict'],
    ] as const) {
      const answer = await own.client.post('/api/domains', body)
      assert.deepEqual([answer.status, answer.body.name], [status, name], JSON.stringify(body))
    }
    assert.equal((await other.client.post('/api/domains', { name: taken.name })).status, 409)
    assert.equal(await count(), had)
  })

  test('a name that is refused costs no keys: however many ask for it, nobody waits for theirs', async () => {
    const { name } = await add()
    const answers = await Promise.all(Array.from({ length: 40 }, () => other.client.post('/api/domains', { name })))
    // With keys made first, the last of them would have been 503.
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [409])
  })

  test('a claim that was never proven gives way after 72 hours, and its owner is notified', async () => {
    const claimed = await add()
    mail.clock.advance(72 * HOUR)
    const fresh = await mail.openSession(other.id)
    const mine = await mail.openSession(own.id)
    const taker = mail.client({ cookie: fresh })
    const taken = await add(claimed.name, taker)
    assert.notEqual(taken.id, claimed.id)
    assert.equal((await mail.client({ cookie: mine }).get(`/api/domains/${claimed.id}`)).status, 404)
    assert.equal(await queuedMails(`${claimed.name} was removed from your account`), 1)
  })

  test('foreign, unknown and malformed ids are 404 whatever is sent', async () => {
    const { id } = await add()
    for (const path of [`/api/domains/${id}`, '/api/domains/00000000-0000-7000-8000-000000000000', '/api/domains/x'])
      for (const [method, tail] of [
        ['GET', ''],
        ['PATCH', ''],
        ['DELETE', ''],
        ['GET', '/dns'],
        ['GET', '/dns/zone'],
        ['GET', '/dns/provider'],
        ['POST', '/dns/publish'],
        ['POST', '/check'],
        ['GET', '/keys'],
        ['POST', '/fallback'],
        ['GET', '/reports'],
      ] as const) {
        const answer = await other.client.send(method, path + tail, method === 'GET' ? {} : { body: { tls: 1 } })
        assert.deepEqual([answer.status, answer.body.name], [404, 'not_found'], `${method} ${path}${tail}`)
      }
    assert.equal((await own.client.get(`/api/domains/${id}`)).status, 200)
  })

  test('is listed with search, sort and paging', async () => {
    const made = [await add('zz-list-a.com'), await add('zz-list-b.com')]
    const first = await own.client.get('/api/domains?search=ZZ-LIST&sort=name&direction=desc&per_page=10')
    assert.deepEqual(
      first.body.data.map(({ name }: { name: string }) => name),
      ['zz-list-b.com', 'zz-list-a.com'],
    )
    assert.deepEqual([first.body.object, first.body.total, first.body.pages], ['list', 2, 1])
    for (const sort of ['status', 'addresses_count', 'created_at', 'nonsense'])
      assert.equal((await own.client.get(`/api/domains?search=zz-list&sort=${sort}`)).body.total, 2, sort)
    assert.equal((await other.client.get('/api/domains?search=zz-list')).body.total, 0)
    assert.equal(made.length, 2)
  })

  test('settings are updated one by one; wrong ones are refused and change nothing', async () => {
    const { id } = await add()
    const changed = await own.client.send('PATCH', `/api/domains/${id}`, {
      body: {
        dmarc_policy: 'reject',
        mta_sts_mode: 'testing',
        note: ' of the shop ',
        name: 'evil.com',
        verified_at: 'now',
      },
    })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(
      [changed.body.dmarc_policy, changed.body.mta_sts_mode, changed.body.note],
      ['reject', 'testing', 'of the shop'],
    )
    assert.equal(changed.body.verified_at, null)
    assert.equal(changed.body.records.filter(({ record }: { record: string }) => record === 'MTA-STS').length, 2)
    for (const body of [
      { tls: 'maybe' },
      { open_tracking: 'yes' },
      { catch_all_address_id: 'x' },
      { note: 'x'.repeat(3000) },
    ])
      assert.equal((await own.client.send('PATCH', `/api/domains/${id}`, { body })).status, 400, JSON.stringify(body))
    const ghost = { catch_all_address_id: '00000000-0000-7000-8000-000000000000' }
    assert.equal((await own.client.send('PATCH', `/api/domains/${id}`, { body: ghost })).status, 404)
    const read = (await own.client.get(`/api/domains/${id}`)).body
    assert.equal(read.updated_at, changed.body.updated_at)
    assert.equal(read.note, 'of the shop')
  })

  test('a fallback is another own domain, without a chain', async () => {
    const [a, b, c] = [await add(), await add(), await add()]
    const set = (id: string, to: unknown) => own.client.post(`/api/domains/${id}/fallback`, { fallback_domain_id: to })
    assert.equal((await set(a.id, b.id)).body.fallback_domain_id, b.id)
    assert.equal((await set(b.id, c.id)).status, 400)
    assert.equal((await set(c.id, a.id)).status, 400)
    assert.equal((await set(c.id, c.id)).status, 400)
    assert.equal((await set(c.id, 'x')).status, 400)
    assert.equal((await own.client.post(`/api/domains/${c.id}/fallback`, {})).status, 422)
    const foreign = await add(undefined, other.client)
    assert.equal((await set(c.id, foreign.id)).status, 404)
    assert.equal((await own.client.get(`/api/domains/${c.id}`)).body.fallback_domain_id, null)
    assert.equal((await set(a.id, null)).body.fallback_domain_id, null)
  })

  test('the signing key is switched at once, and the other record becomes the needed one', async () => {
    const made = await add()
    serveRecords(
      dns,
      made.records.filter((one: { name: string }) => one.name !== 's2._domainkey'),
    )
    assert.equal((await check(made.id)).status, 'verified')
    const keys = (await own.client.get(`/api/domains/${made.id}/keys?sort=selector&direction=asc`)).body
    assert.deepEqual(
      keys.data.map((key: { selector: string; active: boolean; status: string }) => [
        key.selector,
        key.active,
        key.status,
      ]),
      [
        ['s1', true, 'verified'],
        ['s2', false, 'pending'],
      ],
    )
    assert.match(keys.data[1].record.value, /^v=DKIM1; k=rsa; p=[A-Za-z0-9+/=]+$/)
    const path = `/api/domains/${made.id}/keys/${keys.data[1].id}/activate`
    const active = await own.client.post(path)
    assert.deepEqual([active.status, active.body.active, active.body.selector], [200, true, 's2'])
    assert.deepEqual((await own.client.post(path)).body, active.body)
    const read = (await own.client.get(`/api/domains/${made.id}`)).body
    assert.deepEqual(
      [read.active_selector, read.status, read.capabilities.sending],
      ['s2', 'partially_verified', 'disabled'],
    )
    assert.equal((await own.client.post(`/api/domains/${made.id}/keys/${made.id}/activate`)).status, 404)
    assert.equal((await other.client.post(path)).status, 404)
  })

  test('a deleted domain is gone, and its name is free', async () => {
    const { id, name } = await add()
    const answer = await own.client.send('DELETE', `/api/domains/${id}`)
    assert.deepEqual([answer.status, answer.body], [200, { object: 'domain', id, deleted: true }])
    assert.equal((await own.client.send('DELETE', `/api/domains/${id}`)).status, 404)
    assert.equal((await add(name)).name, name)
  })
})

describe('a DNS check', () => {
  test('verifies a domain whose records are all there, notifies its owner, and enables mail for it', async () => {
    const made = await add()
    serveRecords(dns, made.records)
    const seen = await check(made.id)
    assert.equal(seen.object, 'dns_record_set')
    assert.deepEqual([...new Set(seen.records.map((one: { status: string }) => one.status))], ['verified'])
    assert.deepEqual([seen.status, seen.domain_id, seen.domain], ['verified', made.id, made.name])
    assert.equal(Date.parse(seen.next_check_at) - Date.parse(seen.checked_at), 6 * HOUR)
    const read = (await own.client.get(`/api/domains/${made.id}`)).body
    assert.deepEqual(read.capabilities, { sending: 'enabled', receiving: 'enabled' })
    assert.equal(read.verified_at, seen.checked_at)
    assert.equal(await queuedMails(`${made.name} is verified`), 1)
    await check(made.id)
    assert.equal(await queuedMails(`${made.name} is verified`), 1)
  })

  test('sends every query once, in one round', async () => {
    const made = await add()
    const asked = dns.queries().length
    await check(made.id)
    const questions = dns
      .queries()
      .slice(asked)
      .map(({ name, type }) => `${type} ${name.toLowerCase()}`)
    assert.equal(new Set(questions).size, questions.length)
  })

  test('returns what is missing, wrong and conflicting', async () => {
    const made = await add()
    dns.set(made.name, 'MX', [{ preference: 5, exchange: 'mx.elsewhere.com' }])
    dns.set(made.name, 'TXT', ['v=spf1 include:elsewhere.com -all', 'v=spf1 mx -all'])
    dns.set(`s1._domainkey.${made.name}`, 'TXT', ['v=DKIM1; p='])
    dns.set(`_dmarc.${made.name}`, 'TXT', ['v=DMARC1; p=quarantine; rua=mailto:me@elsewhere.com'])
    const seen = await check(made.id)
    assert.equal(seen.status, 'partially_failed')
    assert.deepEqual(statusesOf(seen, 'MX'), ['failed', 'failed'])
    assert.deepEqual(statusesOf(seen, 'SPF'), ['failed'])
    assert.deepEqual(statusesOf(seen, 'DKIM'), ['failed', 'pending'])
    assert.deepEqual(statusesOf(seen, 'DMARC'), ['verified'])
    assert.deepEqual(statusesOf(seen, 'Ownership'), ['pending'])
    const mx = seen.records.find((one: { record: string }) => one.record === 'MX')
    assert.deepEqual(mx.found, ['5 mx.elsewhere.com'])
    assert.match(mx.message, /mx\.elsewhere\.com/)
  })

  test('what worked and cannot be seen keeps working for 72 hours', async () => {
    const made = await add()
    serveRecords(dns, made.records)
    await check(made.id)
    dns.fail(made.name, 'MX', 'SERVFAIL')
    dns.fail(made.name, 'TXT', 'SERVFAIL')
    dns.remove(`_dmarc.${made.name}`)
    const shaken = await check(made.id)
    assert.deepEqual(
      [statusesOf(shaken, 'SPF'), statusesOf(shaken, 'DMARC')],
      [['temporary_failure'], ['temporary_failure']],
    )
    assert.equal(shaken.status, 'verified')
    mail.clock.advance(73 * HOUR)
    const client = mail.client({ cookie: await mail.openSession(own.id) })
    const lost = (await client.post(`/api/domains/${made.id}/check`)).body
    assert.deepEqual([statusesOf(lost, 'SPF'), lost.status], [['failed'], 'partially_failed'])
    const read = (await client.get(`/api/domains/${made.id}`)).body
    assert.deepEqual(read.capabilities, { sending: 'disabled', receiving: 'enabled' })
    assert.equal(await queuedMails(`${made.name} is partially failed`), 1)
    own.client.cookie = client.cookie
  })

  test('absent records are pending for 72 hours and failed afterwards', async () => {
    const made = await add()
    assert.equal((await check(made.id)).status, 'pending')
    mail.clock.advance(72 * HOUR)
    own.client.cookie = await mail.openSession(own.id)
    assert.equal((await check(made.id)).status, 'failed')
  })

  test('is refused a second time within five seconds', async () => {
    const made = await add()
    await check(made.id)
    const again = await own.client.post(`/api/domains/${made.id}/check`)
    assert.deepEqual(
      [again.status, again.body.name, again.headers.get('retry-after')],
      [429, 'rate_limit_exceeded', '5'],
    )
    wait(5_000)
    assert.equal((await own.client.post(`/api/domains/${made.id}/check`)).status, 200)
  })

  test('is made by the job when its time has come: after 1, 2, 5, 10 and 30 minutes, then every hour', async () => {
    const made = await add()
    const created = Date.parse(made.created_at)
    const next = async () =>
      (Date.parse((await own.client.get(`/api/domains/${made.id}/dns`)).body.next_check_at) - created) / MINUTE
    const times = []
    for (let round = 0; round < 7; round += 1) {
      const due = await next()
      times.push(due)
      mail.clock.set(new Date(created + due * MINUTE))
      assert.ok((await checkDueDomains(mail.parts)) > 0)
    }
    assert.deepEqual(times, [1, 2, 5, 10, 30, 90, 150])
    assert.equal(await checkDueDomains(mail.parts), 0)
  })

  test('outside production a reserved name needs no DNS', async () => {
    const made = await add('shop-reserved.example')
    assert.equal(made.status, 'verified')
    assert.deepEqual(made.capabilities, { sending: 'enabled', receiving: 'enabled' })
    assert.equal((await check(made.id)).status, 'verified')
  })
})
