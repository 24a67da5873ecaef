import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { ERROR_NAMES, errorBody } from '@stoa/mail-model/errors.ts'
import { type MailService, PASSWORD, startMail } from '@stoa/tests/lib/mail.ts'
import { catalogue } from './errors.ts'

let mail: MailService
before(async () => {
  mail = await startMail()
  await mail.signUp('owner@example.test')
})
after(() => mail.close())

const countAccounts = async (): Promise<number> =>
  (await mail.database.db.selectFrom('account').select('id').execute()).length

describe('the catalogue', () => {
  test('has the names and statuses of the API', () => {
    const statuses = Object.entries(catalogue).map(([name, { status }]) => [name, status])
    assert.deepEqual(Object.fromEntries(statuses), {
      validation_error: 400,
      invalid_parameter: 400,
      invalid_idempotency_key: 400,
      unauthorized: 401,
      missing_api_key: 401,
      restricted_api_key: 401,
      plan_required: 402,
      forbidden: 403,
      invalid_api_key: 403,
      suspended_api_key: 403,
      not_found: 404,
      method_not_allowed: 405,
      conflict: 409,
      invalid_idempotent_request: 409,
      concurrent_idempotent_requests: 409,
      quota_exceeded: 413,
      missing_required_field: 422,
      invalid_attachment: 422,
      invalid_from_address: 422,
      rate_limit_exceeded: 429,
      daily_quota_exceeded: 429,
      monthly_quota_exceeded: 429,
      security_error: 451,
      application_error: 500,
      service_unavailable: 503,
    })
    assert.deepEqual(Object.keys(catalogue), [...ERROR_NAMES])
  })
})

describe('a body that is not a proper JSON object', () => {
  const good = `"email":"json@example.test","password":"${PASSWORD}"`
  const bodies: [string, string | Uint8Array][] = [
    ['broken', `{${good}`],
    ['with a comment', `{${good}} // hello`],
    ['with a name twice', `{${good},"email":"other@example.test"}`],
    ['with a name twice, once escaped', `{${good},"\\u0065mail":"other@example.test"}`],
    ['with __proto__', `{${good},"__proto__":{"role":"owner"}}`],
    ['with an escaped __proto__', `{${good},"\\u005f_proto__":{"role":"owner"}}`],
    ['with a deep __proto__', `{${good},"x":[{"__proto__":{}}]}`],
    ['with NUL', `{${good},"name":"a\\u0000b"}`],
    ['with half a surrogate pair', `{${good},"name":"\\ud800"}`],
    ['nested 100 deep', `{${good},"x":${'['.repeat(100)}${']'.repeat(100)}}`],
    ['with 20,000 members', `{${good},"x":{${Array.from({ length: 20_000 }, (_, at) => `"k${at}":1`).join()}}}`],
    ['that is a list', `[{${good}}]`],
    ['that is text', '"text"'],
    ['that is a number', '1'],
    ['that is null', 'null'],
    ['that is not UTF-8', new Uint8Array([...Buffer.from(`{${good},"name":"`), 0xc3, 0x28, 0x22, 0x7d])],
  ]
  for (const [what, body] of bodies)
    test(`${what} is refused as validation_error and makes nothing`, async () => {
      const before = await countAccounts()
      const answer = await mail.client().post('/api/auth/signup', body)
      assert.deepEqual([answer.status, answer.body.name], [400, 'validation_error'])
      assert.equal(await countAccounts(), before)
      assert.equal(Object.hasOwn(Object.prototype, 'role'), false)
    })

  test('but is empty counts as {}', async () => {
    for (const body of ['', '  \n ']) {
      const answer = await mail.client().post('/api/auth/login', body, { 'content-type': 'application/json' })
      assert.deepEqual([answer.status, answer.body.message], [422, 'Missing `email` field.'])
    }
  })

  test('with harmless members named like methods is read', async () => {
    const body = `{${good},"constructor":1,"toString":2,"hasOwnProperty":3}`
    assert.equal((await mail.client().post('/api/auth/signup', body)).status, 201)
  })

  test('over 1 MiB is refused as quota_exceeded before it is read', async () => {
    const answer = await rawRequest(
      `POST /api/auth/login HTTP/1.1\r\nHost: mail.test\r\nContent-Type: application/json\r\nContent-Length: 1048577\r\n\r\n`,
    )
    assert.match(answer, /^HTTP\/1\.1 413 /)
    assert.match(answer, /"name":"quota_exceeded"/)
  })
})

describe('every refusal', () => {
  test('has the one shape, and its status is the one of the reply', async () => {
    const client = mail.client()
    const answers = [
      await client.get('/api/nothing'),
      await client.get('/api/auth/me'),
      await client.send('PUT', '/api/auth/me'),
      await client.post('/api/auth/login', '{'),
      await client.post('/api/auth/login', {}),
      await client.post('/api/auth/login', 'x', { 'content-type': 'text/plain' }),
      await client.get('/%zz'),
      await client.get('/.well-known/nothing'),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [404, 401, 405, 400, 422, 403, 404, 404],
    )
    for (const { status, body, headers } of answers) {
      assert.deepEqual(Object.keys(body), ['statusCode', 'name', 'message'])
      assert.equal(errorBody.parse(body).statusCode, status)
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.match(headers.get('content-type') ?? '', /^application\/json/)
    }
  })

  test('names the verbs of a path in Allow', async () => {
    const answer = await mail.client().send('PATCH', '/api/account/sessions')
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD'])
    assert.equal(answer.body.name, 'method_not_allowed')
  })
})

describe('without its database', () => {
  test('the service answers 503 with retry-after, and goes on by itself when it is back', async (context) => {
    const { client, id } = await mail.signUp()
    const link = await openLink(mail.databaseUrl)
    context.after(() => link.cut())
    const behind = await startMail({ databaseUrl: link.url })
    context.after(() => behind.close())
    const { cookie = '' } = client
    const signedIn = behind.client({ cookie })
    assert.equal((await signedIn.get('/api/auth/me')).status, 200)
    await link.cut()
    for (const act of [
      () => signedIn.get('/api/auth/me'),
      () => signedIn.post('/api/account/sessions/revoke-others'),
      () => behind.client().post('/api/auth/login', { email: 'x@example.test', password: PASSWORD }),
      () => behind.client().get('/api/auth/signups'),
    ]) {
      const gone = await act()
      assert.deepEqual([gone.status, gone.body.name], [503, 'service_unavailable'])
      assert.match(gone.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
      assert.equal(gone.body.message, catalogue.service_unavailable.message)
    }
    assert.equal((await signedIn.get('/readyz')).status, 503)
    assert.equal((await signedIn.get('/healthz')).status, 200)
    assert.equal((await behind.client({ cookie: 'garbage' }).get('/api/auth/me')).status, 401)
    await link.restore()
    assert.equal((await signedIn.get('/api/auth/me')).body.id, id)
    assert.equal((await signedIn.get('/readyz')).status, 200)
  })
})

/** A TCP link to the database that a test can cut. */
const openLink = async (databaseUrl: string) => {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
  }
  const server = createServer((near) => {
    const far = keep(connect(Number(target.port), target.hostname))
    keep(near).pipe(far).pipe(near)
  })
  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(0)
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: Object.assign(new URL(databaseUrl), { port: String(port) }).href,
    async cut() {
      for (const socket of sockets) socket.destroy()
      if (!server.listening) return
      server.close()
      await once(server, 'close')
    },
    restore: () => listen(port),
  }
}

const rawRequest = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(mail.url).port), '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('end', () => resolve(answer))
    socket.on('error', reject)
  })
