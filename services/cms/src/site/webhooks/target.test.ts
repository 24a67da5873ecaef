import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createEgress } from '@stoa/kit/egress/egress.ts'
import { type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { startFakeWebhook } from '@stoa/tests/lib/fake-webhook.ts'
import { ALLOW_PRIVATE, addHook, PUBLIC_TARGET, publish, readHook, sendDue, storedWebhooks } from './testing/ground.ts'

/** What the names below stand for. The others do not exist, and `broken.test` cannot be asked for. */
const NAMES: Record<string, string[]> = {
  'hooks.test': ['93.184.216.34'],
  'inside.test': ['10.0.0.8'],
  'both.test': ['93.184.216.34', '127.0.0.1'],
}
const asked: string[] = []
const resolver = async (name: string): Promise<string[]> => {
  asked.push(name)
  if (name === 'broken.test') throw new Error('no answer')
  return NAMES[name] ?? []
}

let service: CmsService
let admin: Person
before(async () => {
  service = await startCms({ webhookEgress: createEgress({ ports: [443, 8443], resolver }) })
  admin = await service.person('admin')
})
after(() => service.close())

const refused = async (url: string): Promise<void> => {
  const hook = await addHook(admin.client, { url: PUBLIC_TARGET })
  const stored = await storedWebhooks(service)
  for (const [method, path] of [
    ['POST', '/api/webhooks'],
    ['PUT', `/api/webhooks/${hook.id}`],
  ] as const) {
    const answer = await admin.client.send(method, path, { body: { url, events: ['*'] } })
    assert.deepEqual([answer.status, answer.body.code], [400, 'WEBHOOK_TARGET_REFUSED'], answer.text)
    assert.equal(answer.body.details.fields[0].key, 'url')
  }
  assert.deepEqual(await storedWebhooks(service), stored)
}

describe('a target is refused when it is saved', () => {
  for (const url of [
    'https://127.0.0.1/',
    'https://localhost/',
    'https://api.localhost/',
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://100.64.0.1/',
    'https://0.0.0.0/',
    'https://[::1]/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
  ])
    test(`C70: ${url} is private, loopback or link-local`, () => refused(url))

  for (const url of [
    'https://127.0.0.2/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://127.0.0.1./',
    'https://[::ffff:127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://１２７.0.0.1/',
  ])
    test(`C72: ${url} is loopback in other letters`, () => refused(url))

  for (const url of ['https://metadata.google.internal/', 'https://printer.local/', 'https://postgres/'])
    test(`${url} is a name of local networks`, () => refused(url))

  for (const [url, why] of [
    ['http://hooks.test/', 'not encrypted'],
    ['ftp://hooks.test/', 'another scheme'],
    ['file:///etc/passwd', 'a file'],
    ['https://hooks.test:22/', 'another port'],
    ['https://user:password@hooks.test/', 'with a password'],
    ['hooks.test', 'no address at all'],
    ['https://', 'no host'],
  ])
    test(`${url} is ${why}`, () => refused(url ?? ''))
})

describe('a target is taken', () => {
  for (const [url, stored] of [
    ['https://hooks.test', 'https://hooks.test/'],
    ['https://hooks.test:8443/a?b=c', 'https://hooks.test:8443/a?b=c'],
    ['https://HOOKS.test/x', 'https://hooks.test/x'],
    ['https://not-there-yet.test/', 'https://not-there-yet.test/'],
    ['https://broken.test/', 'https://broken.test/'],
    ['https://inside.test/', 'https://inside.test/'],
    ['https://both.test/', 'https://both.test/'],
  ])
    test(`${url}`, async () => {
      assert.equal((await addHook(admin.client, { url: url ?? '' })).url, stored)
    })

  test('without a DNS query, so that it reveals nothing about names of the internal network', async () => {
    asked.length = 0
    await addHook(admin.client, { url: 'https://inside.test/' })
    await addHook(admin.client, { url: 'https://not-there-yet.test/' })
    assert.deepEqual(asked, [])
  })

  for (const name of ['inside.test', 'both.test'])
    test(`${name}, and is refused by each attempt`, async () => {
      const { id } = await addHook(admin.client, { url: `https://${name}/`, events: ['menu.updated'] })
      await publish(service, { event: 'menu.updated' })
      await sendDue(service)
      const { lastDelivery } = await readHook(admin.client, id)
      assert.deepEqual(
        [lastDelivery?.status, lastDelivery?.responseStatus, lastDelivery?.error],
        ['pending', null, "The server couldn't be reached"],
      )
    })

  test('unresolved, and is refused by each attempt once its name stands for something inside', async () => {
    const { id } = await addHook(admin.client, { url: 'https://moving.test/', events: ['menu.updated'] })
    NAMES['moving.test'] = ['127.0.0.1']
    await publish(service, { event: 'menu.updated' })
    await sendDue(service)
    const { lastDelivery } = await readHook(admin.client, id)
    assert.equal(lastDelivery?.error, "The server couldn't be reached")
    assert.equal(lastDelivery?.durationMs, null)
  })
})

describe('with WEBHOOK_ALLOW_PRIVATE', () => {
  let open: CmsService
  let person: Person
  before(async () => {
    open = await startCms({ env: ALLOW_PRIVATE })
    person = await open.person('admin')
  })
  after(() => open.close())

  for (const url of ['http://127.0.0.1:9/', 'https://10.0.0.1:1234/', 'http://localhost:3000/hook'])
    test(`${url} is taken`, async () => {
      assert.equal((await addHook(person.client, { url })).url, url)
    })

  for (const url of [
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'data:text/plain,x',
    'ftp://127.0.0.1/',
    'http://u:p@127.0.0.1/',
  ])
    test(`C74: ${url} is refused all the same`, async () => {
      const stored = await storedWebhooks(open)
      const answer = await person.client.post('/api/webhooks', { url, events: ['*'] })
      assert.deepEqual([answer.status, answer.body.code], [400, 'WEBHOOK_TARGET_REFUSED'])
      assert.deepEqual(await storedWebhooks(open), stored)
    })

  test('C70: once it is taken back, what was saved before is refused when it is sent', async (t) => {
    const hook = await startFakeWebhook({ now: () => open.clock.now() })
    t.after(() => hook.close())
    const { id } = await addHook(person.client, { url: hook.url, events: ['settings.updated'] })
    await publish(open, { event: 'settings.updated' })
    const closed = await startCms({ databaseUrl: open.databaseUrl, clock: open.clock })
    t.after(() => closed.close())
    await sendDue(closed)
    assert.equal(hook.received.length + hook.problems.length, 0)
    const { lastDelivery } = await readHook(person.client, id)
    assert.deepEqual([lastDelivery?.status, lastDelivery?.responseStatus], ['pending', null])
    assert.match(lastDelivery?.error ?? '', /must start with https/)
  })
})
