import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { startCms } from '@stoa/tests/lib/cms.ts'
import { type Site, startSite } from '../../content/entries/testing/site.ts'
import { deliveryKeyFor } from '../../people/delivery-keys/testing/keys.ts'
import { emissionsOf } from './audience.ts'
import { connect, deliveryTicket, type TestSocket, ticketFor } from './testing/sockets.ts'

let site: Site
before(async () => {
  site = await startSite()
  await site.addType('note', [{ key: 'text', type: 'text' }])
})
after(() => site.close())

const website = async (types: string[]): Promise<TestSocket> => {
  const { key } = await deliveryKeyFor(site.admin, types)
  return connect(site, await deliveryTicket(site, key))
}
const person = async (): Promise<TestSocket> => connect(site, await ticketFor(site.viewer.client))

/** All that came until a ping was answered, as `topic event slug`. */
const received = async (socket: TestSocket): Promise<string[]> => {
  socket.send({ action: 'ping' })
  const lines: string[] = []
  for (;;) {
    const { event, topic, data } = await socket.next()
    if (event === 'pong') return lines
    assert.deepEqual(Object.keys(data), ['id', 'slug', 'type'])
    lines.push(`${topic} ${event} ${data.slug}`)
  }
}

const live = async (title: string) => {
  const entry = await site.add(site.editor.client, { title, data: { summary: 's' } })
  await site.publish(site.editor.client, entry.id)
  return entry
}

describe('the audience of an event', () => {
  test('the life of an entry on its three topics', async () => {
    const socket = await person()
    const { id } = await site.add(site.editor.client, { title: 'Life', data: { summary: 's' } })
    for (const topic of ['site', 'content:article', `entry:${id}`]) await socket.listen(topic)
    const { client } = site.editor
    await client.put(`/api/entries/${id}`, { title: 'Life' })
    await client.put(`/api/entries/${id}`, { data: { summary: 'other' } })
    await site.publish(client, id)
    await client.put(`/api/entries/${id}`, { data: { price: 1 } })
    await client.put(`/api/entries/${id}`, { data: { price: 2 }, mode: 'draft' })
    await client.post(`/api/entries/${id}/status`, { action: 'unpublish' })
    await client.post(`/api/entries/${id}/status`, { action: 'publish', at: '2026-03-02T12:00:00.000Z' })
    await client.delete(`/api/entries/${id}`)
    await client.post(`/api/entries/${id}/restore`)
    const lines = await received(socket)
    const on = (topic: string) => lines.filter((line) => line.startsWith(`${topic} `)).map((line) => line.split(' ')[1])
    const all = [
      'entry.updated',
      'entry.published',
      'entry.updated',
      'entry.published',
      'entry.updated',
      'entry.unpublished',
      'entry.scheduled',
      'entry.deleted',
      'entry.restored',
    ]
    assert.deepEqual(on('content:article'), all)
    assert.deepEqual(on(`entry:${id}`), all)
    assert.deepEqual(on('site'), ['entry.published', 'entry.published', 'entry.unpublished', 'entry.deleted'])
    await socket.close()
  })

  test('a website receives what becomes public, changes or goes, and nothing of drafts', async () => {
    const socket = await website(['article'])
    await socket.listen('site')
    await socket.listen('content:article')
    const draft = await site.add(site.editor.client, { title: 'A draft', data: { summary: 's' } })
    await site.editor.client.put(`/api/entries/${draft.id}`, { title: 'Still a draft' })
    await site.editor.client.delete(`/api/entries/${draft.id}`)
    await site.editor.client.post(`/api/entries/${draft.id}/restore`)
    assert.deepEqual(await received(socket), [])
    const entry = await live('Public')
    await site.editor.client.put(`/api/entries/${entry.id}`, { data: { price: 3 } })
    await site.editor.client.put(`/api/entries/${entry.id}`, { data: { price: 4 }, mode: 'draft' })
    await site.editor.client.post(`/api/entries/${entry.id}/status`, { action: 'unpublish' })
    await site.publish(site.editor.client, entry.id)
    await site.editor.client.delete(`/api/entries/${entry.id}`)
    const events = ['entry.published', 'entry.published', 'entry.unpublished', 'entry.published', 'entry.deleted']
    assert.deepEqual(
      await received(socket),
      events.flatMap((event) => [`site ${event} public`, `content:article ${event} public`]),
    )
    await socket.close()
  })

  test('a website receives on `site` only events of the types of its key', async () => {
    const [notes, all] = [await website(['note']), await website(['*'])]
    await notes.listen('site')
    await all.listen('site')
    await live('Foreign')
    assert.deepEqual(await received(notes), [])
    assert.deepEqual(await received(all), ['site entry.published foreign'])
    await notes.close()
    await all.close()
  })

  test('people receive settings, menus, types and taxonomies on `site`; websites do not', async () => {
    const [people, shop] = [await person(), await website(['*'])]
    await people.listen('site')
    await shop.listen('site')
    const { client } = site.admin
    await client.put('/api/settings', { title: 'New name' })
    await client.post('/api/menus', { name: 'main', label: 'Main' })
    await client.delete('/api/menus/main')
    await client.post('/api/types', { name: 'thing', label: 'Thing', fields: [] })
    await client.delete('/api/types/thing')
    await client.post('/api/taxonomies', { name: 'tags', label: 'Tags', types: ['article'] })
    assert.deepEqual(
      (await received(people)).map((line) => line.split(' ')[1]),
      ['settings.updated', 'menu.updated', 'menu.updated', 'type.updated', 'type.updated', 'taxonomy.updated'],
    )
    assert.deepEqual(await received(shop), [])
    await people.close()
    await shop.close()
  })

  test('any change of a file is media.changed; accounts, keys and webhooks are nobody’s business', () => {
    const emitted = (event: string) =>
      emissionsOf({ topic: event.split('.')[0] ?? '', event, data: { id: newId(), title: 'secret', isPublic: true } })
    for (const event of ['media.created', 'media.updated', 'media.deleted'])
      assert.deepEqual(
        emitted(event).map((emission) => `${emission.topic} ${emission.event} ${Object.keys(emission.data)}`),
        ['site media.changed id,slug,type'],
      )
    assert.deepEqual(
      emitted('design.updated').map(({ topic, event, isPublic }) => ({ topic, event, isPublic })),
      [{ topic: 'site', event: 'design.updated', isPublic: false }],
    )
    for (const event of [
      'user.updated',
      'host.updated',
      'session.ended',
      'deliveryKey.updated',
      'agentKey.created',
      'webhook.due',
    ])
      assert.deepEqual(emitted(event), [])
    for (const event of ['entry.no-such', '__proto__.x', 'constructor.x']) assert.deepEqual(emitted(event), [])
  })

  test('what another process commits is received as well', async () => {
    const other = await startCms({ databaseUrl: site.databaseUrl, clock: site.clock })
    try {
      await Promise.all([site.cms.services.bus.ready(), other.cms.services.bus.ready()])
      const socket = await person()
      await socket.listen('content:article')
      const client = other.client({ token: site.editor.token })
      const { body } = await client.post('/api/entries', { type: 'article', title: 'From afar' })
      assert.deepEqual(await socket.next(), {
        topic: 'content:article',
        event: 'entry.created',
        data: { id: body.id, slug: 'from-afar', type: 'article' },
      })
      await socket.close()
    } finally {
      await other.close()
    }
  })
})
