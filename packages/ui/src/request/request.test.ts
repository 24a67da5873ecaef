import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { createSend, isPassing, RequestError, sentence } from './request.ts'

const send = createSend((body) =>
  typeof body === 'object' && body !== null && 'why' in body
    ? { message: String(body.why), code: 'refused', fields: [{ key: 'email', message: 'is taken' }] }
    : undefined,
)

const withServer = async (listener: RequestListener, run: (url: string) => Promise<void>): Promise<void> => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.close()
  }
}

const failure = async (call: Promise<unknown>): Promise<RequestError> => {
  const error = await call.then(
    () => assert.fail('it was answered well'),
    (thrown: unknown) => thrown,
  )
  return error instanceof RequestError ? error : assert.fail(`not a RequestError: ${error}`)
}

describe('requests', () => {
  test('a rate-limited change is sent again after the wait; a long wait and reads are reported', async () => {
    const asked: string[] = []
    const busy: RequestListener = ({ method = '', url = '' }, res) => {
      asked.push(method + url)
      if (url === '/later') return res.writeHead(429, { 'retry-after': '60' }).end()
      if (method !== 'GET' && asked.length > 1) return res.writeHead(204).end()
      res.writeHead(429, { 'retry-after': '0' }).end()
    }
    await withServer(busy, async (url) => {
      await send('PATCH', `${url}/a`, { body: {} })
      assert.equal((await failure(send('GET', `${url}/b`))).status, 429)
      assert.equal((await failure(send('POST', `${url}/later`))).status, 429)
    })
    assert.deepEqual(asked, ['PATCH/a', 'PATCH/a', 'GET/b', 'POST/later'])
  })

  test('a body is sent as JSON and an empty answer is undefined', () =>
    withServer(
      async (req, res) => {
        let text = ''
        for await (const chunk of req) text += chunk
        assert.equal(req.headers['content-type'], 'application/json')
        assert.equal(text, '{"a":1}')
        res.writeHead(204).end()
      },
      async (url) => assert.equal(await send('POST', url, { body: { a: 1 } }), undefined),
    ))

  test('a refusal keeps its status, code, words and fields', () =>
    withServer(
      (_, res) => res.writeHead(409, { 'content-type': 'application/json' }).end('{"why":"no"}'),
      async (url) => {
        const error = await failure(send('GET', url))
        assert.deepEqual([error.status, error.code, error.message], [409, 'refused', 'no'])
        assert.deepEqual(error.fields, [{ key: 'email', message: 'is taken' }])
        assert.equal(isPassing(error), false)
      },
    ))

  test('a page of a proxy is not shown, but counts as passing', () =>
    withServer(
      (_, res) => res.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway nginx</h1>'),
      async (url) => {
        const error = await failure(send('GET', url))
        assert.doesNotMatch(error.message, /nginx|Gateway/)
        assert.equal(isPassing(error), true)
      },
    ))

  test('no answer is said in words, a request that was given up stays an abort', async () => {
    const error = await failure(send('GET', 'http://127.0.0.1:1'))
    assert.equal(error.status, 0)
    assert.equal(isPassing(error), true)
    await assert.rejects(send('GET', 'http://127.0.0.1:1', { signal: AbortSignal.abort() }), { name: 'AbortError' })
  })

  test('the words of a service become a sentence', () => {
    assert.equal(
      sentence('must be an email address like name@example.com'),
      'Must be an email address like name@example.com.',
    )
    assert.equal(sentence('Already there.'), 'Already there.')
    assert.equal(sentence(' '), '')
  })
})
