import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { errorCodes } from '@stoa/cms-model/error-codes.ts'
import type { ApiDocument, Operation } from '@stoa/kit/http/openapi.ts'
import { type CmsService, startCms } from '@stoa/tests/lib/cms.ts'

let site: CmsService
let api: ApiDocument
let html: string
let policy: string
before(async () => {
  site = await startCms()
  api = (await site.client().get('/openapi.json')).body
  const page = await site.client().get('/reference')
  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  html = page.text
  policy = page.headers.get('content-security-policy') ?? ''
})
after(() => site.close())

type Listed = { method: string; path: string; operation: Operation }
const operations = (): Listed[] =>
  Object.entries(api.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

describe('the description', () => {
  test('is OpenAPI 3.1 with every route of the service, each under an id of its own', () => {
    assert.equal(api.openapi, '3.1.0')
    assert.ok(api.info.title && api.info.version)
    const described = new Set(operations().map(({ method, path }) => `${method} ${path}`))
    for (const { method, path } of site.cms.routes)
      assert.ok(described.has(`${method} ${path.replace(/:(\w+)/g, '{$1}')}`), `${method} ${path}`)
    for (const path of ['GET /healthz', 'GET /readyz', 'GET /reference', 'GET /openapi.json'])
      assert.ok(described.has(path), path)
    const ids = operations().map(({ operation }) => operation.operationId)
    assert.equal(new Set(ids).size, ids.length)
  })

  test('declares every placeholder of a path, nothing twice, and no reference leads nowhere', () => {
    for (const { path, operation } of operations()) {
      const inPath = operation.parameters.filter((each) => each.in === 'path')
      assert.deepEqual(
        inPath.map(({ name }) => `{${name}}`),
        path.match(/\{\w+\}/g) ?? [],
        path,
      )
      assert.ok(inPath.every(({ required }) => required))
      const names = operation.parameters.map((each) => `${each.in} ${each.name}`)
      assert.equal(new Set(names).size, names.length, path)
    }
    for (const [, place = ''] of JSON.stringify(api).matchAll(/"\$ref":"([^"]+)"/g)) {
      assert.match(place, /^#\/components\/schemas\//)
      const found = place
        .slice(2)
        .split('/')
        .reduce<unknown>(
          (inner, key) => (typeof inner === 'object' && inner ? Reflect.get(inner, key) : undefined),
          api,
        )
      assert.ok(typeof found === 'object' && found !== null, place)
    }
  })

  test('every operation has an answer, known credentials and tags, and errors of the catalogue', () => {
    const tags = new Set(api.tags.map(({ name }) => name))
    const schemes = Object.keys(api.components.securitySchemes)
    for (const { method, path, operation } of operations()) {
      const at = `${method} ${path}`
      assert.ok(
        Object.keys(operation.responses).some((status) => /^[123]\d\d$/.test(status)),
        at,
      )
      for (const [status, answer] of Object.entries(operation.responses)) {
        assert.match(status, /^([1-5]\d\d|default)$/)
        assert.ok(answer.description, at)
        for (const code of answer['x-codes'] ?? [])
          assert.ok(
            errorCodes.some((known) => known === code),
            code,
          )
      }
      for (const each of operation.security) for (const kind of Object.keys(each)) assert.ok(schemes.includes(kind), at)
      for (const tag of operation.tags) assert.ok(tags.has(tag))
      if (method === 'GET') assert.equal(operation.requestBody, undefined, at)
    }
    assert.equal(api.components.securitySchemes.delivery?.name, 'X-Api-Key')
  })

  test('shows the headers of versioned changes, the required access, and a sample body', () => {
    const put = api.paths['/api/entries/{id}']?.put
    assert.ok(put?.parameters.some(({ name }) => name === 'If-Match'))
    assert.ok(put?.responses['200']?.headers?.ETag)
    assert.deepEqual(put?.responses['409']?.['x-codes']?.includes('VERSION_CONFLICT'), true)
    assert.equal(put?.['x-permission'], 'content.write')
    assert.ok(put?.requestBody?.content['application/json']?.example)
    const remove = api.paths['/api/entries/{id}']?.delete
    assert.ok(remove?.parameters.some(({ name }) => name === 'If-Match'))
    assert.equal(remove?.requestBody?.required, false)
  })

  test('shows a right body wherever one is asked for', () => {
    const without = operations().filter(({ operation }) => {
      const json = operation.requestBody?.content['application/json']
      return operation.requestBody?.required === true && json !== undefined && json.example === undefined
    })
    assert.deepEqual(
      without.map(({ method, path }) => `${method} ${path}`),
      [],
    )
  })
})

describe('the page', () => {
  test('has every operation and every error code', () => {
    for (const { operation } of operations()) assert.ok(html.includes(`<article id="${operation.operationId}">`))
    for (const code of errorCodes) assert.ok(html.includes(`<tr id="${code}">`), code)
  })

  test('loads nothing, and its policy allows its own style and script alone', () => {
    assert.equal(html.match(/<script/g)?.length, 1)
    assert.doesNotMatch(html, /<link|<img|<iframe|\son\w+=|javascript:|style=/i)
    const hashOf = (tag: string) => {
      const [, bytes = ''] = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(html) ?? []
      return createHash('sha256').update(bytes).digest('base64')
    }
    assert.equal(
      policy,
      `default-src 'none'; style-src 'sha256-${hashOf('style')}'; font-src data:; script-src 'sha256-${hashOf('script')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    for (const [, target = ''] of html.matchAll(/href="([^"]+)"/g)) {
      if (target === '/openapi.json') continue
      assert.match(target, /^#/)
      assert.ok(html.includes(`id="${target.slice(1)}"`), target)
    }
  })

  test('answers 304 to a client that has it, and stays below 1.5 MB', async () => {
    const { headers } = await site.client().get('/reference')
    const again = await site.client().get('/reference', { 'if-none-match': headers.get('etag') ?? '' })
    assert.equal(again.status, 304)
    assert.ok(html.length < 1_500_000, `${html.length}`)
  })
})
