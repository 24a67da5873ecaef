import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { apiRoutes } from './app.ts'

let mail: MailService
before(async () => {
  mail = await startMail({ env: { MAIL_PUBLIC_URL: 'https://mail.example.test' } })
})
after(() => mail.close())

describe('the description of the API', () => {
  test('lists every route with its credentials, and is public', async () => {
    const answer = await mail.client().get('/openapi.json')
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
    const { openapi, paths, components } = answer.body
    assert.equal(openapi, '3.1.0')
    for (const { method, path, auth } of apiRoutes) {
      const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
      assert.ok(operation, `${method} ${path}`)
      assert.deepEqual(operation.security, auth === 'public' ? [] : auth.map((kind) => ({ [kind]: [] })))
    }
    const { description, ...scheme } = components.securitySchemes.session
    assert.deepEqual(scheme, { type: 'apiKey', in: 'cookie', name: 'mail_session' })
    assert.match(description, /14 days/)
  })

  test('asks for no parameter of a list', async () => {
    const { paths } = (await mail.client().get('/openapi.json')).body
    const parameters: { name: string; required: boolean }[] = paths['/api/account/sessions'].get.parameters
    assert.deepEqual(
      parameters.map(({ name, required }) => [name, required]),
      [
        ['page', false],
        ['per_page', false],
        ['sort', false],
        ['direction', false],
        ['search', false],
      ],
    )
  })
})

describe('answers of the API', () => {
  test('carry the headers that keep browsers from misusing them', async () => {
    const { client } = await mail.signUp()
    for (const answer of [await client.get('/api/auth/me'), await mail.client().get('/api/auth/me')]) {
      const { headers } = answer
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.equal(headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'")
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('referrer-policy'), 'no-referrer')
      assert.equal(headers.get('strict-transport-security'), 'max-age=63072000; includeSubDomains')
      assert.equal(headers.get('server'), null)
      assert.equal(headers.get('x-powered-by'), null)
      assert.match(headers.get('x-request-id') ?? '', /./)
    }
  })
})

describe('paths outside the API', () => {
  for (const path of ['/api', '/api/', '/api/nothing', '/jmap/x', '/mail/x', '/t/x', '/.well-known/x', '/reference/x'])
    test(`${path} is never a screen of the panel`, async () => {
      const answer = await mail.client().get(path)
      assert.deepEqual([answer.status, answer.body?.name], [404, 'not_found'])
    })

  test('the panel has its own policy, may frame only itself, and is never kept', async (context) => {
    if (!existsSync(new URL('../../../web/mail/dist/index.html', import.meta.url)))
      return context.skip('the panel is not built')
    for (const path of ['/', '/account', '/domains/x']) {
      const { status, headers } = await mail.client().get(path)
      assert.equal(status, 200)
      assert.match(headers.get('content-type') ?? '', /^text\/html/)
      assert.equal(headers.get('cache-control'), 'no-store')
      const policy = headers.get('content-security-policy') ?? ''
      assert.match(policy, /script-src 'self';/)
      assert.match(policy, /frame-src 'self';/)
      assert.match(policy, /frame-ancestors 'none'/)
    }
    assert.equal((await mail.client().post('/account', {})).status, 404)
  })
})
