import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { POSITION_HEADER } from '@stoa/cms-model/position-header.ts'
import { type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { startTcpProxy, type TcpProxy } from '@stoa/tests/lib/tcp-proxy.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { RequestError } from '@stoa/ui/request/request.ts'
import { createLine, type Line } from './line.ts'

let service: CmsService
let proxy: TcpProxy
let ana: Person
let ben: Person
let entryId: string
let topic: string
const open: Line[] = []

const lineOf = (person: Person, since?: string) => {
  const received: { events: string[]; missed: number } = { events: [], missed: 0 }
  const line = createLine({
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
  open.push(line)
  return { line, received }
}
const positionOf = async (person: Person) =>
  (await person.client.get('/api/auth/me')).headers.get(POSITION_HEADER) ?? assert.fail('a position')
const names = (line: Line) => line.people(topic).map(({ name }) => name)

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
  for (const line of open) line.stop()
  await proxy.close()
  await service.close()
})

describe('the line of a tab', () => {
  test('is shared by listeners, and left with the last of them', async () => {
    const { line, received } = lineOf(ana)
    const calls: string[] = []
    const leave = [line.listen(topic, () => calls.push('first')), line.listen(topic, () => calls.push('second'))]
    assert.equal(line.status(), 'closed')
    line.start()
    await until(() => names(line).length === 1, 'the seat')
    await ben.client.put(`/api/entries/${entryId}`, { title: 'B' })
    await until(() => received.events.includes('entry.updated'), 'the event')
    assert.deepEqual(calls, ['first', 'second'])
    for (const stop of leave) stop()
    assert.deepEqual(line.people(topic), [])
    line.stop()
    assert.equal(line.status(), 'closed')
  })

  test('tracks who comes and goes, and notifies the watchers', async () => {
    const [mine, other] = [lineOf(ana), lineOf(ben)]
    let changes = 0
    mine.line.watch(() => {
      changes += 1
    })
    mine.line.listen(topic, () => undefined)
    mine.line.start()
    await until(() => names(mine.line).includes('Ana'), 'me')
    other.line.listen(topic, () => undefined)
    other.line.start()
    await until(() => names(mine.line).includes('Ben'), 'Ben')
    const before = changes
    other.line.stop()
    await until(() => !names(mine.line).includes('Ben'), 'Ben to leave')
    assert.ok(changes > before)
    mine.line.stop()
  })

  test('a refused topic disturbs no other', async () => {
    const { line, received } = lineOf(ana)
    line.listen('content:nothing', () => undefined)
    line.listen('content:article', () => undefined)
    line.start()
    await until(() => line.status() === 'open', 'open')
    await until(() => received.missed === 1, 'the topic, from no position')
    await ben.client.put(`/api/entries/${entryId}`, { title: 'C' })
    await until(() => received.events.includes('entry.updated'), 'the event')
    line.stop()
  })

  test('receives after an interruption what was missed, and finds everybody again', async () => {
    const { line, received } = lineOf(ana, await positionOf(ana))
    line.listen('content:article', () => undefined)
    line.listen(topic, () => undefined)
    line.start()
    await until(() => names(line).length === 1, 'me')
    proxy.cut()
    await until(() => line.status() !== 'open', 'the loss')
    await ben.client.put(`/api/entries/${entryId}`, { title: 'D' })
    line.wake()
    await until(() => line.status() === 'open' && names(line).length === 1, 'the connection')
    await until(() => received.events.includes('entry.updated'), 'the event')
    assert.deepEqual([names(line), received.missed], [['Ana'], 0])
    line.stop()
  })

  test('receives what happened since its position, and a notice of missed events for an unknown one', async () => {
    const position = await positionOf(ana)
    await ben.client.put(`/api/entries/${entryId}`, { title: 'E' })
    const [known, unknown] = [lineOf(ana, position), lineOf(ana, 'long/1:1:')]
    for (const { line } of [known, unknown]) {
      line.listen('content:article', () => undefined)
      line.start()
    }
    await until(() => known.received.events.length > 0 && unknown.received.missed > 0, 'both')
    assert.deepEqual([known.received.missed, unknown.received.events], [0, []])
    for (const { line } of [known, unknown]) line.stop()
  })

  test('ends with the session, and can be taken up again after a new sign-in', async () => {
    const { id, token } = await service.openSession(ana.id)
    const person = { ...ana, client: service.client({ token }) }
    const { line } = lineOf(person)
    line.listen(topic, () => undefined)
    line.start()
    await until(() => line.status() === 'open', 'open')
    await ana.client.delete(`/api/auth/sessions/${id}`)
    await until(() => line.status() === 'closed', 'closed')
    person.client.token = (await service.openSession(ana.id)).token
    line.wake()
    await until(() => line.status() === 'open', 'open again')
    line.stop()
  })
})
