import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, beforeEach, describe, test } from 'node:test'
import { webhookEventNames } from '@stoa/cms-model/webhook-events.ts'
import { newId } from '@stoa/kit/ids.ts'
import { type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { activityOf, addHook, PUBLIC_TARGET, publish, readHook, storedWebhooks } from './testing/ground.ts'

let service: CmsService
let admin: Person
before(async () => {
  service = await startCms()
  admin = await service.person('admin', { name: 'Ada Admin' })
})
after(() => service.close())
beforeEach(() => service.cms.database.tx((tx) => tx.deleteFrom('webhook_endpoint').execute()))

const addType = (name: string) =>
  service.cms.database.tx((tx) =>
    tx
      .insertInto('content_type')
      .values({
        name,
        label: name,
        label_plural: name,
        description: '',
        icon: '',
        kind: 'collection',
        preview_url: null,
        fields: '[]',
        created_at: service.clock.now(),
        updated_at: service.clock.now(),
        updated_by: null,
      })
      .execute(),
  )

const refuses = async (path: string, method: string, body: unknown, key: string, code = 'VALIDATION_FAILED') => {
  const stored = await storedWebhooks(service)
  const answer = await admin.client.send(method, path, { body })
  assert.deepEqual([answer.status, answer.body.code], [400, code], answer.text)
  assert.deepEqual(
    answer.body.details.fields.map((field: { key: string }) => field.key),
    [key],
  )
  assert.deepEqual(await storedWebhooks(service), stored)
}

describe('a new webhook', () => {
  test('is answered with all its members and its secret', async () => {
    await addType('news')
    const answer = await admin.client.post('/api/webhooks', {
      name: ' Website ',
      url: PUBLIC_TARGET,
      events: ['entry.published', 'menu.updated', 'entry.published'],
      types: ['news'],
    })
    assert.equal(answer.status, 201)
    assert.equal(answer.headers.get('etag'), '"v1"')
    const { id, secret, ...record } = answer.body
    assert.match(id, /^[0-9a-f-]{36}$/)
    assert.match(secret, /^whsec_/)
    assert.equal(Buffer.from(secret.slice(6), 'base64').length, 32)
    assert.deepEqual(record, {
      name: 'Website',
      url: PUBLIC_TARGET,
      events: ['entry.published', 'menu.updated'],
      types: ['news'],
      enabled: true,
      disabledReason: null,
      secretLast4: secret.slice(-4),
      version: 1,
      createdAt: service.clock.now().toISOString(),
      updatedAt: service.clock.now().toISOString(),
      lastDelivery: null,
    })
  })

  test('needs only an address and events: it is called by its host, on, and for all types', async () => {
    const hook = await addHook(admin.client, { url: `${PUBLIC_TARGET}?token=planted` })
    assert.deepEqual([hook.name, hook.enabled, hook.types], ['93.184.216.34', true, []])
  })

  test('takes every event of the catalogue, and may be made switched off', async () => {
    const hook = await addHook(admin.client, { url: PUBLIC_TARGET, events: [...webhookEventNames], enabled: false })
    assert.deepEqual(hook.events, [...webhookEventNames])
    assert.deepEqual([hook.enabled, hook.disabledReason], [false, 'owner'])
  })

  test('can ask for no event that docs/webhooks.md does not name, and for each that it names', async () => {
    const page = await readFile(new URL('../../../../../docs/webhooks.md', import.meta.url), 'utf8')
    const listed = page.split('## Events')[1]?.split('## ')[0] ?? ''
    const named = [...listed.matchAll(/`([a-z]+(?:\.[a-z]+)+)`/g)].map((match) => match[1])
    assert.deepEqual(named, [...webhookEventNames])
  })

  for (const [rule, body, key] of [
    ['an unknown event', { events: ['entry.published', 'entry.exploded'] }, 'events'],
    ['no event', { events: [] }, 'events'],
    ['an unknown type', { events: ['*'], types: ['nowhere'] }, 'types'],
    ['an empty name', { events: ['*'], name: ' ' }, 'name'],
    ['a name on two lines', { events: ['*'], name: 'a\nb' }, 'name'],
    ['a secret of one’s own', { events: ['*'], secret: 'whsec_AAAA' }, 'secret'],
    ['an address of 3000 characters', { events: ['*'], url: `https://x.test/${'a'.repeat(3000)}` }, 'url'],
  ] as const)
    test(`with ${rule} is refused at '${key}' and stores nothing`, () =>
      refuses('/api/webhooks', 'POST', { url: PUBLIC_TARGET, ...body }, key))
})

describe('the secret', () => {
  test('C75: is in the answer that makes it and nowhere else', async () => {
    const hook = await addHook(admin.client, { url: PUBLIC_TARGET })
    const rotated = await admin.client.post(`/api/webhooks/${hook.id}/rotate`)
    assert.equal(rotated.status, 200)
    const secrets = [hook.secret, String(rotated.body.secret)]
    assert.notEqual(secrets[0], secrets[1])
    assert.equal(rotated.body.secretLast4, secrets[1]?.slice(-4))
    const { text: list } = await admin.client.get('/api/webhooks')
    const { text: one } = await admin.client.get(`/api/webhooks/${hook.id}`)
    const { text: changed } = await admin.client.put(`/api/webhooks/${hook.id}`, { name: 'Other' })
    const stored = JSON.stringify(await storedWebhooks(service))
    for (const secret of secrets)
      for (const place of [list, one, changed, stored, service.logs.join()])
        assert.ok(!place.includes(secret.slice(6)) && !place.includes('whsec_'))
  })

  test('is replaced only for the version that was read', async () => {
    const hook = await addHook(admin.client, { url: PUBLIC_TARGET })
    const stored = await storedWebhooks(service)
    const stale = await admin.client.post(`/api/webhooks/${hook.id}/rotate`, undefined, { 'if-match': '"v7"' })
    assert.equal(stale.body.code, 'VERSION_CONFLICT')
    assert.deepEqual(await storedWebhooks(service), stored)
  })
})

describe('a change', () => {
  test('changes the members sent, raises the version and is recorded in Activity by their names', async () => {
    const hook = await addHook(admin.client, { url: PUBLIC_TARGET, name: 'Before' })
    service.clock.advance(1000)
    const answer = await admin.client.put(`/api/webhooks/${hook.id}`, { events: ['menu.updated'], enabled: false })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('etag'), '"v2"')
    const { secret: _, ...before } = hook
    assert.deepEqual(answer.body, {
      ...before,
      events: ['menu.updated'],
      enabled: false,
      disabledReason: 'owner',
      version: 2,
      updatedAt: service.clock.now().toISOString(),
    })
    assert.deepEqual(await readHook(admin.client, hook.id), answer.body)
    const [row] = (await activityOf(service, 'webhook.updated')).slice(-1)
    assert.deepEqual([row?.actor_id, row?.via, row?.target_kind], [admin.id, 'session', 'webhook'])
    assert.deepEqual([row?.target_id, row?.target_label, row?.changed], [hook.id, 'Before', ['events', 'enabled']])
  })

  test('to what it is already changes nothing', async () => {
    const hook = await addHook(admin.client, { url: PUBLIC_TARGET })
    const stored = await storedWebhooks(service)
    const answer = await admin.client.put(`/api/webhooks/${hook.id}`, { enabled: true, events: ['*'], types: [] })
    assert.deepEqual([answer.status, answer.body.version], [200, 1])
    assert.deepEqual(await storedWebhooks(service), stored)
  })

  for (const [rule, body, headers] of [
    ['the body’s version', { name: 'Mine', version: 1 }, {}],
    ['If-Match, which beats the body', { name: 'Mine', version: 2 }, { 'if-match': '"v1"' }],
  ] as const)
    test(`made for another version (${rule}) is refused, and says who made the present one`, async () => {
      const hook = await addHook(admin.client, { url: PUBLIC_TARGET })
      await admin.client.put(`/api/webhooks/${hook.id}`, { name: 'Theirs' })
      const answer = await admin.client.put(`/api/webhooks/${hook.id}`, body, headers)
      assert.deepEqual([answer.status, answer.body.code], [409, 'VERSION_CONFLICT'])
      assert.deepEqual(answer.body.details, {
        version: 2,
        updatedAt: service.clock.now().toISOString(),
        updatedBy: { id: admin.id, name: 'Ada Admin' },
      })
      assert.equal((await readHook(admin.client, hook.id)).name, 'Theirs')
    })

  for (const [rule, body, key] of [
    ['an unknown event', { events: ['*', 'nothing'] }, 'events'],
    ['an unknown type', { types: ['nowhere'] }, 'types'],
    ['an unknown member', { owner: 'me' }, 'owner'],
  ] as const)
    test(`with ${rule} is refused at '${key}'`, async () => {
      const hook = await addHook(admin.client, { url: PUBLIC_TARGET })
      await refuses(`/api/webhooks/${hook.id}`, 'PUT', body, key)
    })
})

