import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { WebSocket } from 'ws'
import { MAILBOX_PASSWORD } from '../../hosting/addresses/testing/hosting.ts'
import { readRequest, runRequest } from './request.ts'
import type { Answer, Call } from './testing/client.ts'
import { type GroundMailbox, type JmapGround, startJmap } from './testing/ground.ts'

let ground: JmapGround
let ids: string[]
before(async () => {
  ground = await startJmap()
  ids = []
  for (let number = 0; number < MESSAGES; number += 1)
    ids.push((await ground.add(ground.ann, { raw: hostile(number) })).messageId)
})
after(() => ground.close())

const MESSAGES = 6
const PARTS = 1_500
/** What the parser gives of it (formats/mime/limits.ts), the multipart among them. */
const SHOWN_PARTS = 999
const PART = '--b\r\nContent-Type: text/plain; name=x\r\n\r\nx\r\n'

/** Many tiny parts: some bytes of a request ask for megabytes of answer. */
const hostile = (number: number, part = PART): string =>
  `From: x@example.org\r\nSubject: ${number}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${part.repeat(PARTS)}--b--\r\n`

const bodies = (more: Record<string, unknown> = {}): Call => [
  'Email/get',
  {
    accountId: ground.ann.accountId,
    ids,
    properties: ['bodyStructure', 'textBody', 'htmlBody', 'attachments', 'bodyValues'],
    fetchAllBodyValues: true,
    ...more,
  },
]

const typesOf = (responses: readonly Answer[]): string[] =>
  responses.map(([name, args]) => (name === 'error' ? args.type : name))

describe('a request that asks for too much', () => {
  test('ends in the middle: what came before is whole, what comes after is not run', async () => {
    const { accountId, client } = ground.ann
    const calls = Array.from({ length: 14 }, () => bodies())
    const folder = { accountId, create: { a: { name: 'Late' } } }
    const responses = await client.call(['Core/echo', { a: 1 }], ...calls, ['Mailbox/set', folder])
    const types = typesOf(responses)
    const end = types.indexOf('requestTooLarge')
    assert.ok(end > 1, types.join())
    assert.deepEqual(types.slice(0, end), ['Core/echo', ...Array.from({ length: end - 1 }, () => 'Email/get')])
    assert.deepEqual(new Set(types.slice(end)), new Set(['requestTooLarge']))
    assert.equal(types.length, 16)
    for (const [, args] of responses.slice(1, end)) {
      assert.equal(args.list.length, MESSAGES)
      assert.equal(args.list[0].bodyStructure.subParts.length, SHOWN_PARTS)
    }
    const { list } = await client.one('Mailbox/get', { accountId, ids: null })
    assert.ok(list.every(({ name }: { name: string }) => name !== 'Late'))
  })

  test('stops inside of one call, and the next request is answered', async () => {
    const { client } = ground.ann
    const long = PART.replace('\r\n\r\n', `\r\nX-Long: ${'y'.repeat(900)}\r\n\r\n`)
    const wide: string[] = []
    for (let number = 0; number < 10; number += 1)
      wide.push((await ground.add(ground.ann, { raw: hostile(number, long) })).messageId)
    const bodyProperties = ['partId', 'headers', 'subParts', 'header:X-Long']
    const [refused] = await client.call(bodies({ ids: wide, bodyProperties }))
    assert.deepEqual([refused?.[0], refused?.[1].type], ['error', 'requestTooLarge'])
    const [again] = await client.call(bodies({ ids: wide.slice(0, 1), bodyProperties }))
    assert.equal(again?.[1].list[0].bodyStructure.subParts.length, SHOWN_PARTS)
  })

  test('a page of such messages is shown with what lists and readers ask for', async () => {
    const { accountId, client } = ground.ann
    const { list } = await client.one('Email/get', { accountId, ids, fetchTextBodyValues: true })
    assert.deepEqual([list.length, list[0].textBody.length], [MESSAGES, 1])
    assert.equal(list[0].attachments.length, SHOWN_PARTS - 1)
  })
})

