import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { createEgress } from '@stoa/kit/egress/egress.ts'
import { selfSignedCertificate } from '@stoa/tests/lib/certificate.ts'
import { type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { type FakeWebhook, startFakeWebhook } from '@stoa/tests/lib/fake-webhook.ts'
import { contextFor } from '../../context.ts'
import { recordChange } from '../../events/events.ts'
import { ALLOW_PRIVATE, activityOf, addHook, ENTRY_ID, publish, readHook, sendDue, systemOf } from './testing/ground.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

let service: CmsService
let admin: Person
let receiver: FakeWebhook
before(async () => {
  service = await startCms({ env: ALLOW_PRIVATE })
  admin = await service.person('admin', { name: 'Ada Admin' })
})
after(() => service.close())
beforeEach(async () => {
  await service.cms.database.tx((tx) => tx.deleteFrom('webhook_endpoint').execute())
  receiver = await startFakeWebhook({ now: () => service.clock.now() })
})
afterEach(() => receiver.close())

/** A webhook that the receiver trusts. */
const hookTo = async (path = '/in', members: Record<string, unknown> = {}) => {
  const hook = await addHook(admin.client, { url: receiver.url + path, name: 'Website', ...members })
  receiver.trust(hook.secret)
  return hook
}
const logOf = async (id: string, query = '') => (await admin.client.get(`/api/webhooks/${id}/deliveries${query}`)).body
const lastOf = async (id: string) => (await readHook(admin.client, id)).lastDelivery

describe('a change', () => {
  test('is sent in a signed request with the documented headers and members', async () => {
    await hookTo()
    await publish(service, {
      ctx: contextFor(service.cms.services, {
        kind: 'session' as const,
        sessionId: admin.sessionId,
        account: {
          id: admin.id,
          email: admin.email,
          name: 'Ada Admin',
          role: admin.role,
          avatar: null,
          hasTotp: false,
          version: 1,
          createdAt: service.clock.now(),
          updatedAt: service.clock.now(),
        },
      }),
    })
    await sendDue(service)
    assert.deepEqual(receiver.problems, [])
    const [event] = receiver.received
    assert.equal(event?.headers['x-cms-event'], 'entry.published')
    assert.equal(event?.headers['user-agent'], 'stoa-cms-webhooks/1')
    assert.equal(event?.headers['content-type'], 'application/json')
    assert.deepEqual(event?.json, {
      id: `evt_${event?.id}`,
      event: 'entry.published',
      createdAt: service.clock.now().toISOString(),
      site: 'http://cms.test',
      actor: { kind: 'user', id: admin.id, name: 'Ada Admin' },
      data: {
        id: ENTRY_ID,
        slug: 'hello',
        type: 'article',
        title: 'Hello',
        status: 'published',
        locale: 'en',
        url: 'https://www.example.com/hello',
      },
      previous: { slug: 'hallo', status: 'draft', url: null },
      changed: ['title'],
    })
  })

  test('that the scheduler makes is sent like any other, with the actor system', async () => {
    await hookTo()
    await publish(service, { ctx: systemOf(service) })
    await sendDue(service)
    const [event] = receiver.received
    assert.deepEqual(Reflect.get(Object(event?.json), 'actor'), { kind: 'system', id: null, name: 'scheduler' })
  })

  test('reaches those webhooks that chose its event and type, and are on', async () => {
    const types = ['article', 'page'].map((name) => ({ name, label: name, label_plural: name, icon: '' }))
    const rest = { description: '', kind: 'single' as const, preview_url: null, fields: '[]', updated_by: null }
    const at = { created_at: service.clock.now(), updated_at: service.clock.now() }
    await service.cms.database.tx((tx) =>
      tx
        .insertInto('content_type')
        .values(types.map((type) => ({ ...type, ...rest, ...at })))
        .execute(),
    )
    const secrets = [
      await hookTo('/all'),
      await hookTo('/chosen', { events: ['entry.published'], types: ['article'] }),
      await hookTo('/other-type', { types: ['page'] }),
      await hookTo('/other-event', { events: ['menu.updated'] }),
      await hookTo('/off', { enabled: false }),
    ].map(({ secret }) => secret)
    receiver.trust(...secrets)
    await publish(service)
    await sendDue(service)
    assert.deepEqual(receiver.received.map(({ path }) => path).sort(), ['/all', '/chosen'])
  })

  test('that was rolled back is not sent', async () => {
    await hookTo()
    const failing = service.cms.database.tx(async (tx) => {
      const events = [{ name: 'menu.updated' as const, data: { id: 'main' }, isPublic: true }]
      await recordChange(systemOf(service), tx, { action: 'x', target: { kind: 'x', id: null, label: '' }, events })
      throw new Error('no')
    })
    await assert.rejects(failing, /no/)
    await sendDue(service)
    assert.equal(receiver.received.length, 0)
  })
})

describe('the last outcome', () => {
  test('is shown with the webhook: time, event, status, duration, error and attempt', async () => {
    const { id } = await hookTo()
    receiver.script([{ status: 500, body: 'down' }])
    await publish(service)
    assert.equal(await lastOf(id), null)
    await sendDue(service)
    const failed = await lastOf(id)
    assert.deepEqual(
      { ...failed, durationMs: typeof failed?.durationMs },
      {
        at: service.clock.now().toISOString(),
        event: 'entry.published',
        status: 'pending',
        responseStatus: 500,
        durationMs: 'number',
        error: 'The server returned 500',
        attempt: 1,
      },
    )
    service.clock.advance(12 * SECOND)
    await sendDue(service)
    const { body } = await admin.client.get('/api/webhooks')
    const { status, responseStatus, error, attempt } = body.items[0].lastDelivery
    assert.deepEqual([status, responseStatus, error, attempt], ['success', 204, null, 2])
  })

  test('is never hidden by a 304', async () => {
    const { id } = await hookTo()
    const first = await admin.client.get(`/api/webhooks/${id}`)
    await publish(service)
    await sendDue(service)
    const etag = String(first.headers.get('etag'))
    const again = await admin.client.get(`/api/webhooks/${id}`, { 'if-none-match': etag })
    assert.deepEqual([again.status, again.headers.get('etag')], [200, etag])
    assert.equal(again.body.lastDelivery.status, 'success')
  })
})

describe('a target that fails', () => {
  test('is tried after 10 s, 1 m, 5 m, 30 m, 2 h and 6 h with the same id, then given up', async () => {
    const { id } = await hookTo()
    receiver.script(() => ({ status: 503, body: 'later' }))
    await publish(service)
    await sendDue(service)
    for (const wait of [10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR]) {
      const before = receiver.received.length
      const [{ nextAttemptAt }] = (await logOf(id)).items
      const due = new Date(nextAttemptAt).getTime() - service.clock.now().getTime()
      assert.ok(due >= wait && due <= wait * 1.2, `${due} is not ${wait} with jitter`)
      service.clock.advance(due - 1)
      await sendDue(service)
      assert.equal(receiver.received.length, before)
      service.clock.advance(1)
      await sendDue(service)
      assert.equal(receiver.received.length, before + 1)
    }
    service.clock.advance(48 * HOUR)
    await sendDue(service)
    assert.equal(receiver.received.length, 7)
    assert.equal(new Set(receiver.received.map((event) => event.id)).size, 1)
    assert.equal(new Set(receiver.received.map((event) => event.body.toString())).size, 1)
    assert.deepEqual(receiver.problems, [])
    const [delivery] = (await logOf(id, '?status=failed')).items
    assert.deepEqual([delivery.attempts, delivery.nextAttemptAt], [7, null])
  })

  test('with 410 is disabled at once, by the system, and recorded in Activity', async () => {
    const { id } = await hookTo()
    receiver.script(() => ({ status: 410 }))
    await publish(service)
    await publish(service)
    await sendDue(service)
    const hook = await readHook(admin.client, id)
    assert.deepEqual([hook.enabled, hook.disabledReason], [false, 'gone'])
    await publish(service)
    service.clock.advance(HOUR)
    const before = receiver.received.length
    await sendDue(service)
    assert.equal(receiver.received.length, before)
    const rows = (await activityOf(service, 'webhook.disabled')).filter(({ target_id }) => target_id === id)
    assert.equal(rows.length, 1)
    assert.deepEqual([rows[0]?.actor_kind, rows[0]?.via, rows[0]?.target_label], ['system', 'system', 'Website'])
    assert.deepEqual(rows[0]?.changed, ['enabled'])
  })

  test('for fifty events in a row is switched off; switched on again it starts anew', async () => {
    const { id } = await hookTo()
    const failures = (count: number) =>
      service.cms.database.tx((tx) =>
        tx.updateTable('webhook_endpoint').set({ consecutive_failures: count }).where('id', '=', id).execute(),
      )
    const useUp = () =>
      service.cms.database.tx((tx) => tx.updateTable('webhook_delivery').set({ retries: 6 }).execute())
    receiver.script(() => ({ status: 500 }))
    for (const [before, isOn] of [
      [48, true],
      [49, false],
    ] as const) {
      await failures(before)
      await publish(service)
      await useUp()
      await sendDue(service)
      assert.equal((await readHook(admin.client, id)).enabled, isOn)
    }
    assert.equal((await readHook(admin.client, id)).disabledReason, 'failing')
    const rows = (await activityOf(service, 'webhook.disabled')).filter(({ target_id }) => target_id === id)
    assert.equal(rows.length, 1)
    const { body } = await admin.client.put(`/api/webhooks/${id}`, { enabled: true })
    assert.deepEqual([body.enabled, body.disabledReason], [true, null])
    receiver.script([])
    await publish(service)
    await sendDue(service)
    assert.equal((await lastOf(id))?.status, 'success')
  })
})

describe('a redirect', () => {
  test('C71: is a failure, whatever kind, and its target receives nothing', async (t) => {
    const certificate = selfSignedCertificate(['hooks.test'])
    const outside = await startFakeWebhook({ certificate, name: 'hooks.test', now: () => service.clock.now() })
    t.after(() => outside.close())
    const egress = createEgress({
      ports: [outside.port],
      resolver: async () => ['127.0.0.1'],
      isAllowed: () => true,
      trustedCa: [certificate.cert],
    })
    const closed = await startCms({ webhookEgress: egress, clock: service.clock })
    t.after(() => closed.close())
    const person = await closed.person('admin')
    const hook = await addHook(person.client, { url: `${outside.url}/in` })
    outside.trust(hook.secret)
    for (const status of [301, 302, 303, 307, 308]) {
      outside.script([{ status, headers: { location: `${receiver.url}/secret` } }])
      await publish(closed)
      await sendDue(closed)
      const { lastDelivery } = await readHook(person.client, hook.id)
      assert.equal(lastDelivery?.responseStatus, status)
      assert.match(lastDelivery?.error ?? '', /redirects aren't followed/)
    }
    assert.deepEqual([outside.problems, outside.received.length], [[], 5])
    assert.equal(receiver.received.length + receiver.problems.length, 0)
  })

  test('with WEBHOOK_ALLOW_PRIVATE is followed three times if it keeps method and body', async () => {
    const { id } = await hookTo('/0')
    const next = ({ path }: { path: string }) => ({ status: 308, headers: { location: `/${Number(path[1]) + 1}` } })
    receiver.script((request) => (request.path === '/3' ? { status: 200 } : next(request)))
    await publish(service)
    await sendDue(service)
    assert.deepEqual(
      receiver.received.map(({ path }) => path),
      ['/0', '/1', '/2', '/3'],
    )
    assert.equal((await lastOf(id))?.status, 'success')
    receiver.script(next)
    await publish(service)
    await sendDue(service)
    assert.equal(receiver.received.length, 8)
    receiver.script(() => ({ status: 302, headers: { location: '/3' } }))
    await publish(service)
    await sendDue(service)
    assert.deepEqual([receiver.received.length, (await lastOf(id))?.responseStatus], [9, 302])
  })
})

describe('a rotated secret', () => {
  test('signs everything from then on, also what waited', async () => {
    const { id } = await hookTo()
    await publish(service)
    const { body } = await admin.client.post(`/api/webhooks/${id}/rotate`)
    await sendDue(service)
    assert.equal(receiver.received.length, 0)
    assert.match(receiver.problems[0] ?? '', /No matching signature/)
    receiver.trust(String(body.secret))
    service.clock.advance(12 * SECOND)
    await sendDue(service)
    assert.equal(receiver.received.length, 1)
  })
})
