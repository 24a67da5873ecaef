import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { z } from 'zod'
import { Fault, type InputIssue } from '../errors.ts'
import { parseInput } from './input.ts'
import { call, writeJson } from './testing/client.ts'
import { type Service, startService } from './testing/service.ts'

const issuesOf = (schema: z.ZodType, value: unknown, where: InputIssue['where'] = 'body'): readonly InputIssue[] => {
  try {
    parseInput(schema, value, where)
    return []
  } catch (raised) {
    assert.ok(raised instanceof Fault && raised.kind === 'invalid_input')
    assert.ok('issues' in raised.detail)
    return raised.detail.issues
  }
}
const short = (issues: readonly InputIssue[]) => issues.map(({ path, reason }) => `${path} ${reason}`)

describe('what is wrong with an input', () => {
  const schema = z.strictObject({
    name: z.string(),
    address: z.strictObject({ city: z.string(), zip: z.string().optional() }),
    items: z.array(z.strictObject({ url: z.url() })),
    kind: z.enum(['a', 'b']).optional(),
    either: z.union([z.string(), z.number()]).optional(),
  })

  test('is reported together, by dot path, as missing, invalid or unknown', () => {
    const value = {
      address: { city: 1, street: 'x' },
      items: [{ url: 'http://a.example' }, { url: 'no' }, {}],
      extra: 1,
      kind: 'c',
    }
    assert.deepEqual(short(issuesOf(schema, value)).sort(), [
      'address.city invalid',
      'address.street unknown',
      'extra unknown',
      'items.1.url invalid',
      'items.2.url missing',
      'kind invalid',
      'name missing',
    ])
  })

  test('is distinguished: null and the wrong type are invalid, absent is missing', () => {
    const whole = { name: 'a', address: { city: 'b' }, items: [] }
    assert.deepEqual(short(issuesOf(schema, whole)), [])
    assert.deepEqual(short(issuesOf(schema, { ...whole, name: null })), ['name invalid'])
    assert.deepEqual(short(issuesOf(schema, { ...whole, either: true })), ['either invalid'])
    assert.deepEqual(short(issuesOf(schema, { ...whole, address: undefined })), ['address missing'])
    for (const value of [null, [], 'text', 1, true]) assert.deepEqual(short(issuesOf(schema, value)), [' invalid'])
  })

  test('says where it was', () => {
    for (const where of ['body', 'query', 'params', 'headers'] as const)
      assert.equal(issuesOf(z.object({ a: z.string() }), {}, where)[0]?.where, where)
  })

  test('a member named like something every object inherits is missing when it is not there', () => {
    const inherited = z.object({ toString: z.string(), constructor: z.string() })
    assert.deepEqual(short(issuesOf(inherited, {})), ['toString missing', 'constructor missing'])
  })

  test('a rule of its own keeps its sentence', () => {
    const rule = z.object({ url: z.string().optional(), id: z.string().optional() }).superRefine((value, ctx) => {
      if (!value.url && !value.id) ctx.addIssue({ code: 'custom', path: ['url'], message: 'give url or id' })
    })
    assert.equal(issuesOf(rule, {})[0]?.message, 'give url or id')
    assert.equal(issuesOf(rule, { id: 'x' }).length, 0)
  })

  test('is bounded, however much is wrong, and however long the names are', () => {
    const many = issuesOf(
      z.array(z.string()),
      Array.from({ length: 20_000 }, () => 1),
    )
    assert.equal(many.length, 100)
    const unknown = Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`k${at}`, 1]))
    assert.equal(issuesOf(z.strictObject({}), unknown).length, 100)
    const long = issuesOf(z.record(z.string(), z.array(z.string())), { ['n'.repeat(100_000)]: [1, 2] })
    assert.ok(long.every(({ path }) => path.length <= 200))
  })

  test('never repeats the value', () => {
    const secret = 'hunter2hunter2'
    const schemas = [
      z.object({ a: z.number() }),
      z.object({ a: z.enum(['x']) }),
      z.object({ a: z.email() }),
      z.object({ a: z.uuid() }),
    ]
    for (const each of schemas) assert.ok(!JSON.stringify(issuesOf(each, { a: secret })).includes(secret))
  })

  test('no schema takes nothing', () => {
    assert.equal(parseInput(undefined, { a: 1 }, 'body'), undefined)
  })
})

describe('input over the wire', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())
  const headers = { authorization: 'Bearer writer' }
  const list = (query: string) => call(service.port, { path: `/api/things?${query}`, headers })

  test('members that are missing, wrong and unknown come back in one answer', async () => {
    const answer = await writeJson(service.port, '/api/things', '{"size":"big","role":"owner","tags":["a",1]}')
    assert.equal(answer.status, 400)
    assert.deepEqual(answer.json.details, {
      issues: [
        { where: 'body', path: 'name', reason: 'missing', message: 'is required' },
        { where: 'body', path: 'size', reason: 'invalid', message: 'must be a number, not text' },
        {
          where: 'body',
          path: 'tags.1',
          reason: 'invalid',
          message: 'must be text, not 1',
        },
        { where: 'body', path: 'role', reason: 'unknown', message: "isn't a known field" },
      ],
    })
  })

  test('a list of wrong items does not come back as an answer many times as long', async () => {
    const body = JSON.stringify({ name: 'a', tags: Array.from({ length: 49_000 }, () => 1) })
    const answer = await writeJson(service.port, '/api/things', body)
    assert.equal(answer.status, 400)
    assert.ok(answer.text.length < 20_000, `${answer.text.length} bytes`)
  })

  test('a query parameter is one value: repeated ones are refused', async () => {
    assert.deepEqual((await list('page=2&search=x')).json, { page: 2, search: 'x' })
    for (const query of ['search=a&search=b', 'page=1&page=2', 'search=&search='])
      assert.equal((await list(query)).status, 400, query)
    assert.deepEqual((await list('search[]=a&search[0]=b&search[x]=c')).json, { page: 1, search: null })
  })

  test('odd queries do no harm', async () => {
    const odd = [
      '',
      '&&&',
      '=',
      '=x',
      '?',
      'search',
      'search=',
      '%',
      'search=%zz',
      'search=%ff',
      '__proto__=x',
      '__proto__[a]=x',
      'constructor=1',
      '#x',
      'a'.repeat(15_000),
    ]
    for (const query of odd) assert.equal((await list(query)).status, 200, query.slice(0, 20))
    for (const page of ['NaN', '1e400', '0x10x', '1;drop', '-', '[]', '9'.repeat(400)])
      assert.equal((await list(`page=${page}`)).status, 400, page)
    assert.equal(Reflect.get({}, 'a'), undefined)
  })

  test('an id in the path is text, whatever it looks like', async () => {
    for (const id of [
      '1abc',
      '-1',
      '1e3',
      'null',
      '__proto__',
      'constructor',
      '[object Object]'.replaceAll(' ', '%20'),
    ]) {
      const answer = await call(service.port, { path: `/api/things/${id}`, headers })
      assert.deepEqual(answer.json, { id: decodeURIComponent(id), name: 'A thing' })
    }
  })
})
