import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { MAX_TOPICS } from '@stoa/cms-model/realtime.ts'
import { newId } from '@stoa/kit/ids.ts'
import { passTime } from '@stoa/tests/lib/waiting.ts'
import { type Site, startSite } from '../../content/entries/testing/site.ts'
import { deliveryKeyFor } from '../../people/delivery-keys/testing/keys.ts'
import { connect, deliveryTicket, type TestSocket, ticketFor } from './testing/sockets.ts'

/** Frames are counted in seconds of this length. */
const SECOND_MS = 100

let site: Site
let key: { id: string; key: string }
before(async () => {
  site = await startSite({ realtime: { secondMs: SECOND_MS } })
  await site.addType('note', [{ key: 'text', type: 'text' }])
  key = await deliveryKeyFor(site.admin, ['article'])
})
after(() => site.close())

const asPerson = async (): Promise<TestSocket> => connect(site, await ticketFor(site.editor.client))
const asWebsite = async (): Promise<TestSocket> => connect(site, await deliveryTicket(site, key.key))

describe('frames', () => {
  test('a session and a website are greeted with what they are', async () => {
    const answer = await site.editor.client.post('/api/realtime/ticket')
    assert.deepEqual(Object.keys(answer.body), ['ticket', 'expiresAt', 'expiresIn'])
    assert.equal(answer.body.expiresIn, 30)
    assert.equal(Date.parse(answer.body.expiresAt) - site.clock.now().getTime(), 30_000)
    const socket = await connect(site, answer.body.ticket)
    const website = await asWebsite()
    await socket.close()
    await website.close()
  })

  test('a ping is answered with the time', async () => {
    const socket = await asPerson()
    assert.deepEqual(await socket.ask({ action: 'ping' }), {
      event: 'pong',
      data: { at: site.clock.now().toISOString() },
    })
    await socket.close()
  })

  test('subscribing twice is subscribing once, and leaving a topic that one is not on is no error', async () => {
    const socket = await asPerson()
    assert.deepEqual(await socket.listen('site'), { event: 'subscribed', topic: 'site', data: {} })
    await socket.listen('site')
    await socket.listen('content:article')
    const entry = await site.add(site.editor.client, { title: 'Twice', data: { summary: 's' } })
    await site.publish(site.editor.client, entry.id)
    assert.deepEqual(
      [await socket.next(), await socket.next(), await socket.next()].map(({ event, topic }) => `${topic} ${event}`),
      ['content:article entry.created', 'site entry.published', 'content:article entry.published'],
    )
    assert.deepEqual(await socket.ask({ action: 'unsubscribe', topic: 'site' }), {
      event: 'unsubscribed',
      topic: 'site',
    })
    assert.deepEqual(await socket.ask({ action: 'unsubscribe', topic: 'site' }), {
      event: 'unsubscribed',
      topic: 'site',
    })
    await site.admin.client.put('/api/settings', { title: 'Another' })
    await socket.silent()
    await socket.close()
  })

  test('an event says what changed and carries no content', async () => {
    const socket = await asPerson()
    await socket.listen('content:article')
    const entry = await site.add(site.editor.client, { title: 'Hidden words', data: { summary: 'secret' } })
    assert.deepEqual(await socket.next(), {
      topic: 'content:article',
      event: 'entry.created',
      data: { id: entry.id, slug: entry.slug, type: 'article' },
    })
    await socket.close()
  })
})

describe('refused topics', () => {
  const refusal = (code: string, topic: string) => ({ event: 'error', topic, code })
  const asked = async (socket: TestSocket, topic: string) => {
    const { event, topic: named, data } = await socket.ask({ action: 'subscribe', topic })
    return { event, topic: named, code: data.code }
  }

  test('what is no topic, no type and no entry is unknown', async () => {
    const socket = await asPerson()
    const unknown = [
      '',
      'all',
      'content:',
      'content:no-such',
      'content:__proto__',
      'entry:',
      'entry:1',
      `entry:${newId()}`,
    ]
    for (const topic of unknown) assert.deepEqual(await asked(socket, topic), refusal('UNKNOWN_TOPIC', topic))
    const long = await socket.ask({ action: 'subscribe', topic: 'x'.repeat(3_000) })
    assert.deepEqual([long.data.code, long.topic], ['UNKNOWN_TOPIC', undefined])
    await socket.close()
  })

  test('an entry in the trash has no topic', async () => {
    const entry = await site.add(site.editor.client, { title: 'Gone' })
    await site.editor.client.delete(`/api/entries/${entry.id}`)
    const socket = await asPerson()
    assert.deepEqual(await asked(socket, `entry:${entry.id}`), refusal('UNKNOWN_TOPIC', `entry:${entry.id}`))
    await socket.close()
  })

  test('C76: a website reaches the types of its key and no entry, and gets the same response for a foreign type as for none', async () => {
    const entry = await site.add(site.editor.client, { title: 'Here' })
    const socket = await asWebsite()
    for (const topic of ['content:note', 'content:no-such', `entry:${entry.id}`, `entry:${newId()}`])
      assert.deepEqual(await asked(socket, topic), refusal('FORBIDDEN_TOPIC', topic))
    await socket.listen('content:article')
    await socket.close()
  })

  test(`a socket has ${MAX_TOPICS} topics at most`, async () => {
    const socket = await asPerson()
    const ids: string[] = []
    for (let count = 0; count < MAX_TOPICS; count += 1)
      ids.push((await site.add(site.editor.client, { title: `T${count}` })).id)
    for (const [index, id] of ids.entries()) {
      await socket.listen(`entry:${id}`)
      if (index % 18 === 17) await passTime(SECOND_MS, 'twenty frames a second are allowed')
    }
    assert.deepEqual(await asked(socket, 'site'), refusal('TOO_MANY_TOPICS', 'site'))
    await socket.listen(`entry:${ids[0]}`)
    await socket.ask({ action: 'unsubscribe', topic: `entry:${ids[0]}` })
    await socket.listen('site')
    await socket.close()
  })
})
