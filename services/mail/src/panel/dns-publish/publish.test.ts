import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type RunningFake, startFakeProvider } from '@stoa/kit/dns-zones/testing/fake-provider.ts'
import { fakes } from '@stoa/kit/dns-zones/testing/fakes/index.ts'
import { publishProviders } from '@stoa/mail-model/dns-providers/index.ts'
import { type FakeDns, startFakeDns } from '@stoa/tests/lib/fake-dns.ts'
import { type MailClient, type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { providerOf } from '../../hosting/dns-records/detect.ts'
import { generateDomainKeys, type KeyPair } from '../../hosting/domains/dkim-keys.ts'
import { createDomain } from '../domains/operations.ts'

const FAKES = Object.values(fakes)
const KINDS = ['Ownership', 'MX', 'SPF', 'DKIM', 'DMARC', 'TLS-RPT', 'Autoconfig']

let dns: FakeDns
let mail: MailService
let own: { client: MailClient; id: string }
let keys: readonly [KeyPair, KeyPair]
const running = new Map<string, RunningFake>()
before(async () => {
  dns = await startFakeDns()
  for (const fake of FAKES) running.set(fake.id, await startFakeProvider(fake))
  const bases = [...running].map(([id, { url }]) => [`DNS_API_BASE_${id.toUpperCase()}`, url])
  mail = await startMail({
    env: {
      DNS_RESOLVERS: dns.address,
      SPF_INCLUDE: '_spf.stoa.test',
      MX_HOSTS: 'mx1.stoa.test,mx2.stoa.test',
      ...Object.fromEntries(bases),
    },
  })
  own = await mail.signUp()
  keys = await generateDomainKeys()
})
after(async () => {
  await mail.close()
  await dns.close()
  for (const fake of running.values()) await fake.close()
})

const add = async (name: string): Promise<{ id: string; name: string }> => {
  const input = { accountId: own.id, name, keys, now: mail.clock.now() }
  return (await mail.database.tx((tx) => createDomain(tx, mail.parts.hosting, input))).domain
}
const publish = (id: string, body: object) => own.client.post(`/api/domains/${id}/dns/publish`, body)
const fakeOf = (id: string): RunningFake => running.get(id) ?? assert.fail(id)
const actions = (body: { results: { record: string; action: string }[] }, record: string): string[] =>
  body.results.filter((result) => result.record === record).map(({ action }) => action)

test('every provider is published to below, at a fake of its own', () => {
  assert.deepEqual(
    publishProviders.map(({ id }) => id),
    FAKES.map(({ id }) => id),
  )
})

for (const fake of FAKES)
  describe(`publishing to ${fake.id}`, () => {
    test('creates what is absent, keeps records of others, and merges SPF only on request', async () => {
      const domain = await add(`at-${fake.id}-here.com`)
      const { zone, problems } = fakeOf(fake.id)
      zone.name = domain.name
      zone.rows = []
      zone.add({ fqdn: domain.name, type: 'TXT', data: 'other=verification' })
      zone.add({ fqdn: domain.name, type: 'TXT', data: 'v=spf1 include:elsewhere.com -all' })
      zone.add({ fqdn: domain.name, type: 'MX', data: '5 mx.elsewhere.com' })
      const begin = JSON.stringify(zone.rows)
      const kinds = fake.hasSrv ? [...KINDS, 'SRV'] : KINDS
      const ask = { provider: fake.id, ...fake.good, records: kinds, confirm_replace: true }

      const refused = await publish(domain.id, { ...ask, ...fake.bad })
      assert.deepEqual([refused.status, refused.body.name], [400, 'invalid_parameter'], refused.text)
      const dry = await publish(domain.id, { ...ask, dry_run: true })
      assert.deepEqual([dry.status, dry.body.dry_run, actions(dry.body, 'DMARC')], [200, true, ['created']], dry.text)
      assert.equal(JSON.stringify(zone.rows), begin)

      const first = await publish(domain.id, ask)
      assert.deepEqual(problems, [])
      assert.equal(first.status, 200, first.text)
      assert.deepEqual([actions(first.body, 'MX'), actions(first.body, 'SPF')], [['skipped', 'skipped'], ['skipped']])
      assert.deepEqual(actions(first.body, 'DKIM'), ['created', 'created'])
      assert.deepEqual([first.body.updated, first.body.failed], [0, 0], first.text)
      assert.ok(zone.rows.some(({ data }) => data === 'v=spf1 include:elsewhere.com -all'))

      const second = await publish(domain.id, { ...ask, overwrite: true })
      assert.deepEqual(problems, [])
      assert.deepEqual([actions(second.body, 'MX'), actions(second.body, 'SPF')], [['updated', 'updated'], ['updated']])
      const at = (type: string) =>
        zone.rows.filter((row) => row.fqdn === domain.name && row.type === type).map(({ data }) => data)
      assert.deepEqual(at('TXT').sort(), [
        'other=verification',
        'v=spf1 include:_spf.stoa.test include:elsewhere.com -all',
      ])
      assert.deepEqual(at('MX').sort(), ['10 mx1.stoa.test', '20 mx2.stoa.test'])

      const again = await publish(domain.id, { ...ask, overwrite: true })
      assert.equal(again.body.unchanged, again.body.results.length, again.text)
      const { records } = (await own.client.get(`/api/domains/${domain.id}/dns`)).body
      for (const { record, fqdn, type, value } of records)
        if (kinds.includes(record) && record !== 'SPF')
          assert.ok(
            zone.rows.some((row) => row.fqdn === fqdn && row.type === type && row.data.endsWith(value)),
            `${type} ${fqdn}`,
          )
    })
  })

describe('publishing', () => {
  test('uses the zone above when the domain is below it', async () => {
    const domain = await add('mail.below-zone.com')
    const { zone, problems } = fakeOf('cloudflare')
    zone.name = 'below-zone.com'
    zone.rows = []
    const answer = await publish(domain.id, { provider: 'cloudflare', token: 'good-token-of-the-tests' })
    assert.deepEqual([answer.status, problems], [200, []])
    assert.equal(answer.body.created, answer.body.results.length)
    assert.ok(zone.rows.some(({ fqdn }) => fqdn === '_dmarc.mail.below-zone.com'))
  })

  test('takes the provider from the name servers', async () => {
    const domain = await add('at-detected.com')
    assert.equal((await publish(domain.id, { token: 'x' })).body.name, 'invalid_parameter')
    dns.set(domain.name, 'NS', ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'])
    const provider = (await own.client.get(`/api/domains/${domain.id}/dns/provider`)).body
    assert.deepEqual([provider.provider, provider.name, provider.publish_supported], ['cloudflare', 'Cloudflare', true])
    assert.deepEqual(provider.credential_fields, [{ name: 'token', label: 'API token', secret: true }])
    const { zone } = fakeOf('cloudflare')
    zone.name = domain.name
    zone.rows = []
    assert.equal((await publish(domain.id, { token: 'good-token-of-the-tests' })).body.provider, 'cloudflare')
  })

  test('is refused without credentials, with unknown providers and kinds, and where the zone is not theirs', async () => {
    const domain = await add('at-refused.com')
    fakeOf('cloudflare').zone.name = 'not-this-one.com'
    const cases = [
      [{ provider: 'cloudflare' }, 422, 'missing_required_field'],
      [{ provider: 'porkbun', token: 'x' }, 422, 'missing_required_field'],
      [{ provider: 'porkbun', credentials: { api_key: 'x' } }, 422, 'missing_required_field'],
      [{ provider: 'nobody', token: 'x' }, 400, 'invalid_parameter'],
      [{ provider: 'cloudflare', token: 'x', records: ['A'] }, 400, 'validation_error'],
      [{ provider: 'cloudflare', token: 'good-token-of-the-tests' }, 400, 'invalid_parameter'],
      [
        { provider: 'namecheap', credentials: { api_user: 'a', api_key: 'b', client_ip: 'c' } },
        400,
        'invalid_parameter',
      ],
    ] as const
    for (const [body, status, name] of cases) {
      const answer = await publish(domain.id, body)
      assert.deepEqual([answer.status, answer.body.name], [status, name], JSON.stringify(body))
    }
  })

  test('credentials that no provider has are refused, with whichever they are given to, and reach no other place', async () => {
    const domain = await add('at-hostile.com')
    const hostile = ['→ \u{1f4a9}', 'a/../../b?c=d&e#f', '%0d%0aX-Injected: 1', '"\u0027<>;', 'x'.repeat(2_000), ' ']
    for (const { id, fields } of publishProviders) {
      const { zone } = fakeOf(id)
      zone.name = domain.name
      const before = JSON.stringify(zone.rows)
      for (const value of hostile) {
        const credentials = Object.fromEntries(fields.map(({ name }) => [name, value]))
        const body = fields.length > 1 ? { credentials } : { token: value }
        const answer = await publish(domain.id, { provider: id, confirm_replace: true, ...body })
        assert.equal(answer.status, 400, `${id} ${value.slice(0, 20)} ${answer.text}`)
        assert.ok(value === ' ' || !answer.text.includes(value), answer.text)
      }
      for (const value of ['x\r\nX-Injected: 1', 'x\u0000']) {
        const credentials = Object.fromEntries(fields.map(({ name }) => [name, value]))
        const refused = await publish(domain.id, { provider: id, token: value, credentials })
        assert.deepEqual([refused.status, refused.body.name], [400, 'validation_error'])
      }
      assert.equal(JSON.stringify(zone.rows), before, id)
    }
  })

  test('needs a plan with it', async () => {
    const domain = await add('at-free.com')
    const plan = (name: string) =>
      mail.database.tx((tx) => tx.updateTable('account').set({ plan: name }).where('id', '=', own.id).execute())
    await plan('free')
    assert.equal((await publish(domain.id, { records: 5 })).body.name, 'plan_required')
    await plan('unlimited')
  })

  test('credentials are neither logged nor stored', async () => {
    const secrets = [
      'good-token-of-the-tests',
      'wrong-token-of-the-tests',
      'secret-access-key-of-tests',
      'sk1_of_tests',
    ]
    for (const secret of secrets) assert.ok(!mail.logs.some((line) => line.includes(secret)), secret)
    const rows = await mail.database.db.selectFrom('dns_check').selectAll().execute()
    for (const secret of secrets) assert.ok(!JSON.stringify(rows).includes(secret), secret)
  })

  test('providers are known by most of the name servers', () => {
    assert.equal(providerOf(['NS1.digitalocean.com.', 'ns2.digitalocean.com'])?.id, 'digitalocean')
    assert.equal(providerOf(['ns-1.awsdns-01.co.uk', 'ns-2.awsdns-02.org', 'ns1.other.com'])?.id, 'route53')
    assert.equal(providerOf(['evil-ns.cloudflare.com.attacker.net', 'ns.cloudflare.com']), null)
    assert.equal(providerOf([]), null)
  })
})
