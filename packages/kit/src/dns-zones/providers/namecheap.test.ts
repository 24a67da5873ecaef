import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Zone } from '../adapter.ts'
import { ProviderFailed } from '../api.ts'
import { findZone } from '../find-zone.ts'
import { type RunningFake, startFakeProvider } from '../testing/fake-provider.ts'
import { fakes } from '../testing/fakes/index.ts'

let hosts = ''
let written: URLSearchParams[] = []
let running: RunningFake
before(async () => {
  const handle: typeof fakes.namecheap.handle = ({ method, text }) => {
    if (method === 'POST') written.push(new URLSearchParams(text))
    return {
      text: `<ApiResponse Status="OK"><CommandResponse>${method === 'POST' ? '' : hosts}</CommandResponse></ApiResponse>`,
    }
  }
  running = await startFakeProvider({ ...fakes.namecheap, handle })
})
after(() => running.close())

const open = async (): Promise<Zone> => {
  const settings = { dnsApiBases: new Map([['namecheap', running.url]] as const), dnsResolvers: [] }
  const zone = await findZone(settings, 'namecheap', { credentials: {}, domain: 'host.com' })
  return zone ?? assert.fail('no zone')
}
const mx = { value: 'mx.host.com', priority: 10, weight: null, port: null }
const change = { fqdn: 'host.com', type: 'MX', before: [], after: [mx] } as const

test('what stands in attributes is read as XML, and written back as it was', async () => {
  written = []
  hosts = `<host Name="@" Type="TXT" Address="&quot;a&amp;b&quot; &lt;c> &#39;&#x26;" TTL="1800"/>
    <Host TTL='60' Name='www' Type='A' Address='192.0.2.1'></Host>`
  const zone = await open()
  const texts = ['"a&b" <c> \'&', '192.0.2.1']
  assert.deepEqual(
    (await zone.records()).map(({ value }) => value),
    texts,
  )
  await zone.write([change])
  const [form] = written
  assert.deepEqual(
    [1, 2, 3].map((number) => form?.get(`Address${number}`)),
    [...texts, 'mx.host.com.'],
  )
})

test('a list that is damaged is refused whole: what is written takes the place of all that is there', async () => {
  written = []
  const whole = '<host Name="a" Type="A" Address="192.0.2.1"/>'
  for (const damaged of [
    '<host Name="b" Type="A" Address="192',
    '<host Name="b" Type="A" Address=192.0.2.2/>',
    '</x>',
  ]) {
    hosts = whole + damaged
    await assert.rejects(open(), new ProviderFailed('The DNS provider sent an unexpected response.'), damaged)
  }
  assert.deepEqual(written, [])
})