describe('removing', () => {
  test('takes the log along and is written in Activity', async () => {
    const hook = await addHook(admin.client, { url: PUBLIC_TARGET, name: 'Gone' })
    await publish(service)
    const stale = await admin.client.delete(`/api/webhooks/${hook.id}`, { 'if-match': '"v9"' })
    assert.equal(stale.body.code, 'VERSION_CONFLICT')
    assert.equal((await admin.client.delete(`/api/webhooks/${hook.id}`)).status, 204)
    assert.equal((await admin.client.get(`/api/webhooks/${hook.id}`)).status, 404)
    const { db } = service.cms.database
    assert.deepEqual(await db.selectFrom('webhook_delivery').selectAll().execute(), [])
    const [row] = (await activityOf(service, 'webhook.deleted')).slice(-1)
    assert.deepEqual([row?.target_id, row?.target_label], [hook.id, 'Gone'])
  })
})

describe('lists', () => {
  test('are paged, the newest first, with the same statements however many there are', async () => {
    const costs: number[] = []
    const names: string[] = []
    for (const name of ['one', 'two', 'three']) {
      await addHook(admin.client, { url: PUBLIC_TARGET, name })
      names.unshift(name)
      service.clock.advance(1000)
      await publish(service)
      const watch = service.cms.database.watchStatements()
      const { body } = await admin.client.get('/api/webhooks')
      watch.stop()
      costs.push(watch.texts.length)
      assert.deepEqual(
        body.items.map((item: { name: string }) => item.name),
        names,
      )
    }
    assert.deepEqual(new Set(costs).size, 1)
    const { body } = await admin.client.get('/api/webhooks?limit=2&page=2')
    assert.deepEqual(body.meta, { total: 3, page: 2, limit: 2, pages: 2 })
    assert.equal(body.items.length, 1)
    assert.equal((await admin.client.get('/api/webhooks?sort=name')).status, 400)
  })
})

