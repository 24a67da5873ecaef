import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { type ApiDescription, describeApi } from '../openapi.ts'
import { route } from '../testing/service.ts'
import { renderReference } from './page.ts'
import { publishApi } from './reference.ts'
import { samplesOf } from './samples.ts'

const HOSTILE = `</style><script>alert("x")</script>' onload='y`

type Tree = { label: string; items: Tree[] }
const tree: z.ZodType<Tree> = z.lazy(() => z.object({ label: z.string(), items: z.array(tree) }))

const hostile = route({
  method: 'POST',
  path: '/api/things/:id',
  summary: HOSTILE,
  auth: ['token'],
  access: 'write',
  params: z.object({ id: z.string() }),
  query: z.strictObject({ q: z.enum([HOSTILE]).optional() }),
  body: z.strictObject({ [HOSTILE]: z.string().max(5).default(HOSTILE), version: z.int().optional(), tree }),
  output: z.object({ version: z.int(), kind: z.string().default(HOSTILE) }),
  run: () => ({ version: 1, kind: HOSTILE }),
})
const api: ApiDescription = {
  title: HOSTILE,
  version: HOSTILE,
  description: HOSTILE,
  publicUrl: 'https://things.example',
  credentials: { token: { type: 'http', scheme: 'bearer', description: HOSTILE } },
  error: z.object({ code: z.string() }),
  catalogue: { WRONG: { status: 400, message: HOSTILE } },
  errorsOf: () => ['WRONG'],
  permissionOf: () => HOSTILE,
  groups: { things: HOSTILE },
}

describe('the API page', () => {
  test('writes whatever the description says as text', () => {
    const { html } = renderReference(describeApi([hostile], api))
    assert.equal(html.match(/<style/g)?.length, 1)
    assert.equal(html.match(/<script/g)?.length, 1)
    assert.doesNotMatch(html, /alert\("x"\)|' onload='/)
    assert.ok(html.includes('&lt;/style&gt;&lt;script&gt;'))
    for (const tag of html.matchAll(/<([a-z0-9]+)((?:\s[a-z-]+(?:="[^"<>]*")?)*)\s*>/g)) assert.ok(tag[0])
    // Every < begins one of our own tags.
    assert.doesNotMatch(html.replace(/<!doctype html>|<\/?[a-z0-9]+(?:\s[a-z-]+="[^"<>]*")*>/g, ''), /</)
  })

  test('shows members, their limits, errors and required access, and ends where a schema refers to itself', () => {
    const { html } = renderReference(describeApi([hostile], api))
    assert.ok(html.includes('up to 5 characters'))
    assert.ok(html.includes('<code>tree.items[].items[].label</code>'))
    assert.ok(html.includes('400 <a href="#WRONG">WRONG</a>'))
    assert.ok(html.includes('If-Match'))
    assert.ok(html.length < 112_000, `${html.length}`)
  })

  test('shows the call in each language, with the credential that it needs', () => {
    const plain = route({
      method: 'PUT',
      path: '/api/things/:id',
      summary: 'Change a thing',
      auth: ['token'],
      access: 'write',
      params: z.object({ id: z.uuid() }),
      query: z.strictObject({ mode: z.enum(['draft', 'live']), page: z.int().optional() }),
      body: z.strictObject({ name: z.string(), tags: z.array(z.string()), isOpen: z.boolean(), note: z.null() }),
      output: z.object({ id: z.uuid(), data: z.record(z.string(), z.unknown()), any: z.unknown() }),
      run: () => ({ id: '', data: {}, any: 1 }),
    })
    const examples = { 'PUT /api/things/:id': { name: "it's", tags: ['a'], isOpen: true, note: null } }
    const described = describeApi([plain], { ...api, examples })
    const operation = described.paths['/api/things/{id}']?.put
    assert.ok(operation)
    const samples = samplesOf(described, { method: 'PUT', path: '/api/things/{id}', operation })
    const [curl, javascript, python] = samples.map(({ code }) => code)
    const url = 'https://things.example/api/things/01890a5d-ac96-774b-bcce-b302099a8057?mode=draft'
    assert.equal(
      curl,
      `curl -X PUT '${url}' \\\n  -H 'authorization: Bearer …' \\\n  -H 'content-type: application/json' \\\n  -d '{\n    "name": "it'\\''s",\n    "tags": [\n      "a"\n    ],\n    "isOpen": true,\n    "note": null\n  }'`,
    )
    assert.match(
      javascript ?? '',
      /^const response = await fetch\("https:.*", \{\n {2}method: 'PUT',\n {2}headers: \{ authorization: "Bearer …", 'content-type': "application\/json" \},/,
    )
    assert.match(python ?? '', /requests\.put\(\n.*"isOpen": True,\n {8}"note": None,\n {4}\},\n\)/s)
    const { html } = renderReference(described)
    assert.ok(html.includes('<span>Response 200</span>'))
    assert.ok(html.includes('data-code="python"'))
  })

  test('comes with a policy that allows nothing but its style and script, and both with an ETag', () => {
    const published = publishApi([hostile], api)
    const [document, page] = [published.document.plain, published.page.plain]
    assert.match(
      page.options.headers?.['content-security-policy'] ?? '',
      /^default-src 'none'; style-src 'sha256-[^']+'; font-src data:; script-src 'sha256-[^']+'; base-uri /,
    )
    assert.ok(page.options.etag && document.options.etag && page.options.etag !== document.options.etag)
    assert.equal(JSON.parse(document.body.toString()).openapi, '3.1.0')
  })

  test('a code that the catalogue does not have is a mistake of the service', () => {
    assert.throws(() => describeApi([hostile], { ...api, errorsOf: () => ['NOT_ONE'] }), /NOT_ONE/)
  })

  test('an example that its own route refuses is a mistake of the service', () => {
    const examples = { 'POST /api/things/:id': { tree: 5 } }
    assert.throws(() => describeApi([hostile], { ...api, examples }), /refuses its own example/)
  })
})