describe('while a request is answered', () => {
  test('others have their turn at every part, once its slice of time is over', async (context) => {
    const request = readRequest({
      using: ['urn:ietf:params:jmap:mail'],
      methodCalls: [[...bodies({ ids }), 'a']],
    })
    const { signIn } = await signInOf()
    let milliseconds = performance.now()
    // Each reading of the clock uses up a slice.
    const { mock } = context.mock.method(performance, 'now', () => {
      milliseconds += 5
      return milliseconds
    })
    let turns = 0
    let isOver = false
    const watch = (): void => {
      turns += 1
      if (!isOver) setImmediate(watch)
    }
    watch()
    let length = 0
    for await (const piece of runRequest(ground.jmap, signIn, request)) length += piece.length
    isOver = true
    mock.restore()
    assert.ok(length > 2_000_000)
    assert.ok(turns > MESSAGES * SHOWN_PARTS, `${turns} turns`)
  })

  test('a small request of another mailbox is answered before it', async () => {
    const order: string[] = []
    const { accountId, client } = ground.bob
    // What only the first request of a mailbox costs is not in question.
    await client.one('Mailbox/get', { accountId, ids: null })
    const large = Array.from({ length: 4 }, async () => {
      await ground.ann.client.post({
        using: ['urn:ietf:params:jmap:core', 'urn:ietf:params:jmap:mail'],
        methodCalls: [[...bodies(), 'a']],
      })
      order.push('large')
    })
    await client.one('Mailbox/get', { accountId, ids: null })
    order.push('small')
    await Promise.all(large)
    assert.equal(order[0], 'small')
  })

  test('large answers of one mailbox are made two at a time, and those of others beside them', async () => {
    const { ann, bob, parts } = ground
    const text = (letter: string) => `${letter.repeat(70)}\r\n`.repeat(16_000)
    const add = (mailbox: GroundMailbox, letter: string) =>
      ground.add(mailbox, { raw: `From: x@example.org\r\n\r\n${text(letter)}` })
    const [large, other] = [await add(ann, 'a'), await add(bob, 'b')]
    const ask = ({ accountId, client }: GroundMailbox, { messageId }: { messageId: string }) =>
      client.one('Email/get', { accountId, ids: [messageId], properties: ['bodyValues'], fetchTextBodyValues: true })
    const { blobs } = parts
    const { get } = blobs
    const reads = new Map<string, number>()
    const events = new EventEmitter()
    const opened = once(events, 'open')
    blobs.get = async (key, options) => {
      reads.set(key, (reads.get(key) ?? 0) + 1)
      events.emit('read')
      await opened
      return get(key, options)
    }
    const answers = Array.from({ length: 3 }, () => ask(ann, large))
    try {
      while (([...reads.values()][0] ?? 0) < 2) await once(events, 'read')
      answers.push(ask(bob, other))
      while (reads.size < 2) await once(events, 'read')
      assert.deepEqual([...reads.values()], [2, 1])
    } finally {
      blobs.get = get
      events.emit('open')
    }
    for (const { list } of await Promise.all(answers)) assert.equal(Object.keys(list[0].bodyValues).length, 1)
  })

  test('a call is run when the answers before it are taken', async () => {
    const request = readRequest({
      using: ['urn:ietf:params:jmap:mail'],
      methodCalls: ['a', 'b', 'c'].map((id) => [...bodies({ ids: ids.slice(0, 2) }), id]),
    })
    const { signIn } = await signInOf()
    const watch = ground.parts.database.watchStatements()
    const whole = () => watch.texts.filter((text) => text.includes('m.structure')).length
    const counts: number[] = []
    let text = ''
    for await (const piece of runRequest(ground.jmap, signIn, request)) {
      text += piece
      if (/"[abc]"\]$/.test(piece)) counts.push(whole())
    }
    watch.stop()
    assert.deepEqual(counts, [1, 2, 3])
    assert.equal(JSON.parse(text).methodResponses.length, 3)
  })
})

const signInOf = async () => {
  const { email } = ground.ann
  const answer = await ground.parts.credentials.check({
    email,
    password: MAILBOX_PASSWORD,
    ip: '192.0.2.1',
    scope: 'jmap',
  })
  assert.ok(answer.ok)
  return { signIn: answer }
}

