import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { passTime } from '@stoa/tests/lib/waiting.ts'
import { WebSocket } from 'ws'
import { changeAddressPassword } from '../../../hosting/addresses/operations.ts'
import type { Answer } from '../testing/client.ts'
import { type GroundMailbox, type JmapGround, startJmap } from '../testing/ground.ts'

let ground: JmapGround
before(async () => {
  ground = await startJmap()
})
after(() => ground.close())

let people = 0
const someone = (): Promise<GroundMailbox> => ground.mailbox(`person-${++people}@example.test`)

type Event = { event: string; id: string | undefined; data: Answer }

/** Reads events one by one; undefined when the stream has ended. */
const openEvents = async ({ client }: GroundMailbox, query: string, headers = {}) => {
  const stop = new AbortController()
  const answer = await client.fetch(`/jmap/eventsource?${query}`, { headers, signal: stop.signal })
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/)
  const pieces = answer.body?.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]()
  let text = ''
  const next = async (): Promise<Event | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end === -1) {
        const piece = await pieces?.next()
        if (!piece || piece.done) return undefined
        text += piece.value
        continue
      }
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      const fieldOf = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
      const data = fieldOf('data')
      if (data !== undefined) return { event: fieldOf('event') ?? '', id: fieldOf('id'), data: JSON.parse(data) }
    }
  }
  return { next, stop: () => stop.abort() }
}

describe('event source', () => {
  test('reports what changes, with the states that the methods give', async () => {
    const ann = await someone()
    const events = await openEvents(ann, 'types=*&closeafter=no&ping=0')
    const { modseq } = await ground.add(ann)
    const event = await events.next()
    assert.equal(event?.event, 'state')
    assert.equal(event?.data['@type'], 'StateChange')
    const state = String(modseq)
    assert.deepEqual(event?.data.changed, {
      [ann.accountId]: { Mailbox: state, Email: state, Thread: state, EmailDelivery: state, Quota: state },
    })
    const { accountId, client } = ann
    assert.equal((await client.one('Email/get', { accountId, ids: [] })).state, state)
    await client.one('Mailbox/set', { accountId, create: { a: { name: 'A' } } })
    assert.deepEqual(Object.keys((await events.next())?.data.changed[accountId]), ['Mailbox'])
    events.stop()
  })

  test('reports only the requested types, and ends after the first event if requested', async () => {
    const ann = await someone()
    const events = await openEvents(ann, 'types=Mailbox,EmailDelivery&closeafter=state&ping=0')
    await ground.add(ann)
    assert.deepEqual(Object.keys((await events.next())?.data.changed[ann.accountId]).sort(), [
      'EmailDelivery',
      'Mailbox',
    ])
    assert.equal(await events.next(), undefined)
  })

  test('goes on where another stream ended', async () => {
    const ann = await someone()
    const first = await openEvents(ann, 'types=*&closeafter=no&ping=0')
    await ground.add(ann)
    const { id = '' } = (await first.next()) ?? {}
    first.stop()
    const { modseq } = await ground.add(ann)
    const second = await openEvents(ann, 'types=Email&closeafter=no&ping=0', { 'last-event-id': id })
    assert.deepEqual((await second.next())?.data.changed, { [ann.accountId]: { Email: String(modseq) } })
    second.stop()
  })

  test('pings as often as asked', async () => {
    const events = await openEvents(await someone(), 'types=*&closeafter=no&ping=1')
    assert.deepEqual(await events.next(), { event: 'ping', id: undefined, data: { interval: 1 } })
    events.stop()
  })

  test('reports mailboxes that are shared, from the moment they are until they are not', async () => {
    const [ann, bob] = [await someone(), await someone()]
    const events = await openEvents(ann, 'types=Email&closeafter=no&ping=0')
    await ground.share(bob, ann, 'read')
    await ground.add(ann)
    assert.deepEqual(Object.keys((await events.next())?.data.changed), [ann.accountId])
    await ground.add(bob)
    assert.deepEqual(Object.keys((await events.next())?.data.changed), [bob.accountId])
    events.stop()
  })

  test('ends when the password is changed', async () => {
    const ann = await someone()
    const events = await openEvents(ann, 'types=*&closeafter=no&ping=0')
    await ground.parts.database.tx((tx) =>
      changeAddressPassword(tx, { ...ann.address, addressId: ann.accountId, passwordHash: 'another', now: new Date() }),
    )
    assert.equal(await events.next(), undefined)
  })

  test('refuses parameters that are none', async () => {
    const statusOf = async (query: string) => (await ground.ann.client.fetch(`/jmap/eventsource?${query}`)).status
    assert.equal(await statusOf('types=*&closeafter=never&ping=0'), 400)
    assert.equal(await statusOf('types=*&closeafter=no&ping=often'), 400)
  })
})

