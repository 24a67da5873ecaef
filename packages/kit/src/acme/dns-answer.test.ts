import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { publishProviderOf } from '@stoa/mail-model/dns-providers/index.ts'
import { type FakeDns, startFakeDns } from '@stoa/tests/lib/fake-dns.ts'
import { startFakeProvider } from '../dns-zones/testing/fake-provider.ts'
import { fakes } from '../dns-zones/testing/fakes/index.ts'
import { Secret } from '../secret.ts'
import { answerInDns } from './dns-answer.ts'

let dns: FakeDns
before(async () => {
  dns = await startFakeDns()
})
after(() => dns.close())

describe('a name is proven with a DNS record', () => {
  for (const fake of Object.values(fakes).filter(({ id }) => !publishProviderOf(id)?.replacesZone))
    test(`that ${fake.id} has while it is needed, beside what is there`, async () => {
      const running = await startFakeProvider(fake)
      const { zone } = running
      try {
        zone.name = 'host.com'
        zone.rows = []
        zone.add({ fqdn: '_acme-challenge.mx1.host.com', type: 'TXT', data: 'of another' })
        const before = zone.rows.map(({ fqdn, data }) => [fqdn, data])
        dns.set('_acme-challenge.mx1.host.com', 'TXT', ['of another', 'proof'])
        const given = 'token' in fake.good ? { token: fake.good.token } : fake.good.credentials
        const credentials = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, new Secret(value)]))
        const config = { dnsApiBases: new Map([[fake.id, running.url]]), dnsResolvers: [dns.address] }
        const provider = publishProviderOf(fake.id)?.id ?? assert.fail(fake.id)
        const answer = answerInDns(config, { provider, credentials })
        const withdraw = await answer('mx1.host.com', 'proof', AbortSignal.timeout(60_000))
        assert.deepEqual(zone.rows.map(({ data }) => data).sort(), ['of another', 'proof'])
        await withdraw()
        assert.deepEqual(
          zone.rows.map(({ fqdn, data }) => [fqdn, data]),
          before,
        )
        assert.deepEqual(running.problems, [])
      } finally {
        await running.close()
      }
    })
})
