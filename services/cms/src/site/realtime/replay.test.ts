import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type CmsService, startCms } from '@stoa/tests/lib/cms.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { type Site, startSite } from '../../content/entries/testing/site.ts'
import { deliveryKeyFor } from '../../people/delivery-keys/testing/keys.ts'
import { emissionsOf } from './audience.ts'
import { changesSince } from './replay.ts'
import { connect, deliveryTicket } from './testing/sockets.ts'

let site: Site
let other: CmsService
before(async () => {
  site = await startSite({ realtime: { secondMs: 50 } })
  other = await startCms({ databaseUrl: site.databaseUrl, clock: site.clock })
  await Promise.all([site.cms.services.bus.ready(), other.cms.services.bus.ready()])
})
after(async () => {
  await other.close()
  await site.close()
})

const loseNotifications = () =>
  site.cms.database.db.query({
    text: `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = $1`,
    values: [`stoa-cms-events ${site.cms.services.bootId}`],
  })

test('a publication at the moment notifications were lost is received after all', async () => {
  const { key } = await deliveryKeyFor(site.admin)
  const socket = await connect(site, await deliveryTicket(site, key))
  await socket.listen('site')
  const client = other.client({ token: site.editor.token })
  for (let round = 0; round < 3; round += 1) {
    const made = await client.post('/api/entries', { type: 'article', title: `Round ${round}`, data: { summary: 's' } })
    await until(() => site.cms.services.bus.connected, 'the connection')
    await loseNotifications()
    await client.post(`/api/entries/${made.body.id}/status`, { action: 'publish' })
    await until(() => socket.frames.some(({ data }) => data.id === made.body.id), 'the event')
    const replayed = socket.frames.filter(({ data }) => data.id === made.body.id)
    assert.ok(replayed.every(({ event, topic }) => event === 'entry.published' && topic === 'site'))
  }
  await socket.close()
})

test('replayed events have the same audience as at first', async () => {
  site.clock.advance(60_000)
  const since = site.clock.now()
  site.clock.advance(1_000)
  const { client } = site.editor
  const draft = await site.add(client, { title: 'Only a draft' })
  await client.put(`/api/entries/${draft.id}`, { title: 'Still' })
  await client.delete(`/api/entries/${draft.id}`)
  const live = await site.add(client, { title: 'Live', data: { summary: 's' } })
  await site.publish(client, live.id)
  await client.put(`/api/entries/${live.id}`, { title: 'Live again' })
  await client.delete(`/api/entries/${live.id}`)
  await site.admin.client.put('/api/settings', { title: 'Announced' })
  const changes = (await changesSince(site.cms.database.db, since)) ?? []
  const shown = changes.map(({ event, data }) => `${event}${data.isPublic === true ? ' public' : ''}`)
  assert.deepEqual(shown.slice(0, 3), ['entry.created', 'entry.updated', 'entry.deleted'])
  assert.ok(shown.includes('entry.published public'))
  assert.ok(shown.includes('entry.deleted public'))
  assert.ok(shown.includes('settings.updated'))
})

test('every event on `site` is replayed', async () => {
  site.clock.advance(60_000)
  const at = site.clock.now()
  const kinds = ['settings', 'menu', 'type', 'media', 'taxonomy', 'design', 'plugin', 'social']
  await site.cms.database.tx((tx) =>
    tx.query({
      text: `insert into activity (id, at, actor_kind, actor_name, via, action, target_kind, target_label, changed)
        select gen_random_uuid(), $1, 'system', 'x', 'system', kind || '.updated', kind, 'x', '{}' from unnest($2::text[]) kind`,
      values: [at, kinds],
    }),
  )
  const replayed = ((await changesSince(site.cms.database.db, at)) ?? []).flatMap(emissionsOf)
  assert.deepEqual(replayed.map(({ event }) => event).toSorted(), [
    'design.updated',
    'media.changed',
    'menu.updated',
    'plugin.updated',
    'settings.updated',
    'social.updated',
    'taxonomy.updated',
    'type.updated',
  ])
})

test('more than a thousand changes are not replayed one by one', async () => {
  site.clock.advance(60_000)
  const at = site.clock.now()
  await site.cms.database.tx(async (tx) => {
    await tx.query({
      text: `insert into activity (id, at, actor_kind, actor_name, via, action, target_kind, target_label, changed)
        select gen_random_uuid(), $1, 'system', 'x', 'system', 'settings.updated', 'settings', 'x', '{}'
        from generate_series(1, 1001)`,
      values: [at],
    })
  })
  assert.equal(await changesSince(site.cms.database.db, at), null)
})
