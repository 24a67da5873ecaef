import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { makeType, stateOf, text } from './testing/types.ts'

let service: CmsService
let admin: Person
before(async () => {
  service = await startCms()
  admin = await service.person('admin')
  await makeType(admin.client, 'present')
})
after(() => service.close())

/** Both ways in refuse it and save nothing; gives the keys and what is wrong with them. */
const problemsOf = async (members: Record<string, unknown>): Promise<Record<string, string>> => {
  const before = await stateOf(service)
  const post = await admin.client.post('/api/types', { name: 'new', label: 'New', ...members })
  assert.equal(post.status, 400, JSON.stringify(members).slice(0, 200))
  assert.equal(post.body.code, 'VALIDATION_FAILED')
  const put = await admin.client.put('/api/types/present', members)
  assert.equal(put.status, 400, JSON.stringify(members).slice(0, 200))
  assert.deepEqual(await stateOf(service), before)
  return Object.fromEntries(
    post.body.details.fields.map(({ key, message }: { key: string; message: string }) => [key, message]),
  )
}
const fieldProblems = (...fields: unknown[]) => problemsOf({ fields })

describe('a type name', () => {
  test('is a small letter, then letters, digits and hyphens; nothing that every object has', async () => {
    const before = await stateOf(service)
    for (const name of [
      '',
      'A',
      '1a',
      'a_b',
      'a b',
      'a/b',
      'ä',
      'constructor',
      'toString',
      'valueOf',
      'x'.repeat(64),
      7,
    ]) {
      const answer = await admin.client.post('/api/types', { name, label: 'X' })
      assert.equal(answer.status, 400, String(name))
    }
    // A member of this name is refused before it could become a prototype.
    const inherited = '{"name":"__proto__","label":"X"}'
    assert.equal((await admin.client.post('/api/types', inherited)).status, 400)
    assert.equal((await admin.client.post('/api/types', '{"name":"a","label":"X","__proto__":{}}')).status, 400)
    assert.deepEqual(await stateOf(service), before)
    for (const name of ['a', 'blog-post', 'blogPost2', 'x'.repeat(63)]) await makeType(admin.client, name)
  })
})

describe('a field key', () => {
  test('in snake case is refused, and the right one is named', async () => {
    const problems = await fieldProblems(text('hero_title'))
    assert.match(problems['fields.0.key'] ?? '', /heroTitle/)
  })

  test('that is reserved, inherited or malformed is refused', async () => {
    for (const key of [
      '__layout',
      'constructor',
      'hasOwnProperty',
      '__proto__',
      'prototype',
      'Title',
      '1a',
      'a-b',
      'a.b',
      '',
    ])
      assert.ok('fields.0.key' in (await fieldProblems(text(key))), key)
    assert.ok('fields.0.key' in (await fieldProblems(text('x'.repeat(64)))))
  })

  test('is there once, in lists too', async () => {
    assert.ok('fields.1.key' in (await fieldProblems(text('a'), text('a'))))
    const list = { key: 'items', type: 'list', fields: [text('b'), text('b')] }
    assert.ok('fields.0.fields.1.key' in (await fieldProblems(list)))
  })
})

