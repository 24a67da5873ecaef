import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { fillPreviewUrl, type PreviewValues, previewUrlProblem, readPreviewUrl } from './preview-url.ts'

const values: PreviewValues = { slug: 'hello', id: '01890a5d', locale: 'de', type: 'post' }
const BASE = 'https://example.com'

describe('a preview URL template', () => {
  for (const [template, expected] of [
    ['/blog/{slug}', 'https://example.com/blog/hello'],
    ['/blog/:slug', 'https://example.com/blog/hello'],
    ['/{locale}/{type}/{slug}?id={id}', 'https://example.com/de/post/hello?id=01890a5d'],
    ['/:locale/:type/p-:slug?id=:id', 'https://example.com/de/post/p-hello?id=01890a5d'],
    ['https://site.example:8080/:slug#top', 'https://site.example:8080/hello#top'],
    ['http://localhost:3000/{slug}', 'http://localhost:3000/hello'],
    ['/', 'https://example.com/'],
    ['/time/12:30/{slug}', 'https://example.com/time/12:30/hello'],
  ] as const)
    test(`${template} leads to ${expected}`, () => {
      assert.equal(previewUrlProblem(template), null)
      assert.equal(fillPreviewUrl(template, values, BASE), expected)
    })

  for (const template of [
    ...['', 'blog/{slug}', '//evil.com/{slug}', '/\\evil.com', 'javascript:alert({slug})', 'JAVASCRIPT://x/%0a{slug}'],
    ...[
      'data:text/html,{slug}',
      'ftp://x/{slug}',
      '/{title}',
      '/:category/:slug',
      '/{{slug}}',
      `/$\{slug}`,
      '/#{slug}}',
    ],
    ...[
      '/{slug',
      '/slug}',
      '/{}',
      '/{ slug }',
      '/{constructor}',
      '/{__proto__}',
      '/:toString',
      '/a b/{slug}',
      '/a\n{slug}',
    ],
    ...[
      'https://{slug}.example.com/',
      'https://:slug/',
      'https://example.com:id/',
      'https://user:pass@example.com/{slug}',
    ],
    ...[
      'https:///{slug}',
      'https://',
      'https://exa mple.com/',
      'https://[/{slug}',
      `/${'a'.repeat(2000)}`,
      '/<{slug}>',
      '/"{slug}',
    ],
  ])
    test(`${JSON.stringify(template).slice(0, 40)} is refused, with advice`, () => {
      assert.match(previewUrlProblem(template) ?? '', /^(must|contains) /)
    })

  test('is filled with encoded values only', () => {
    const hostile: PreviewValues = { slug: 'a/../b?c#d&e {id}', id: '"><script>', locale: '//evil', type: '\\' }
    assert.equal(
      fillPreviewUrl('/{locale}/{slug}?id={id}&t={type}', hostile, BASE),
      'https://example.com/%2F%2Fevil/a%2F..%2Fb%3Fc%23d%26e%20%7Bid%7D?id=%22%3E%3Cscript%3E&t=%5C',
    )
  })

  test('without a locale does not lead to another host', () => {
    assert.equal(
      fillPreviewUrl('/{locale}/evil.com/{slug}', { ...values, locale: null }, BASE),
      'https://example.com/evil.com/hello',
    )
  })

  test('is put behind the path of the site', () => {
    assert.equal(
      fillPreviewUrl('/blog/{slug}', values, 'https://example.com/site/'),
      'https://example.com/site/blog/hello',
    )
  })

  test('never leads to another host, whatever the values', () => {
    const text = fc.string({ unit: fc.constantFrom(...'a/.:\\?#@%{}ä 😀'), maxLength: 20 })
    fc.assert(
      fc.property(text, text, fc.option(text), text, (slug, id, locale, type) => {
        for (const template of ['/{locale}/{slug}', '/{slug}{id}/:type', 'https://example.com/:slug?{id}'])
          assert.equal(new URL(fillPreviewUrl(template, { slug, id, locale, type }, BASE)).origin, BASE)
      }),
      { seed: 20260301, numRuns: 200 },
    )
  })
})

describe('an address', () => {
  const read = (template: string, address: string) => readPreviewUrl(template, BASE, address)?.values ?? null

  test('is read with the template that made it', () => {
    assert.deepEqual(read('/blog/{slug}', 'https://example.com/blog/hello'), { slug: 'hello' })
    assert.deepEqual(read('/blog/:slug', 'https://example.com/blog/hello/?from=mail#top'), { slug: 'hello' })
    assert.deepEqual(read('/p?id={id}#top', 'https://example.com/p?id=7'), { id: '7' })
    assert.deepEqual(read('/', 'https://example.com'), {})
    assert.deepEqual(read('https://other.example/:slug', 'https://other.example/a%20b'), { slug: 'a b' })
  })

  test('is nothing to a template that makes others', () => {
    for (const address of ['https://example.com/blog', 'https://example.com/blog/a/b', 'https://evil.example/blog/a'])
      assert.equal(read('/blog/{slug}', address), null)
    assert.equal(read('/blog.html', 'https://example.com/blogxhtml'), null)
    assert.equal(read('/{slug}', 'https://example.com/'), null)
  })

  test('says how closely a template fits', () => {
    const fixed = (template: string) => readPreviewUrl(template, BASE, 'https://example.com/blog/a')?.fixed ?? 0
    assert.ok(fixed('/blog/{slug}') > fixed('/{type}/{slug}'))
  })

  test('gives back the values that it was filled with', () => {
    const text = fc
      .string({ minLength: 1, maxLength: 20 })
      .filter((one) => one.isWellFormed() && !/^\.{1,2}$/.test(one))
    fc.assert(
      fc.property(text, text, (slug, locale) => {
        const address = fillPreviewUrl('/{locale}/p-{slug}', { ...values, slug, locale }, BASE)
        assert.deepEqual(read('/{locale}/p-{slug}', address), { locale, slug })
      }),
    )
  })
})
