import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { plantReader, type Reader } from '../testing/ground.ts'
import { refused } from '../testing/owner.ts'

type Asked = { method: string; path: string; headers: IncomingHttpHeaders; body: string }

let mail: MailService
let bob: Reader
let list: { server: Server; url: string }
let asked: Asked[] = []
let respond: { status: number; headers?: Record<string, string>; body?: string }

before(async () => {
  mail = await startMail({ env: { UNSUBSCRIBE_ALLOW_PRIVATE: 'true' } })
  bob = await plantReader(mail, 'bob@unsubscribe.test')
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    asked.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body })
    response.writeHead(respond.status, respond.headers).end(respond.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  list = { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
})
after(async () => {
  list.server.close()
  await mail.close()
})
beforeEach(() => {
  asked = []
  respond = { status: 200, body: 'bye' }
})

const SIGNATURE =
  'v=1; a=rsa-sha256; d=news.test; s=s1; h=From:List-Unsubscribe:List-Unsubscribe-Post; bh=x; b=abcdefgh12345'
const RESULTS = 'mx.stoa.test;\r\n dkim=pass header.d=news.test header.s=s1 header.a=rsa-sha256 header.b=abcdefgh'

type Given = { signature?: string; results?: string | null; url?: string; post?: boolean; mailto?: boolean }

const lettered = ({ signature = SIGNATURE, results = RESULTS, url, post = true, mailto = false }: Given = {}) => ({
  prefix: results === null ? '' : `Authentication-Results: ${results}\r\nReceived: by mx.stoa.test; now\r\n`,
  raw: [
    `DKIM-Signature: ${signature}`,
    'From: News <news@news.test>',
    'To: bob@unsubscribe.test',
    `List-Unsubscribe: ${mailto ? '<mailto:leave@news.test?subject=leave>, ' : ''}<${url ?? `${list.url}/leave?who=bob`}>`,
    ...(post ? ['List-Unsubscribe-Post: List-Unsubscribe=One-Click'] : []),
    '',
    'News.',
    '',
  ].join('\r\n'),
})
const letter = (given?: Given) => bob.add(lettered(given))

const read = async (id: string) => (await bob.client.get(`/api/mail/messages/${id}`)).body
const leave = (id: string) => bob.client.post(`/api/mail/messages/${id}/unsubscribe`)

describe('unsubscribing', () => {
  test('is one request to where the sender signed, with nothing about the reader, and is remembered', async () => {
    const id = await letter()
    const host = new URL(list.url).host
    assert.deepEqual((await read(id)).unsubscribe, { method: 'one_click', target: host, done: false })
    const { status, body } = await leave(id)
    assert.deepEqual([status, body], [200, { object: 'unsubscribe', message_id: id, unsubscribed: true }])
    assert.equal(asked.length, 1)
    const [request] = asked
    assert.partialDeepStrictEqual(request, {
      method: 'POST',
      path: '/leave?who=bob',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
    for (const name of ['cookie', 'referer', 'origin', 'authorization', 'x-forwarded-for'])
      assert.equal(request?.headers[name], undefined, name)
    const message = await read(id)
    assert.equal(message.unsubscribe.done, true)
    assert.deepEqual(message.keywords, ['$unsubscribed'])
  })

  test('is not possible unless a signature that we saw pass covers both fields', async () => {
    const cases: readonly [string, Given][] = [
      ['nothing was checked', { results: null }],
      ['another host checked it', { results: RESULTS.replace('mx.stoa.test', 'mx.evil.test') }],
      ['it did not pass', { results: RESULTS.replace('pass', 'fail') }],
      ['it covers a part', { results: RESULTS.replace('pass', 'pass (does not cover all of the message)') }],
      ['another one passed', { results: RESULTS.replace('abcdefgh', 'zzzzzzzz') }],
      ['it does not cover the fields', { signature: SIGNATURE.replace(':List-Unsubscribe:', ':') }],
      ['nothing is to be sent', { post: false }],
    ]
    for (const [why, given] of cases) {
      const id = await letter(given)
      assert.notEqual((await read(id)).unsubscribe?.method, 'one_click', why)
      refused(await leave(id), 400, 'validation_error', /one-click/)
    }
    refused(await leave(await bob.add({ subject: 'No list' })), 400, 'validation_error')
    assert.deepEqual(asked, [])
  })

  test('by mail is offered as it is written', async () => {
    const id = await letter({ results: null, mailto: true })
    assert.deepEqual((await read(id)).unsubscribe, {
      method: 'mail',
      target: 'mailto:leave@news.test?subject=leave',
      done: false,
    })
    refused(await leave(id), 400, 'validation_error')
  })

  test('that the list refuses, or sends elsewhere, is not done, and nothing is followed', async () => {
    for (const [status, headers] of [
      [500, {}],
      [404, {}],
      [302, { location: `${list.url}/elsewhere` }],
    ] as const) {
      asked = []
      respond = { status, headers }
      const id = await letter()
      refused(await leave(id), 400, 'validation_error', new RegExp(`answered ${status}`))
      assert.equal(asked.length, 1)
      assert.equal((await read(id)).unsubscribe.done, false)
    }
    refused(await leave(await letter({ url: 'http://127.0.0.1:1/' })), 400, 'validation_error', /can't be reached/)
  })

  test('reads no more of an answer than its beginning', async () => {
    respond = { status: 200, body: 'x'.repeat(5_000_000) }
    assert.equal((await leave(await letter())).status, 200)
  })

  test('reaches no private address unless the operator allows it', async () => {
    const strict = await startMail()
    try {
      const cem = await plantReader(strict, 'cem@unsubscribe.test')
      const leaveFrom = async (url: string) =>
        cem.client.post(`/api/mail/messages/${await cem.add(lettered({ url }))}/unsubscribe`)
      refused(await leaveFrom(list.url.replace('http:', 'https:')), 400, 'validation_error', /can't be reached/)
      refused(await leaveFrom(list.url), 400, 'validation_error', /one-click/)
      assert.deepEqual(asked, [])
    } finally {
      await strict.close()
    }
  })

  test('of another mailbox does not exist', async () => {
    const eve = await plantReader(mail, 'eve@elsewhere.test')
    const id = await letter()
    refused(await eve.client.post(`/api/mail/messages/${id}/unsubscribe`), 404, 'not_found')
    assert.deepEqual(asked, [])
  })
})