const connect = async ({ client }: GroundMailbox, { protocol = 'jmap', headers = {} } = {}) => {
  const socket = new WebSocket(`${ground.url.replace('http', 'ws')}/jmap/ws`, protocol ? [protocol] : [], {
    headers: { ...client.headers, ...headers },
  })
  const messages: Answer[] = []
  let arrived = (): void => undefined
  socket.on('message', (data) => {
    messages.push(JSON.parse(String(data)))
    arrived()
  })
  const next = async (): Promise<Answer> => {
    while (messages.length === 0) await new Promise<void>((resolve) => (arrived = resolve))
    return messages.shift()
  }
  const opened = new Promise<number>((resolve) => {
    socket.once('open', () => resolve(101))
    socket.once('unexpected-response', (_request, answer) => resolve(answer.statusCode ?? 0))
    socket.on('error', () => resolve(0))
  })
  return {
    socket,
    next,
    status: await opened,
    send: (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
  }
}

describe('WebSocket', () => {
  const using = ['urn:ietf:params:jmap:core', 'urn:ietf:params:jmap:mail']

  test('answers requests with their ids', async () => {
    const ann = await someone()
    const { socket, next, send } = await connect(ann)
    assert.equal(socket.protocol, 'jmap')
    send({ '@type': 'Request', id: 'R1', using, methodCalls: [['Core/echo', { a: 1 }, 'c']] })
    const answer = await next()
    assert.deepEqual(
      [answer['@type'], answer.requestId, answer.methodResponses],
      ['Response', 'R1', [['Core/echo', { a: 1 }, 'c']]],
    )
    assert.equal(answer.sessionState, (await ann.client.session()).state)
    send({ '@type': 'Request', using, methodCalls: [] })
    assert.equal('requestId' in (await next()), false)
    socket.close()
  })

  test('answers what is no request with an error, and goes on', async () => {
    const { socket, next, send } = await connect(ground.ann)
    send('nonsense')
    assert.deepEqual(await next().then(({ type, requestId, status }) => [type, requestId, status]), [
      'urn:ietf:params:jmap:error:notJSON',
      null,
      400,
    ])
    send({ '@type': 'Request', id: 'R2', using: ['x'], methodCalls: [] })
    assert.deepEqual(await next().then((each) => [each['@type'], each.type, each.requestId]), [
      'RequestError',
      'urn:ietf:params:jmap:error:unknownCapability',
      'R2',
    ])
    send({ '@type': 'Dance', id: 'R3' })
    assert.equal((await next()).type, 'urn:ietf:params:jmap:error:notRequest')
    send({ '@type': 'Request', id: 'R4', using, methodCalls: [] })
    assert.equal((await next()).requestId, 'R4')
    socket.close()
  })

  test('pushes once asked to, from a state on if one is given, and stops when asked', async () => {
    const ann = await someone()
    const { socket, next, send } = await connect(ann)
    await ground.add(ann)
    send({ '@type': 'WebSocketPushEnable', dataTypes: ['Email'] })
    send({ '@type': 'Request', id: 'ready', using, methodCalls: [] })
    await next()
    await passTime(200, 'a push of what was before would be there by now')
    const { modseq } = await ground.add(ann)
    const push = await next()
    assert.deepEqual(push, {
      '@type': 'StateChange',
      changed: { [ann.accountId]: { Email: String(modseq) } },
      pushState: push.pushState,
    })
    send({ '@type': 'WebSocketPushDisable' })
    send({ '@type': 'Request', id: 'quiet', using, methodCalls: [] })
    assert.equal((await next()).requestId, 'quiet')
    const later = await ground.add(ann)
    await passTime(200, 'a push would be there by now')
    send({ '@type': 'WebSocketPushEnable', dataTypes: null, pushState: push.pushState })
    const missed = await next()
    assert.equal(missed.changed[ann.accountId].Email, String(later.modseq))
    socket.close()
  })

  test('is closed to bad passwords, foreign pages, and clients that do not offer jmap', async () => {
    const { ann } = ground
    assert.equal((await connect(ann, { headers: { authorization: 'Bearer nothing' } })).status, 401)
    assert.equal((await connect(ann, { headers: { origin: 'https://evil.test' } })).status, 403)
    const own = await connect(ann, { headers: { origin: ground.url } })
    assert.equal(own.status, 101)
    own.socket.close()
    assert.equal((await connect(ann, { protocol: 'chat' })).status, 400)
  })

  test('ends with bytes, with messages that are too long, and with the password', async () => {
    const ann = await someone()
    const bytes = await connect(ann)
    bytes.socket.send(Buffer.from([1]))
    assert.equal((await once(bytes.socket, 'close'))[0], 1003)
    const long = await connect(ann)
    long.send('x'.repeat(10_000_001))
    assert.equal((await once(long.socket, 'close'))[0], 1009)
    const signedOut = await connect(ann)
    const closed = once(signedOut.socket, 'close')
    await ground.parts.database.tx((tx) =>
      changeAddressPassword(tx, { ...ann.address, addressId: ann.accountId, passwordHash: 'another', now: new Date() }),
    )
    assert.equal((await closed)[0], 1008)
  })

  test('a flood of requests is answered one by one', async () => {
    const ann = await someone()
    const { socket, next, send } = await connect(ann)
    for (let index = 0; index < 200; index += 1)
      send({
        '@type': 'Request',
        id: `R${index}`,
        using,
        methodCalls: [['Mailbox/get', { accountId: ann.accountId }, 'c']],
      })
    const ids = new Set<string>()
    for (let index = 0; index < 200; index += 1) {
      const answer = await next()
      assert.equal(answer['@type'], 'Response')
      ids.add(answer.requestId)
    }
    assert.equal(ids.size, 200)
    socket.close()
  })
})
