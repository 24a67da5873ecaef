import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { HEALTH_PATHS } from './health.ts'
import { describeApi } from './openapi.ts'
import { PUBLIC, type Route } from './route.ts'
import { route, routes } from './testing/service.ts'

type Json = Record<string, unknown>
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isJson(inner) ? inner[key] : undefined), value)

const describeRoutes = (given: readonly Route[]) =>
  describeApi(given, {
    title: 'Things',
    version: '1.2.3',
    description: 'For tests',
    publicUrl: 'https://things.example',
    credentials: {
      token: { type: 'http', scheme: 'bearer' },
      cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
    },
    error: z.object({ code: z.string(), message: z.string() }),
  })

type Menu = { label: string; items: Menu[] }
const menu: z.ZodType<Menu> = z.lazy(() => z.object({ label: z.string(), items: z.array(menu) }))
const recursive = route({
  method: 'PUT',
  path: '/api/menus/:name',
  summary: 'A tree',
  auth: ['token'],
  access: 'write',
  params: z.object({ name: z.string().max(20) }),
  body: z.object({ root: menu }),
  output: menu,
  run: (_ctx, { body }) => body.root,
})
const document = describeRoutes([...routes, recursive])
const operations = Object.entries(at(document, 'paths') ?? {}).flatMap(([path, verbs]) =>
  Object.entries(isJson(verbs) ? verbs : {}).map(([verb, operation]) => ({ path, verb, operation })),
)

describe('the API description', () => {
  test('says what it is', () => {
    assert.equal(document.openapi, '3.1.0')
    assert.deepEqual(document.info, { title: 'Things', version: '1.2.3', description: 'For tests' })
    assert.deepEqual(document.servers, [{ url: 'https://things.example' }])
    assert.deepEqual(JSON.parse(JSON.stringify(document)), document)
  })

  test('has every route once and the two of every service, with an operation id of its own', () => {
    assert.equal(operations.length, routes.length + 1 + HEALTH_PATHS.length)
    const ids = operations.map(({ operation }) => at(operation, 'operationId'))
    assert.equal(new Set(ids).size, ids.length)
    for (const id of ids) assert.match(String(id), /^[a-z]+[A-Za-z0-9]+$/)
  })

  test('names each parameter of a path, required, and no other', () => {
    for (const { path, operation } of operations) {
      assert.doesNotMatch(path, /:/)
      const parameters = at(operation, 'parameters')
      assert.ok(Array.isArray(parameters))
      const inPath = parameters.filter((each) => at(each, 'in') === 'path')
      assert.deepEqual(
        inPath.map((each) => `{${String(at(each, 'name'))}}`),
        path.match(/\{\w+\}/g) ?? [],
      )
      for (const each of inPath) assert.equal(at(each, 'required'), true)
      for (const each of parameters) assert.ok(isJson(at(each, 'schema')))
    }
    const [page] = at(document, 'paths', '/api/things', 'get', 'parameters') as Json[]
    assert.deepEqual([page?.name, page?.in, page?.required], ['page', 'query', false])
  })

  test('names the credentials, and none for a public route', () => {
    const schemes = Object.keys(at(document, 'components', 'securitySchemes') ?? {})
    for (const { operation } of operations) {
      const security = at(operation, 'security')
      assert.ok(Array.isArray(security))
      for (const each of security) assert.ok(schemes.includes(Object.keys(each)[0] ?? ''))
    }
    assert.deepEqual(at(document, 'paths', '/api/things', 'get', 'security'), [{ token: [] }, { cookie: [] }])
    assert.deepEqual(at(document, 'paths', '/api/who', 'get', 'security'), [])
  })

  test('shows bodies as they are sent and answers as they come', () => {
    const post = at(document, 'paths', '/api/things', 'post')
    assert.deepEqual(at(post, 'requestBody', 'content', 'application/json', 'schema', 'required'), ['name'])
    assert.equal(at(post, 'requestBody', 'content', 'application/json', 'schema', 'additionalProperties'), false)
    assert.deepEqual(Object.keys(at(post, 'responses') ?? {}), ['201', 'default'])
    assert.deepEqual(at(document, 'paths', '/api/things/{id}', 'delete', 'responses', '204'), {
      description: 'Success',
    })
    assert.deepEqual(at(document, 'paths', '/api/broken-stream', 'get', 'responses', '200', 'content'), { '*/*': {} })
    assert.equal(at(document, 'paths', '/api/who', 'get', 'requestBody'), undefined)
  })

  test('every reference leads to something in the document', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => String(match[1]))
    assert.ok(references.length > routes.length)
    for (const reference of references) {
      assert.match(reference, /^#\/components\/schemas\//)
      assert.ok(isJson(at(document, ...reference.slice(2).split('/'))), reference)
    }
  })

  test('a schema that refers to itself still describes a tree', () => {
    const answer = at(document, 'components', 'schemas', 'putApiMenusByNameAnswer')
    assert.ok(isJson(answer))
    assert.match(JSON.stringify(answer), /"\$ref":"#\/components\/schemas\/putApiMenusByNameAnswer/)
  })

  test('an answer that may have no content is described with and without it', () => {
    const dryRun = route({
      method: 'DELETE',
      path: '/api/kinds/:name',
      summary: 'Delete, or say what that would mean',
      auth: ['token'],
      access: 'write',
      params: z.object({ name: z.string() }),
      output: z.object({ affected: z.int() }).optional(),
      status: 204,
      run: () => undefined,
    })
    const answers = at(describeRoutes([dryRun]), 'paths', '/api/kinds/{name}', 'delete', 'responses')
    assert.deepEqual(at(answers, '204'), { description: 'Success' })
    assert.ok(isJson(at(answers, '200', 'content', 'application/json', 'schema')))
  })

  test('bodies and answers that a route reads and writes by itself have the types that it declares, and groups their names', () => {
    const streamed = route({
      method: 'POST',
      path: '/things/upload',
      summary: 'Bytes in, a text out',
      auth: PUBLIC,
      access: 'all',
      form: z.looseObject({}),
      describes: {
        body: { 'text/csv': null, 'application/json': z.object({ names: z.string() }) },
        type: 'text/plain',
      },
      output: 'raw',
      run: () => '',
    })
    const credentials = { token: { type: 'http', scheme: 'bearer' } }
    const about = { title: '', version: '', description: '', publicUrl: '', credentials, error: z.object({}) }
    const made = describeApi([streamed], {
      ...about,
      groupOf: (path) => (path === '/things/upload' ? 'in' : undefined),
    })
    const operation = at(made, 'paths', '/things/upload', 'post')
    assert.deepEqual(at(operation, 'tags'), ['in'])
    assert.deepEqual(at(operation, 'requestBody', 'content', 'text/csv'), {})
    const json = at(operation, 'requestBody', 'content', 'application/json', 'schema')
    assert.deepEqual(at(json, 'required'), ['names'])
    assert.deepEqual(at(operation, 'responses', '200', 'content'), { 'text/plain': {} })
  })

  test('two routes that would share an operation id are refused', () => {
    const twin = (path: string) =>
      route({
        method: 'GET',
        path,
        summary: 'A twin',
        auth: PUBLIC,
        access: 'all',
        output: 'empty',
        run: () => undefined,
      })
    assert.throws(() => describeRoutes([twin('/api/a-b'), twin('/api/a/b')]), /operationId of another route: getApiAB/)
  })
})
