import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { startTcpProxy, type TcpProxy } from '@stoa/tests/lib/tcp-proxy.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { pauseAfter } from './backoff.ts'
import { type CmsError, createClient, type Live, type LiveEvent, type LiveOptions } from './cms-client.ts'

describe('the socket of the client', () => {
  let service: CmsService
  let admin: Person
  let key = { id: '', key: '' }
  let proxy: TcpProxy
  const target = { host: '127.0.0.1', port: 0 }
  const open: Live[] = []

  const mint = async (types: string[]): Promise<{ id: string; key: string }> =>
    (await admin.client.post('/api/delivery-keys', { name: 'Site', types })).body

  const listen = (apiKey: string, options: Partial<LiveOptions> = {}) => {
    const events: LiveEvent[] = []
    const readies: boolean[] = []
    const errors: { error: CmsError; isFinal: boolean }[] = []
    const live = createClient({ url: `http://127.0.0.1:${proxy.port}`, apiKey }).live({
      topics: ['site'],
      onEvent: (event) => events.push(event),
      onReady: ({ isReconnection }) => readies.push(isReconnection),
      onError: (error, { isFinal }) => errors.push({ error, isFinal }),
      ...options,
    })
    open.push(live)
    return { live, events, readies, errors }
  }
  const publish = async (title: string, person = admin): Promise<string> => {
    const made = await person.client.post('/api/entries', { type: 'article', title })
    assert.equal(made.status, 201, made.text)
    const live = await person.client.post(`/api/entries/${made.body.id}/status`, { action: 'publish' })
    assert.equal(live.status, 200, live.text)
    return made.body.id
  }

  before(async () => {
    service = await startCms()
    target.port = Number(new URL(service.url).port)
    proxy = await startTcpProxy(target)
    admin = await service.person('admin')
    for (const name of ['article', 'secret'])
      assert.equal((await admin.client.post('/api/types', { name, label: name })).status, 201)
    key = await mint(['*'])
  })
  after(async () => {
    for (const live of open) live.close()
    await proxy.close()
    await service.close()
  })

  test('receives what is published on the topics it is subscribed to at that time', async () => {
    const { live, events, readies, errors } = listen(key.key)
    await until(() => readies.length === 1, 'ready')
    assert.equal(live.status, 'open')
    const id = await publish('First')
    await until(() => events.length === 1, 'the event')
    assert.deepEqual(events, [
      { topic: 'site', event: 'entry.published', data: { id, slug: 'first', type: 'article' } },
    ])
    live.subscribe('content:article')
    live.unsubscribe('site')
    // Answered in order: when the third is refused, the first two are done.
    live.subscribe('nothing')
    await until(() => errors.length === 1, 'the refusal')
    assert.deepEqual([errors[0]?.error.code, errors[0]?.isFinal], ['UNKNOWN_TOPIC', false])
    await publish('Second')
    await until(() => events.length === 2, 'the second event')
    assert.equal(events[1]?.topic, 'content:article')
    live.close()
    live.close()
    assert.equal(live.status, 'closed')
  })

  test('a topic out of the reach of its key is refused, and the others go on', async () => {
    const narrow = await mint(['article'])
    const { events, errors } = listen(narrow.key, { topics: ['content:secret', 'content:article'] })
    await until(() => errors.length === 1, 'the refusal')
    assert.equal(errors[0]?.error.code, 'FORBIDDEN_TOPIC')
    assert.deepEqual(errors[0]?.error.details, { topic: 'content:secret' })
    await publish('Third')
    await until(() => events.length === 1, 'the event')
  })

  test('a restart of the service is survived with a fresh ticket, and reported', async () => {
    const statuses: string[] = []
    const { events, readies, errors } = listen(key.key, { onStatus: (status) => statuses.push(status) })
    await until(() => readies.length === 1, 'ready')
    const old = service
    service = await startCms({ databaseUrl: old.databaseUrl, clock: old.clock })
    target.port = Number(new URL(service.url).port)
    await old.cms.close()
    await until(() => readies.length === 2, 'ready again')
    assert.deepEqual(readies, [false, true])
    assert.deepEqual([...new Set(errors.map(({ error, isFinal }) => `${error.code} ${isFinal}`))], ['NETWORK false'])
    assert.deepEqual(statuses.slice(0, 2), ['open', 'waiting'])
    const person = { ...admin, client: service.client({ token: admin.token }) }
    admin = person
    await publish('Fourth')
    await until(() => events.some(({ data }) => data.slug === 'fourth'), 'the event after the restart')
  })

  test('a connection that is cut is opened again, and one that cannot be opened is tried with growing pauses', async () => {
    const { readies, live } = listen(key.key)
    await until(() => readies.length === 1, 'ready')
    proxy.cut()
    await until(() => readies.length === 2, 'ready again')
    live.close()
    const { port } = target
    target.port = 1
    const dead = listen(key.key)
    await until(() => dead.errors.length === 2, 'two failures')
    target.port = port
    await until(() => dead.readies.length === 1, 'ready in the end')
    for (const failures of [1, 2, 3, 10, 5000]) {
      const pause = pauseAfter(failures, { firstMs: 500, longestMs: 30_000 })
      const longest = Math.min(500 * 2 ** (failures - 1), 30_000)
      assert.ok(pause >= longest / 2 && pause <= longest, `${pause} after ${failures}`)
    }
  })

  test('a revoked key ends it for good', async () => {
    const doomed = await mint(['*'])
    const { live, readies, errors } = listen(doomed.key)
    await until(() => readies.length === 1, 'ready')
    assert.equal((await admin.client.delete(`/api/delivery-keys/${doomed.id}`)).status, 204)
    await until(() => live.status === 'closed', 'closed')
    assert.deepEqual([errors.at(-1)?.isFinal, errors.at(-1)?.error.status], [true, 401])
  })

  test('an aborted signal closes it, and a ticket may come from elsewhere', async () => {
    const controller = new AbortController()
    const tickets: string[] = []
    const { live, readies } = listen('cms_unused', {
      signal: controller.signal,
      ticket: async () => {
        const response = await fetch(`${service.url}/realtime/delivery/ticket`, {
          method: 'POST',
          headers: { 'x-api-key': key.key },
        })
        const { ticket }: { ticket: string } = await response.json()
        tickets.push(ticket)
        return ticket
      },
    })
    await until(() => readies.length === 1, 'ready')
    assert.equal(tickets.length, 1)
    controller.abort()
    assert.equal(live.status, 'closed')
    const stillborn = listen(key.key, { signal: AbortSignal.abort() })
    assert.equal(stillborn.live.status, 'closed')
  })

  test('a session receives who is at an entry, when it joins and after that', async () => {
    const entryId = await publish('Looked at')
    const asSession = (person: Person) => async (): Promise<string> =>
      (await person.client.post('/api/realtime/ticket')).body.ticket
    const subscribed: { topic: string; names: unknown }[] = []
    const namesOf = (users: unknown) => (Array.isArray(users) ? users.map(({ id }) => id) : users)
    const first = listen('cms_unused', {
      topics: [`entry:${entryId}`],
      ticket: asSession(admin),
      onSubscribed: ({ topic, data }) => subscribed.push({ topic, names: namesOf(data.users) }),
    })
    await until(() => subscribed.length === 1, 'the topic')
    assert.deepEqual(subscribed, [{ topic: `entry:${entryId}`, names: [admin.id] }])
    const ben = await service.person('viewer')
    const second = listen('cms_unused', { topics: [`entry:${entryId}`], ticket: asSession(ben) })
    await until(() => first.events.length === 1, 'the one who came')
    second.live.close()
    await until(() => first.events.length === 2, 'the one who left')
    assert.deepEqual(
      first.events.map(({ event, data }) => [event, namesOf(data.users)]),
      [
        ['presence.joined', [ben.id]],
        ['presence.left', [ben.id]],
      ],
    )
  })

  test('more topics than the server takes in a second are all taken', async () => {
    const names = Array.from({ length: 25 }, (_, index) => `many${index}`)
    for (const name of names) assert.equal((await admin.client.post('/api/types', { name, label: name })).status, 201)
    const taken: string[] = []
    const topics = names.map((name) => `content:${name}`)
    const { errors } = listen(key.key, { topics, onSubscribed: ({ topic }) => taken.push(topic) })
    await until(() => taken.length === topics.length, 'all topics')
    assert.deepEqual(taken, topics)
    assert.deepEqual(errors, [])
  })

  test('who is woken does not wait for the next try', async () => {
    const { live, readies, errors } = listen(key.key)
    await until(() => readies.length === 1, 'ready')
    const { port } = target
    target.port = 1
    proxy.cut()
    // By then the pauses are long
    await until(() => errors.length >= 4, 'failures')
    await until(() => live.status === 'waiting', 'waiting')
    target.port = port
    live.wake()
    assert.equal(live.status, 'connecting')
    await until(() => readies.length === 2, 'ready again')
    live.wake()
    assert.equal(live.status, 'open')
    live.close()
    live.wake()
    assert.equal(live.status, 'closed')
  })
})
