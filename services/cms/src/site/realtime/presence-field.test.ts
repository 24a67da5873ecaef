import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { type Site, startSite } from '../../content/entries/testing/site.ts'
import { type OpenSocket, openSocket } from './testing/sockets.ts'

let site: Site
let other: CmsService
let ana: Person
let ben: Person
let entry: { id: string; slug: string }
let topic: string
before(async () => {
  site = await startSite()
  other = await startCms({ databaseUrl: site.databaseUrl, clock: site.clock })
  await Promise.all([site.cms.services.bus.ready(), other.cms.services.bus.ready()])
  ana = await site.person('editor', { name: 'Ana' })
  ben = await site.person('viewer', { name: 'Ben' })
})
beforeEach(async () => {
  entry = await site.add(site.editor.client, { title: 'Looked at' })
  topic = `entry:${entry.id}`
})
after(async () => {
  await other.close()
  await site.close()
})

const open = (person: Person, at: CmsService = site): Promise<OpenSocket> =>
  openSocket(at, site.client({ token: person.token }))
const putField = (person: Person, connectionId: unknown, field: unknown, id = entry.id) =>
  person.client.post(`/api/entries/${id}/presence`, { connectionId, field })
type Users = { name: string; field: string | null }[]
const fieldsOf = (users: Users) => Object.fromEntries(users.map(({ name, field }) => [name, field]))
const stored = async () => {
  const { rows } = await site.cms.database.pool.query('select field from presence where entry_id = $1', [entry.id])
  return rows.map(({ field }) => field)
}

describe('the field that somebody works at', () => {
  test('is sent to everyone at the entry, in every process, with all who are there', async () => {
    const writer = await open(ana)
    await writer.listen(topic)
    const watcher = await open(ben, other)
    assert.deepEqual(fieldsOf((await watcher.listen(topic)).data.users), { Ana: null, Ben: null })
    await writer.next()
    const answer = await putField(ana, writer.connectionId, 'summary')
    assert.deepEqual([answer.status, answer.text], [204, ''])
    for (const socket of [watcher, writer]) {
      const frame = await socket.next()
      assert.deepEqual([frame.event, frame.topic, frame.data.type], ['presence.state', topic, 'article'])
      assert.deepEqual(fieldsOf(frame.data.users), { Ana: 'summary', Ben: null })
    }
    const late = await open(site.editor, other)
    const { users } = (await late.listen(topic)).data
    assert.equal(fieldsOf(users).Ana, 'summary')
    for (const socket of [watcher, writer]) assert.equal((await socket.next()).event, 'presence.joined')
    assert.equal((await putField(ana, writer.connectionId, null)).status, 204)
    assert.equal(fieldsOf((await watcher.next()).data.users).Ana, null)
    for (const socket of [writer, watcher, late]) await socket.close()
  })

  test('is sent once: the same field again sends no event', async () => {
    const writer = await open(ana)
    await writer.listen(topic)
    for (const field of ['title', 'title']) assert.equal((await putField(ana, writer.connectionId, field)).status, 204)
    assert.equal(fieldsOf((await writer.next()).data.users).Ana, 'title')
    await writer.silent()
    await writer.close()
  })

  test('is the last one of several tabs, and another one when that tab closes', async () => {
    const watcher = await open(ben, other)
    await watcher.listen(topic)
    const first = await open(ana)
    const second = await open(ana, other)
    for (const tab of [first, second]) await tab.listen(topic)
    assert.equal((await watcher.next()).event, 'presence.joined')
    await putField(ana, first.connectionId, 'summary')
    assert.equal(fieldsOf((await watcher.next()).data.users).Ana, 'summary')
    site.clock.advance(1_000)
    await putField(ana, second.connectionId, 'price')
    assert.equal(fieldsOf((await watcher.next()).data.users).Ana, 'price')
    await second.close()
    assert.equal(fieldsOf((await watcher.next()).data.users).Ana, 'summary')
    await first.close()
    assert.equal((await watcher.next()).event, 'presence.left')
    await watcher.close()
  })

  test('a join while it is read is never sent before it, and stays', async () => {
    const watcher = await open(ben, other)
    await watcher.listen(topic)
    const writer = await open(ana)
    await writer.listen(topic)
    await watcher.next()
    const fields = ['title', 'slug', 'summary', 'price', 'body']
    const [joiner] = await Promise.all([
      open(site.editor).then(async (socket) => {
        await socket.listen(topic)
        return socket
      }),
      (async () => {
        for (const field of fields) await putField(ana, writer.connectionId, field)
      })(),
    ])
    let people = new Set<string>()
    let field: string | null = null
    // A state is read when its turn comes, so that it may be newer than the change that it was read for.
    for (let frames = 0; frames < fields.length + 1; frames += 1) {
      const { event, data } = await watcher.next()
      const names: string[] = data.users.map(({ id }: { id: string }) => id)
      people = event === 'presence.state' ? new Set(names) : new Set([...people, ...names])
      field = event === 'presence.state' ? (fieldsOf(data.users).Ana ?? null) : field
    }
    await watcher.silent()
    assert.deepEqual([people.size, people.has(site.editor.id), field], [3, true, 'body'])
    for (const socket of [writer, watcher, joiner]) await socket.close()
  })

  test('is one of the type, sent by an own socket that has the entry open; otherwise nothing changes', async () => {
    const writer = await open(ana)
    await writer.listen(topic)
    const stranger = await open(ben)
    await stranger.listen(topic)
    await writer.next()
    const idle = await open(ana)
    for (const [connectionId, field, key] of [
      [writer.connectionId, 'nothing', 'field'],
      [writer.connectionId, '', 'field'],
      [writer.connectionId, 7, 'field'],
      [writer.connectionId, undefined, 'field'],
      [stranger.connectionId, 'title', 'connectionId'],
      [idle.connectionId, 'title', 'connectionId'],
      [newId(), 'title', 'connectionId'],
      ['x', 'title', 'connectionId'],
      [undefined, 'title', 'connectionId'],
    ] as const) {
      const answer = await putField(ana, connectionId, field)
      assert.deepEqual([answer.status, answer.body.details.fields[0].key], [400, key], answer.text)
    }
    assert.equal((await putField(ana, writer.connectionId, 'title', newId())).status, 404)
    assert.deepEqual(await stored(), [null, null])
    await stranger.silent()
    for (const socket of [writer, stranger, idle]) await socket.close()
  })

  test('shows the picture of who works there', async () => {
    const avatarId = await site.addMedia('image/png')
    const { avatarUrl } = (await ana.client.put('/api/auth/me', { avatarId })).body
    const watcher = await open(ben, other)
    await watcher.listen(topic)
    const writer = await open(ana)
    const { users } = (await writer.listen(topic)).data
    const own = users.find(({ id }: { id: string }) => id === ana.id)
    assert.equal(own.avatarUrl, avatarUrl)
    assert.equal((await watcher.next()).data.users[0].avatarUrl, avatarUrl)
    for (const socket of [writer, watcher]) await socket.close()
  })
})
