import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { POSITION_HEADER } from '@stoa/cms-model/position-header.ts'
import { type CmsService, PASSWORD, startCms } from '@stoa/tests/lib/cms.ts'
import { loseNotifications } from '@stoa/tests/lib/lose-notifications.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { type Site, startSite } from '../../content/entries/testing/site.ts'
import { deliveryKeyFor } from '../../people/delivery-keys/testing/keys.ts'
import { connect, deliveryTicket, ticketFor } from './testing/sockets.ts'

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

const positionAt = async (service: CmsService): Promise<string> => {
  const { headers } = await service.client({ token: site.editor.token }).get('/api/auth/me')
  return headers.get(POSITION_HEADER) ?? assert.fail('no position')
}
const person = async () => connect(site, await ticketFor(site.viewer.client))
const subscribe = (topic: string, since: string) => ({ action: 'subscribe', topic, since })

test('a subscription with a position first gets the events since then, and no earlier ones', async () => {
  await site.add(site.editor.client, { title: 'Before' })
  const since = await positionAt(site)
  const { id } = await site.add(site.editor.client, { title: 'Missed' })
  await other.client({ token: site.editor.token }).put(`/api/entries/${id}`, { title: 'Missed again' })
  await until(() => (site.cms.services.bus.since(since) ?? []).length > 1, 'the change of the other process')
  const socket = await person()
  const data = { id, slug: 'missed', type: 'article' }
  assert.deepEqual(await socket.ask(subscribe('content:article', since)), {
    topic: 'content:article',
    event: 'entry.created',
    data,
  })
  assert.equal((await socket.next()).event, 'entry.updated')
  const subscribed = await socket.next()
  assert.deepEqual([subscribed.event, subscribed.data.isReplayed], ['subscribed', true])
  await socket.silent()
  assert.equal((await socket.ask(subscribe('site', since))).event, 'subscribed')
  const again = await socket.ask(subscribe('content:article', subscribed.data.position))
  assert.deepEqual([again.event, again.data.isReplayed], ['subscribed', true])
  await socket.close()
})

test('a position of one process is known to the other, and returned at sign-in', async () => {
  const signedIn = await other.client().post('/api/auth/login', { email: site.editor.email, password: PASSWORD })
  const since = signedIn.headers.get(POSITION_HEADER) ?? assert.fail(signedIn.text)
  const socket = await person()
  const { event, data } = await socket.ask(subscribe('site', since))
  assert.deepEqual([event, data.isReplayed], ['subscribed', true])
  await socket.close()
})

test('the position of a client moves on with what it has received', async () => {
  const [keeping, plain] = [await person(), await person()]
  await keeping.ask(subscribe('content:article', ''))
  await plain.listen('content:article')
  const { id } = await site.add(site.editor.client, { title: 'Heard' })
  assert.equal((await keeping.next()).data.id, id)
  const isBehind = (position: string) => site.cms.services.bus.since(position)?.length !== 0
  await until(() => keeping.positions.some((position) => !isBehind(position)), 'the position after it')
  const again = await person()
  const { event, data } = await again.ask(subscribe('content:article', keeping.positions.at(-1) ?? ''))
  assert.deepEqual([event, data.isReplayed], ['subscribed', true])
  assert.deepEqual(plain.positions, [])
  for (const socket of [keeping, plain, again]) await socket.close()
})

test('a website gets replayed what it may receive, and no more', async () => {
  const { key } = await deliveryKeyFor(site.admin)
  const since = await positionAt(site)
  const { id } = await site.add(site.editor.client, { title: 'For all', data: { summary: 's' } })
  await site.publish(site.editor.client, id)
  await site.add(site.editor.client, { title: 'A draft' })
  const socket = await connect(site, await deliveryTicket(site, key))
  assert.equal((await socket.ask(subscribe('content:article', since))).event, 'entry.published')
  assert.equal((await socket.next()).event, 'subscribed')
  await socket.close()
})

test('a position that is unknown, or from before a loss of notifications, is said to be so', async () => {
  const old = await positionAt(site)
  await loseNotifications(site.cms.database, 'stoa-cms-events')
  await until(() => site.cms.services.bus.since(old) === null, 'the loss')
  await until(() => site.cms.services.bus.position() !== undefined, 'the way back')
  const socket = await person()
  for (const since of ['', 'nonsense', old, '1/2:3:']) {
    const { event, data } = await socket.ask(subscribe('site', since))
    assert.deepEqual([event, data.isReplayed, typeof data.position], ['subscribed', false, 'string'], since)
  }
  assert.equal((await socket.ask(subscribe('site', 'x'.repeat(2_001)))).data.code, 'BAD_FRAME')
  await socket.close()
})