describe('fields', () => {
  test('of unknown types, with unknown or wrong options, are refused by their path', async () => {
    assert.ok('fields.0.type' in (await fieldProblems({ key: 'a', type: 'constructor' })))
    assert.ok('fields.0.localized' in (await fieldProblems(text('a', { localized: true }))))
    assert.ok('fields.0.maxLength' in (await fieldProblems(text('a', { minLength: 5, maxLength: 2 }))))
    assert.ok('fields.0.pattern' in (await fieldProblems(text('a', { pattern: '(a+)+$' }))))
    assert.ok('fields.0.to' in (await fieldProblems({ key: 'a', type: 'reference' })))
    assert.ok('fields.0.default' in (await fieldProblems({ key: 'a', type: 'number', default: 'x' })))
  })

  test('that cannot be compared are neither unique nor indexed, nor is anything inside of a list', async () => {
    assert.ok('fields.0.unique' in (await fieldProblems({ key: 'a', type: 'json', unique: true })))
    assert.ok('fields.0.indexed' in (await fieldProblems({ key: 'a', type: 'gallery', indexed: true })))
    const list = { key: 'items', type: 'list', fields: [text('b', { unique: true })] }
    assert.ok('fields.0.fields.0.unique' in (await fieldProblems(list)))
  })

  test('go so deep and are so many, and no further', async () => {
    const nested = (depth: number): unknown =>
      depth === 0 ? text('a') : { key: 'items', type: 'list', fields: [nested(depth - 1)] }
    await makeType(admin.client, 'deep', [nested(8)])
    await fieldProblems(nested(9))
    await fieldProblems(...Array.from({ length: 101 }, (_, index) => text(`f${index}`)))
    const wide = (key: string) => ({
      key,
      type: 'list',
      fields: Array.from({ length: 80 }, (_, index) => text(`f${index}`)),
    })
    await fieldProblems(wide('a'), wide('b'), wide('c'), wide('d'))
    const abyss = await admin.client.post(
      '/api/types',
      `{"name":"abyss","label":"A","fields":${'[{"key":"a","type":"list","fields":'.repeat(5_000)}[]${'}]'.repeat(5_000)}}`,
    )
    assert.equal(abyss.status, 400)
    assert.equal((await admin.client.get('/api/types/abyss')).status, 404)
  })

  test('that are no list, or no fields, are refused', async () => {
    for (const fields of [{}, 'text', null, [null], ['a'], [[]], [{}]]) await problemsOf({ fields })
  })
})

describe('other members', () => {
  test('are checked: label, texts, icon, kind', async () => {
    assert.ok('label' in (await problemsOf({ label: '  ' })))
    assert.ok('label' in (await problemsOf({ label: 'two\nlines' })))
    assert.ok('description' in (await problemsOf({ description: 'x'.repeat(2_001) })))
    assert.ok('icon' in (await problemsOf({ icon: '<svg onload=alert(1)>' })))
    assert.ok('kind' in (await problemsOf({ kind: 'page' })))
  })

  test('a preview address is a path or http(s), with known placeholders, none in the host', async () => {
    for (const previewUrl of [
      'javascript:alert(1)',
      '//evil.example/{slug}',
      '/\\evil.example/{slug}',
      'https://{slug}.example/',
      'https://user@example.com/{slug}',
      '/blog/{title}',
      '/blog/{slug',
      'blog/{slug}',
      '/a b',
      `/${'x'.repeat(2_000)}`,
    ])
      assert.ok('previewUrl' in (await problemsOf({ previewUrl })), previewUrl)
    for (const [index, previewUrl] of ['/blog/{slug}', 'https://example.com/:locale/:slug', '/{type}/{id}'].entries())
      assert.equal((await makeType(admin.client, `preview${index}`, [], { previewUrl })).previewUrl, previewUrl)
  })

  test('what is not JSON, or no object, is refused', async () => {
    for (const body of ['', '[]', 'null', '{"name":"a"', '{"name":"a","name":"b","label":"x"}']) {
      const answer = await admin.client.post('/api/types', body)
      assert.equal(answer.status, 400, body)
    }
  })

  test('characters that cannot be stored are refused, and nothing is saved', async () => {
    for (const bad of ['\u0000', '\ud800']) {
      await problemsOrRefusal({ description: `x${bad}` })
      await problemsOrRefusal({ fields: [text('a', { help: `x${bad}` })] })
      await problemsOrRefusal({ fields: [text('a', { default: `x${bad}` })] })
    }
  })
})

const problemsOrRefusal = async (members: Record<string, unknown>): Promise<void> => {
  const before = await stateOf(service)
  const answer = await admin.client.post('/api/types', { name: 'odd', label: 'Odd', ...members })
  assert.equal(answer.status, 400, answer.text)
  assert.deepEqual(await stateOf(service), before)
}