describe('an id that names nothing', () => {
  for (const [rule, id] of [
    ['unknown', newId()],
    ['malformed', "x'--"],
  ] as const)
    test(`${rule}: every route is 404, and nothing is stored or sent`, async () => {
      const hook = await addHook(admin.client, { url: PUBLIC_TARGET })
      const stored = await storedWebhooks(service)
      const path = `/api/webhooks/${encodeURIComponent(id)}`
      const ofOther = `/api/webhooks/${hook.id}/deliveries/${encodeURIComponent(id)}`
      for (const [method, url, body] of [
        ['GET', path],
        ['PUT', path, { name: 'x', url: 'https://127.0.0.1/' }],
        ['DELETE', path],
        ['POST', `${path}/rotate`],
        ['POST', `${path}/test`],
        ['GET', `${path}/deliveries`],
        ['GET', `${path}/deliveries/${newId()}`],
        ['POST', `${path}/deliveries/${newId()}/redeliver`],
        ['GET', ofOther],
        ['POST', `${ofOther}/redeliver`],
      ] as const) {
        const answer = await admin.client.send(method, url, { body })
        assert.deepEqual([answer.status, answer.body.code], [404, 'NOT_FOUND'], `${method} ${url}`)
      }
      assert.deepEqual(await storedWebhooks(service), stored)
    })

  test('a delivery of another webhook is not found, nor sent again', async () => {
    const mine = await addHook(admin.client, { url: PUBLIC_TARGET })
    const other = await addHook(admin.client, { url: PUBLIC_TARGET, events: ['menu.updated'] })
    await publish(service)
    const { body } = await admin.client.get(`/api/webhooks/${mine.id}/deliveries`)
    const stored = await storedWebhooks(service)
    const path = `/api/webhooks/${other.id}/deliveries/${body.items[0].id}`
    assert.equal((await admin.client.get(path)).status, 404)
    assert.equal((await admin.client.post(`${path}/redeliver`)).status, 404)
    assert.deepEqual(await storedWebhooks(service), stored)
  })
})
