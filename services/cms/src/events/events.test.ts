import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CmsService, startCms } from '@stoa/tests/lib/cms.ts'
import { contextFor } from '../context.ts'
import { type ChangeRecord, recordChange } from './events.ts'

let service: CmsService
before(async () => {
  service = await startCms()
})
after(() => service.close())

const activity = () => service.cms.database.db.selectFrom('activity').selectAll().orderBy('id').execute()
const deliveries = () => service.cms.database.db.selectFrom('webhook_delivery').selectAll().orderBy('id').execute()

const addHook = (id: string, events: string[], details: Record<string, unknown>) =>
  service.cms.database.tx((tx) =>
    tx
      .insertInto('webhook_endpoint')
      .values({
        id,
        owner: 'site',
        url: 'https://hooks.example/x',
        events,
        details: JSON.stringify(details),
        secret_sealed: 'sealed',
        secret_hint: 'hint',
        disabled_reason: null,
        failing_since: null,
        last_success_at: null,
        created_at: service.clock.now(),
        updated_at: service.clock.now(),
      })
      .execute(),
  )

const system = () => contextFor(service.cms.services, { kind: 'system' as const, name: 'scheduler' })
const published = (type: string): ChangeRecord => ({
  action: 'entry.published',
  target: { kind: 'entry', id: 'e1', label: 'Hello' },
  changed: ['title'],
  events: [{ name: 'entry.published', data: { id: 'e1', type, slug: 'hello' }, isPublic: true }],
})

describe('recording a change', () => {
  test('writes who did what, and a delivery for each hook that wants it', async () => {
    await addHook('a', ['*'], {})
    await addHook('b', ['entry.published'], { types: ['page'] })
    await addHook('c', ['menu.updated'], {})
    await service.cms.database.tx((tx) => recordChange(system(), tx, published('article')))
    const [row] = await activity()
    assert.equal(row?.action, 'entry.published')
    assert.equal(row?.actor_name, 'scheduler')
    assert.deepEqual(row?.changed, ['title'])
    const sent = await deliveries()
    assert.deepEqual(
      sent.map((delivery) => delivery.endpoint_id),
      ['a'],
    )
    const payload = JSON.parse(sent[0]?.payload ?? '')
    assert.equal(payload.id, `evt_${sent[0]?.id}`)
    assert.equal(payload.event, 'entry.published')
    assert.deepEqual(payload.actor, { kind: 'system', id: null, name: 'scheduler' })
    assert.deepEqual(payload.data, { id: 'e1', type: 'article', slug: 'hello' })
    assert.equal(payload.previous, null)
  })

  test('leaves nothing behind when the transaction fails', async () => {
    const before = { activity: await activity(), deliveries: await deliveries() }
    await assert.rejects(
      service.cms.database.tx(async (tx) => {
        await recordChange(system(), tx, published('page'))
        throw new Error('no')
      }),
    )
    assert.deepEqual({ activity: await activity(), deliveries: await deliveries() }, before)
  })
})
