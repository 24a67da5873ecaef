import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { ApiDocument, Operation } from '@stoa/kit/http/openapi.ts'
import { ERROR_NAMES } from '@stoa/mail-model/errors.ts'
import { type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { apiRoutes } from '../../app.ts'
import { setupRoutes } from '../../doors/setup/routes.ts'
import { wellKnownRoutes } from '../../doors/well-known/routes.ts'
import { ownErrors } from './errors.ts'
import { examples } from './examples.ts'

let mail: MailService
let api: ApiDocument
let html: string
let policy: string
before(async () => {
  mail = await startMail()
  api = (await mail.client().get('/openapi.json')).body
  const page = await mail.client().get('/reference')
  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  html = page.text
  policy = page.headers.get('content-security-policy') ?? ''
})
after(() => mail.close())

type Listed = { method: string; path: string; operation: Operation }
const operations = (): Listed[] =>
  Object.entries(api.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
const namesOf = (operation: Operation | undefined): string[] =>
  Object.values(operation?.responses ?? {}).flatMap((answer) => answer['x-codes'] ?? [])

describe('the description', () => {
  test('is of the whole service: the API, JMAP, documents for mail programs and about the service', () => {
    const described = new Set(operations().map(({ method, path }) => `${method} ${path}`))
    for (const { method, path } of [...apiRoutes, ...wellKnownRoutes])
      assert.ok(described.has(`${method} ${path.replace(/:(\w+)/g, '{$1}')}`), `${method} ${path}`)
    const programs = operations().filter(({ operation }) => operation.tags.includes('mail-programs'))
    assert.equal(programs.length, setupRoutes.length)
    for (const one of [
      'POST /jmap',
      'GET /jmap/ws',
      'GET /.well-known/jmap',
      'GET /mail/config-v1.1.xml',
      'POST /autodiscover/autodiscover.xml',
      'GET /autodiscover/autodiscover.json',
      'GET /healthz',
      'GET /readyz',
      'GET /reference',
      'GET /openapi.json',
    ])
      assert.ok(described.has(one), one)
  })

  test('names every placeholder of a path, each operation once, and no reference leads nowhere', () => {
    for (const { path, operation } of operations()) {
      assert.match(path, /^\/[\w/{}.*-]*$/)
      const inPath = operation.parameters.filter((each) => each.in === 'path')
      assert.deepEqual(
        inPath.map(({ name }) => `{${name}}`),
        path.match(/\{\w+\}/g) ?? [],
        path,
      )
    }
    const ids = operations().map(({ operation }) => operation.operationId)
    assert.equal(new Set(ids).size, ids.length)
    const known = new Set(Object.keys(api.components.schemas).map((name) => `#/components/schemas/${name}`))
    for (const [, place = ''] of JSON.stringify(api).matchAll(/"\$ref":"(#\/components\/schemas\/\w+)/g))
      assert.ok(known.has(place), place)
  })

  test('groups have descriptions, and every description is of a route that exists', () => {
    assert.deepEqual(
      api.tags.filter(({ description }) => description === undefined),
      [],
    )
    const described = new Set(operations().map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`))
    const strangers = [...Object.keys(ownErrors), ...Object.keys(examples)].filter((name) => !described.has(name))
    assert.deepEqual(strangers, [])
  })

  test('shows the credentials, the error names and the requirements of each route', () => {
    const schemes = Object.keys(api.components.securitySchemes)
    for (const { operation } of operations()) {
      for (const kind of operation.security.flatMap((each) => Object.keys(each))) assert.ok(schemes.includes(kind))
      for (const name of namesOf(operation)) assert.ok(ERROR_NAMES.some((known) => known === name))
    }
    assert.deepEqual(namesOf(api.paths['/api/domains']?.post).sort(), [
      'conflict',
      'forbidden',
      'missing_required_field',
      'quota_exceeded',
      'rate_limit_exceeded',
      'unauthorized',
      'validation_error',
    ])
    assert.deepEqual(namesOf(api.paths['/api/auth/me']?.get), ['unauthorized', 'rate_limit_exceeded'])
    assert.equal(api.paths['/api/instance']?.patch?.['x-permission'], 'to own the instance')
    const zone = api.paths['/api/domains/{domain_id}/dns/zone']?.get
    assert.deepEqual(Object.keys(zone?.responses['200']?.content ?? {}), ['text/plain'])
    const callback = api.paths['/api/webhooks/payments']?.post
    assert.deepEqual(callback?.requestBody, { required: true, content: { 'application/json': {} } })
  })

  test('shows a right body wherever one is asked for', () => {
    const without = operations().filter(({ operation }) => {
      const json = operation.requestBody?.content['application/json']
      return operation.requestBody?.required === true && json?.schema !== undefined && json.example === undefined
    })
    assert.deepEqual(
      without.map(({ method, path }) => `${method} ${path}`),
      [],
    )
  })
})

describe('the page', () => {
  test('has every operation and every error', () => {
    for (const { operation } of operations()) assert.ok(html.includes(`<article id="${operation.operationId}">`))
    for (const name of ERROR_NAMES) assert.ok(html.includes(`<tr id="${name}">`), name)
    assert.ok(html.includes('<code>Authorization: Basic</code>') && html.includes('<code>Authorization: Bearer</code>'))
  })

  test('loads nothing, and its policy allows its own style and script alone', () => {
    assert.equal(html.match(/<script/g)?.length, 1)
    assert.doesNotMatch(html, /<link|<img|<iframe|\son\w+=|javascript:|style=/i)
    const hashOf = (tag: string) => {
      const [, bytes = ''] = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(html) ?? []
      return createHash('sha256').update(bytes).digest('base64')
    }
    assert.ok(
      policy.startsWith(
        `default-src 'none'; style-src 'sha256-${hashOf('style')}'; font-src data:; script-src 'sha256-${hashOf('script')}';`,
      ),
    )
    for (const [, target = ''] of html.matchAll(/href="([^"]+)"/g)) {
      if (target === '/openapi.json') continue
      assert.match(target, /^#/)
      assert.ok(html.includes(`id="${target.slice(1)}"`), target)
    }
  })

  test('answers 304 to clients that have it, and is small enough to read on the way', async () => {
    const { headers } = await mail.client().get('/reference')
    const again = await mail.client().get('/reference', { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    assert.equal(again.status, 304)
    assert.ok(html.length < 2_000_000, `${html.length}`)
  })
})

const hasCurl = spawnSync('curl', ['--version']).status === 0

test('the walk with curl in docs/panel.md works', { skip: hasCurl ? false : 'there is no curl' }, async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-walk-'))
  context.after(() => rm(folder, { recursive: true }))
  const guide = await readFile(new URL('../../../../../docs/panel.md', import.meta.url), 'utf8')
  const [, commands = ''] = guide.split('## A domain and a mailbox')[1]?.split(/```(?:sh)?\n/) ?? []
  const typed = commands.replace('http://localhost:4400', mail.url).replaceAll(/-([bc]) jar/g, `-$1 ${folder}/jar`)
  const { stdout } = await promisify(execFile)('bash', ['-ec', typed])
  assert.doesNotMatch(stdout, /"statusCode":/)
  const kinds = ['user', 'dns_record_set', 'dns_provider', 'client_config', 'filter_validation', 'filter', 'overview']
  for (const kind of kinds) assert.ok(stdout.includes(`{"object":"${kind}"`), kind)
  assert.match(stdout, /"counts":\{"domains":1,"domains_verified":1,"addresses":1,"filters":1,/)
})
