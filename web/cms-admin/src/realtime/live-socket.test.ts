import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { POSITION_HEADER } from '@stoa/cms-model/position-header.ts'
import { type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { startTcpProxy, type TcpProxy } from '@stoa/tests/lib/tcp-proxy.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { RequestError } from '@stoa/ui/request/request.ts'
import { createLiveSocket, type LiveSocket } from './live-socket.ts'

let service: CmsService
let proxy: TcpProxy
let ana: Person
let ben: Person
let entryId: string
let topic: string
const open: LiveSocket[] = []

const socketOf = (person: Person, since?: string) => {
  const received: { events: string[]; missed: number } = { events: [], missed: 0 }
  const socket = createLiveSocket({
    address: `ws://127.0.0.1:${proxy.port}/realtime`,
    ticket: async () => {
      const { status, body } = await person.client.post('/api/realtime/ticket')
      if (status !== 200) throw new RequestError({ message: body.error, fields: [] }, status, body.code)
      return body.ticket
    },
    onEvent: ({ event }) => received.events.push(event),
    since,
    onMissed: () => {
      received.missed += 1
    },
  })
  open.push(socket)
  return { socket, received }
}
const positionOf = async (person: Person) =>
  (await person.client.get('/api/auth/me')).headers.get(POSITION_HEADER) ?? assert.fail('a position')
const names = (socket: LiveSocket) => socket.people(topic).map(({ name }) => name)

before(async () => {
  service = await startCms()
  proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(service.url).port) })
  const admin = await service.person('admin')
  ana = await service.person('editor', { name: 'Ana' })
  ben = await service.person('editor', { name: 'Ben' })
  assert.equal((await admin.client.post('/api/types', { name: 'article', label: 'Article' })).status, 201)
  entryId = (await admin.client.post('/api/entries', { type: 'article', title: 'A' })).body.id
  topic = `entry:${entryId}`
})
after(async () => {
  for (const socket of open) socket.stop()
  await proxy.close()
  await service.close()
})

describe('the socket of a tab', () => {
  test('is shared by listeners, and left with the last of them', async () => {
    const { socket, received } = socketOf(ana)
    const calls: string[] = []
    const leave = [socket.listen(topic, () => calls.push('first')), socket.listen(topic, () => calls.push('second'))]
    assert.equal(socket.status(), 'closed')
    socket.start()
    await until(() => names(socket).length === 1, 'the seat')
    await ben.client.put(`/api/entries/${entryId}`, { title: 'B' })
    await until(() => received.events.includes('entry.updated'), 'the event')
    assert.deepEqual(calls, ['first', 'second'])
    for (const stop of leave) stop()
    assert.deepEqual(socket.people(topic), [])
    socket.stop()
    assert.equal(socket.status(), 'closed')
  })

  test('tracks who comes and goes, and notifies the watchers', async () => {
    const [mine, other] = [socketOf(ana), socketOf(ben)]
    let changes = 0
    mine.socket.watch(() => {
      changes += 1
    })
    mine.socket.listen(topic, () => undefined)
    mine.socket.start()
    await until(() => names(mine.socket).includes('Ana'), 'me')
    other.socket.listen(topic, () => undefined)
    other.socket.start()
    await until(() => names(mine.socket).includes('Ben'), 'Ben')
    const before = changes
    other.socket.stop()
    await until(() => !names(mine.socket).includes('Ben'), 'Ben to leave')
    assert.ok(changes > before)
    mine.socket.stop()
  })

  test('a refused topic disturbs no other', async () => {
    const { socket, received } = socketOf(ana)
    socket.listen('content:nothing', () => undefined)
    socket.listen('content:article', () => undefined)
    socket.start()
    await until(() => socket.status() === 'open', 'open')
    await until(() => received.missed === 1, 'the topic, from no position')
    await ben.client.put(`/api/entries/${entryId}`, { title: 'C' })
    await until(() => received.events.includes('entry.updated'), 'the event')
    socket.stop()
  })

  test('receives after an interruption what was missed, and finds everybody again', async () => {
    const { socket, received } = socketOf(ana, await positionOf(ana))
    socket.listen('content:article', () => undefined)
    socket.listen(topic, () => undefined)
    socket.start()
    await until(() => names(socket).length === 1, 'me')
    proxy.cut()
    await until(() => socket.status() !== 'open', 'the loss')
    await ben.client.put(`/api/entries/${entryId}`, { title: 'D' })
    socket.wake()
    await until(() => socket.status() === 'open' && names(socket).length === 1, 'the connection')
    await until(() => received.events.includes('entry.updated'), 'the event')
    assert.deepEqual([names(socket), received.missed], [['Ana'], 0])
    socket.stop()
  })

  test('receives what happened since its position, and a notice of missed events for an unknown one', async () => {
    const position = await positionOf(ana)
    await ben.client.put(`/api/entries/${entryId}`, { title: 'E' })
    const [known, unknown] = [socketOf(ana, position), socketOf(ana, 'long/1:1:')]
    for (const { socket } of [known, unknown]) {
      socket.listen('content:article', () => undefined)
      socket.start()
    }
    await until(() => known.received.events.length > 0 && unknown.received.missed > 0, 'both')
    assert.deepEqual([known.received.missed, unknown.received.events], [0, []])
    for (const { socket } of [known, unknown]) socket.stop()
  })

  test('ends with the session, and can be taken up again after a new sign-in', async () => {
    const { id, token } = await service.openSession(ana.id)
    const person = { ...ana, client: service.client({ token }) }
    const { socket } = socketOf(person)
    socket.listen(topic, () => undefined)
    socket.start()
    await until(() => socket.status() === 'open', 'open')
    await ana.client.delete(`/api/auth/sessions/${id}`)
    await until(() => socket.status() === 'closed', 'closed')
    person.client.token = (await service.openSession(ana.id)).token
    socket.wake()
    await until(() => socket.status() === 'open', 'open again')
    socket.stop()
  })
})