describe('a long answer', () => {
  test('is sent while it is made; a short one has a length', async () => {
    const { accountId, client } = ground.ann
    const ask = (methodCalls: unknown[]) =>
      client.fetch('/jmap', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ using: ['urn:ietf:params:jmap:core', 'urn:ietf:params:jmap:mail'], methodCalls }),
      })
    const long = await ask([[...bodies(), 'a']])
    assert.equal(long.headers.get('content-length'), null)
    const { methodResponses, sessionState } = JSON.parse(await long.text())
    assert.equal(methodResponses[0][1].list.length, MESSAGES)
    assert.equal(typeof sessionState, 'string')
    const short = await ask([['Mailbox/get', { accountId, ids: null }, 'a']])
    assert.equal(Number(short.headers.get('content-length')), Buffer.byteLength(await short.text()))
  })

  test('keeps characters of two units whole', async () => {
    const { accountId, client } = ground.ann
    const text = `${'a'.repeat(65_535)}😀`.repeat(8)
    const { blobId } = await client.upload(accountId, text)
    const { list } = await client.one('Blob/get', { accountId, ids: [blobId], properties: ['data:asText'] })
    assert.equal(list[0]['data:asText'], text)
  })

  test('can be referred to, in whole and in pieces', async () => {
    const { accountId } = ground.ann
    const to = (path: string) => ({ resultOf: 'a', name: 'Email/get', path })
    const { body } = await ground.ann.client.post({
      using: ['urn:ietf:params:jmap:core', 'urn:ietf:params:jmap:mail'],
      methodCalls: [
        ['Email/get', { accountId, ids, properties: ['threadId', 'textBody'] }, 'a'],
        ['Thread/get', { accountId, '#ids': to('/list/*/threadId') }, 'b'],
        ['Core/echo', { '#one': to('/list/1/id'), '#state': to('/state'), '#none': to('/notFound') }, 'c'],
        ['Core/echo', { '#types': to('/list/*/textBody/*/type') }, 'd'],
        ['Core/echo', { '#all': to('/list') }, 'e'],
        ['Core/echo', { '#wrong': to('/list/99/id') }, 'f'],
      ],
    })
    const [a, b, c, d, e, f] = body.methodResponses
    assert.equal(b[1].list.length, new Set(a[1].list.map(({ threadId }: Answer) => threadId)).size)
    assert.deepEqual(c[1], { one: ids[1], state: a[1].state, none: [] })
    assert.equal(d[1].types.length, MESSAGES)
    assert.deepEqual(e[1].all, a[1].list)
    assert.equal(f[1].type, 'invalidResultReference')
  })

  test('is one message on a socket, and others stand before or after it', async () => {
    const url = `${ground.url.replace('http', 'ws')}/jmap/ws`
    const socket = new WebSocket(url, 'jmap', { headers: { ...ground.ann.client.headers } })
    await once(socket, 'open')
    const answers: Answer[] = []
    const all = new Promise<void>((resolve) => {
      socket.on('message', (data) => {
        answers.push(JSON.parse(String(data)))
        if (answers.length === 6) resolve()
      })
    })
    const ask = (id: string, call: Call) =>
      socket.send(
        JSON.stringify({
          '@type': 'Request',
          id,
          using: ['urn:ietf:params:jmap:core', 'urn:ietf:params:jmap:mail'],
          methodCalls: [
            [call[0], call[1], 'a'],
            [call[0], call[1], 'b'],
          ],
        }),
      )
    for (const id of ['1', '2', '3']) ask(id, bodies({ ids: ids.slice(0, 2) }))
    for (const id of ['4', '5', '6']) ask(id, ['Core/echo', { id }])
    await all
    socket.close()
    assert.deepEqual(answers.map(({ requestId }) => requestId).toSorted(), ['1', '2', '3', '4', '5', '6'])
    for (const { requestId, methodResponses } of answers) {
      assert.equal(methodResponses.length, 2)
      if (Number(requestId) <= 3) assert.equal(methodResponses[1][1].list.length, 2)
    }
  })
})
