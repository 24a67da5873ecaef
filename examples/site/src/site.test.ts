import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createClient } from '@stoa/cms-client'
import { type CmsInstance, createCms } from '@stoa/cms-host'
import { freshDatabase, type TestDatabase } from '@stoa/tests/lib/cluster.ts'
import { watchAssistant } from './assistant.ts'
import { visual, website } from './definitions.ts'
import { design } from './design.ts'
import { formattedHtml } from './html.ts'
import { createPageCache } from './page-cache.ts'
import { createSite } from './site.ts'

const KEY = `cms_${'k'.repeat(43)}`
const OWNER = { email: 'owner@example.test', password: 'seven lanterns in the harbour' }
const BASE = 'http://localhost:4301'

describe('the example site', () => {
  let database: TestDatabase
  let cms: CmsInstance
  let server: Server
  let url = ''
  let token = ''
  let reads = 0
  const errors: unknown[] = []
  let css = ''
  let hasAssistant = false

  before(async () => {
    database = await freshDatabase()
    cms = await createCms({
      visual,
      website,
      design,
      env: {
        NODE_ENV: 'test',
        LOG_LEVEL: 'silent',
        SECRET: 'a secret of the tests, long enough for anyone',
        CMS_DATABASE_URL: database.url,
        PUBLIC_URL: BASE,
        STORAGE_LOCAL_DIR: join(tmpdir(), 'stoa-cms-test-media'),
        BOOTSTRAP_DELIVERY_KEY: KEY,
        BOOTSTRAP_EMAIL: OWNER.email,
        BOOTSTRAP_PASSWORD: OWNER.password,
      },
    })
    const fetch = (request: Request): Promise<Response> => {
      reads += 1
      return cms.fetch(request)
    }
    const client = createClient({ url: BASE, apiKey: KEY, fetch, retries: 0 })
    const site = createSite({
      client,
      contentVersion: cms.contentVersion,
      design: () => ({ css }),
      hasAssistant: async () => hasAssistant,
      url: `${BASE}/`,
      onError: (error) => errors.push(error),
    })
    server = createServer((request, response) => cms.handler(request, response, () => void site(request, response)))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const address = server.address()
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    token = (await api('POST', '/api/auth/login', OWNER)).token
  })
  after(async () => {
    server.closeAllConnections()
    server.close()
    await cms.close()
    await database.drop()
    assert.deepEqual(errors, [])
  })

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  const api = async (method: string, path: string, body?: unknown): Promise<any> => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const options = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const answer = await cms.fetch(new Request(BASE + path, options))
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${await answer.clone().text()}`)
    return answer.json()
  }
  const get = async (path: string, options: RequestInit = {}) => {
    const answer = await fetch(url + path, options)
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  const publish = async (type: string, members: object): Promise<string> => {
    const { id } = await api('POST', '/api/entries', { type, ...members })
    await api('POST', `/api/entries/${id}/status`, { action: 'publish' })
    return id
  }

  test('an empty site says what to do', async () => {
    const { status, text } = await get('/')
    assert.equal(status, 200)
    assert.match(text, /Your website is running.*href="\/admin\/"/s)
    assert.match((await get('/articles')).text, /No articles have been published yet/)
    assert.equal((await get('/articles/nothing')).status, 404)
  })

  test('what is published appears at once, and is served from memory until something changes', async () => {
    await api('PUT', '/api/settings', { title: 'Harbour & News', tagline: 'Tides' })
    const fields = [
      { key: 'summary', type: 'text' },
      { key: 'body', type: 'richtext' },
    ]
    await api('POST', '/api/types', { name: 'article', label: 'Article', previewUrl: '/articles/{slug}', fields })
    const data = { summary: 'A <b>summary</b>', body: '<p>Hello <strong>world</strong></p><script>x()</script>' }
    await publish('article', { title: 'First <script>alert(1)</script>', slug: 'first', data })
    assert.match((await get('/')).text, /First &lt;script&gt;/)
    const page = await get('/articles/first')
    assert.equal(page.status, 200)
    assert.match(page.text, /<title>First &lt;script&gt;.* – Harbour &amp; News<\/title>/)
    assert.match(page.text, /A &lt;b&gt;summary&lt;\/b&gt;/)
    assert.match(page.text, /<p>Hello <strong>world<\/strong><\/p>/)
    assert.doesNotMatch(page.text, /<script/)
    const before = reads
    for (const again of ['/articles/first', '/articles/first?utm=1', '/'])
      assert.equal((await get(again)).status, 200, again)
    assert.equal(reads, before, 'nothing was read again')
    await api('PUT', '/api/settings', { tagline: 'Ebb and flow' })
    assert.match((await get('/articles/first')).text, /Ebb and flow/)
  })

  test('browsers ask whether a page still holds', async () => {
    const { headers } = await get('/articles/first')
    assert.equal(headers.get('cache-control'), 'public, max-age=0, must-revalidate')
    const asked = { headers: { 'if-none-match': headers.get('etag') ?? '' } }
    assert.equal((await get('/articles/first', asked)).status, 304)
    await api('PUT', '/api/settings', { tagline: 'Changed' })
    assert.equal((await get('/articles/first', asked)).status, 200)
    assert.equal((await get('/', { method: 'HEAD' })).text, '')
    assert.equal((await get('/', { method: 'POST' })).status, 405)
  })

  test('pages show the bubble of the visitor assistant while it is on, and no page allows scripts otherwise', async () => {
    const script = `<script src="${BASE}/ext/assistant/widget.js" defer></script>`
    const policyOf = ({ headers }: { headers: Headers }) => headers.get('content-security-policy') ?? ''
    const off = await get('/articles/first')
    assert.doesNotMatch(off.text, /<script/)
    assert.doesNotMatch(policyOf(off), /script-src|connect-src/)
    hasAssistant = true
    try {
      const on = await get('/articles/first')
      assert.ok(on.text.includes(script))
      assert.match(policyOf(on), /; script-src http:\/\/localhost:4301\/ext\/assistant\/widget\.js; connect-src http/)
      assert.match(policyOf(on), /connect-src http:\/\/localhost:4301\/ext\/assistant\/public-ask$/)
    } finally {
      hasAssistant = false
    }
    assert.doesNotMatch((await get('/articles/first')).text, /<script/)
  })

  test('the first page after the switch has the bubble; a CMS that is away or slow has none, and no page waits long', async () => {
    let time = 0
    let asked = 0
    let answer: Promise<boolean> = Promise.resolve(false)
    const hasIt = watchAssistant(
      () => {
        asked += 1
        return answer
      },
      () => time,
    )
    assert.equal(await hasIt(), false)
    answer = Promise.resolve(true)
    assert.equal(await hasIt(), false, 'known for a while')
    time += 5_000
    assert.deepEqual([await hasIt(), await hasIt(), asked], [true, true, 2])
    answer = Promise.reject(new Error('away'))
    time += 5_000
    assert.equal(await hasIt(), false)
    let late = (_: boolean): void => undefined
    answer = new Promise((resolve) => {
      late = resolve
    })
    time += 5_000
    assert.deepEqual([await hasIt(), await hasIt(), asked], [false, false, 4], 'one question at a time')
    late(true)
    await answer
    assert.equal(await hasIt(), true)
  })

  test('styles and fonts are kept for good at addresses with their version, and asked for again at others', async () => {
    const [, style = ''] = /<link rel="stylesheet" href="(\/style\.css\?v=[\w-]+)">/.exec((await get('/')).text) ?? []
    const { headers, text } = await get(style)
    assert.match(headers.get('content-type') ?? '', /^text\/css/)
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
    const fonts = [...text.matchAll(/url\("(\/fonts\/[^"]+)"\)/g)].map(([, address = '']) => address)
    assert.equal(fonts.length, 6)
    for (const font of fonts) {
      const answer = await get(font)
      assert.equal(answer.headers.get('content-type'), 'font/woff2')
      assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable')
      assert.equal(answer.headers.get('access-control-allow-origin'), '*', 'the editor shows pages without an origin')
    }
    for (const path of ['/style.css', '/style.css?v=old'])
      assert.equal((await get(path)).headers.get('cache-control'), 'public, max-age=0, must-revalidate')
    const asked = { headers: { 'if-none-match': headers.get('etag') ?? '' } }
    assert.equal((await get('/style.css', asked)).status, 304)
  })

  test('what people changed of the looks comes after the own styles, at an address of its version', async () => {
    assert.doesNotMatch((await get('/')).text, /design\.css/)
    css = ':root{--accent:#005f73}'
    await api('PUT', '/api/settings', { tagline: 'Changed again' })
    const [, address = ''] =
      /style\.css\?v=[\w-]+">\s*<link rel="stylesheet" href="(\/design\.css\?v=[\w-]+)">/.exec((await get('/')).text) ??
      []
    const { headers, text } = await get(address)
    assert.equal(text, css)
    assert.match(headers.get('cache-control') ?? '', /immutable/)
    css = ''
    await api('PUT', '/api/settings', { tagline: 'Changed' })
  })

  test('the menu of the editors takes the place of the declared links', async () => {
    assert.match((await get('/articles')).text, /<a href="\/articles" aria-current="page">Articles<\/a>/)
    await api('POST', '/api/menus', { name: 'main', label: 'Main', items: [{ label: 'Boats', url: '/boats' }] })
    const { text } = await get('/')
    assert.match(text, /<a href="\/boats">Boats<\/a>/)
    assert.doesNotMatch(text, /<a href="\/articles">Articles/)
  })

  test('pages and a home of the editors are shown', async () => {
    const body = [{ key: 'body', type: 'textarea' }]
    await api('POST', '/api/types', { name: 'page', label: 'Page', previewUrl: '/{slug}', fields: body })
    await publish('page', { title: 'Boats', data: { body: 'One\n\nTwo <i>' } })
    assert.match((await get('/boats')).text, /<p>One<\/p><p>Two &lt;i&gt;<\/p>/)
    const home = [{ key: 'headline', type: 'text' }]
    await api('POST', '/api/types', { name: 'home', label: 'Home', kind: 'single', fields: home })
    await publish('home', { title: 'Home', data: { headline: 'Ahoy' } })
    assert.match((await get('/')).text, /<h1 class="hero-headline">Ahoy<\/h1>/)
  })

  test('a preview is open to anyone with the link, never cached and not indexed by search engines', async () => {
    const { id } = await api('POST', '/api/entries', { type: 'article', title: 'Secret plans', slug: 'plans' })
    assert.equal((await get('/articles/plans')).status, 404)
    const link = await api('POST', `/api/entries/${id}/preview`, { data: { summary: 'Not saved yet' } })
    assert.equal(new URL(link.url).pathname, '/articles/plans')
    const { status, headers, text } = await get(new URL(link.url).pathname + new URL(link.url).search)
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('x-robots-tag'), 'noindex, nofollow')
    assert.equal(headers.get('etag'), null)
    assert.match(text, /This is a preview.*Secret plans.*Not saved yet/s)
    assert.equal((await get('/articles/plans')).status, 404, 'the preview was for its own request')
    const ended = await get('/articles/plans?preview=nonsense')
    assert.deepEqual([ended.status, ended.headers.get('cache-control')], [404, 'no-store'])
    assert.match(ended.text, /This preview has ended/)
  })

  test('a page is marked for the editor only inside of a valid preview with visual=1, and only for its own entry', async () => {
    const { id } = await api('POST', '/api/entries', {
      type: 'article',
      title: 'Arranged',
      slug: 'arranged',
      data: { body: '<p>Text</p>', __layout: { order: ['next', 'body'], hidden: ['heading'] } },
    })
    await api('POST', `/api/entries/${id}/status`, { action: 'publish' })
    const { url: link } = await api('POST', `/api/entries/${id}/preview`)
    const preview = new URL(link).search
    const seen = async (path: string) => {
      const { status, text } = await get(path)
      return {
        status,
        isMoved: text.indexOf('"article-next') < text.indexOf('"article-body'),
        heading: text.includes('"article-head'),
        marks: [...text.matchAll(/data-cms-(section|field|part|hidden)=/g)].map(([, kind]) => kind),
      }
    }
    const plain = { status: 200, isMoved: true, heading: false, marks: [] }
    assert.deepEqual(await seen('/articles/arranged?visual=1'), plain, 'public pages are arranged, not marked')
    assert.deepEqual(await seen(`/articles/arranged${preview}`), plain)
    assert.deepEqual(await seen(`/articles/arranged${preview}&visual=0`), plain)
    const edited = await seen(`/articles/arranged${preview}&visual=1`)
    assert.deepEqual([edited.status, edited.isMoved, edited.heading], [200, true, true], 'hidden sections are shown')
    assert.deepEqual([...new Set(edited.marks)].sort(), ['field', 'hidden', 'part', 'section'])
    const other = await seen(`/articles/first${preview}&visual=1`)
    assert.deepEqual([other.status, [...new Set(other.marks)]], [200, ['part']], 'the page of another entry')
    const ended = await seen('/articles/arranged?preview=nonsense&visual=1')
    assert.deepEqual([ended.status, ended.marks], [404, []])
    const before = reads
    assert.deepEqual(await seen('/articles/arranged'), plain)
    assert.equal(reads, before, 'the public page came from memory')
  })

  test('search finds what is published, escapes what was asked and takes no more than a hundred characters', async () => {
    const empty = await get('/search')
    assert.equal(empty.status, 200)
    assert.match(empty.text, /<form class="search-form" action="\/search" role="search">/)
    assert.match(empty.text, /<meta name="robots" content="noindex">/)
    const found = await get('/search?q=%20hello%0Aworld%20')
    assert.match(found.text, /1 result for “hello world”.*href="\/articles\/first"/s)
    const before = reads
    await get('/search?q=hello%20world')
    assert.equal(reads, before, 'the same search is served from memory')
    const nothing = await get(`/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`)
    assert.match(nothing.text, /value="&quot;&gt;&lt;script&gt;/)
    assert.match(nothing.text, /Nothing found/)
    assert.doesNotMatch(nothing.text, /<script/)
    assert.match((await get(`/search?q=${'x'.repeat(5000)}`)).text, /value="x{100}"/)
    assert.equal((await get('/search?q=%ed%a0%80%00')).status, 200)
    assert.doesNotMatch((await get('/search?q=Secret')).text, /Secret plans/)
  })

  test('the feed holds the newest articles as RSS, with addresses of the website', async () => {
    const { status, headers, text } = await get('/feed.xml')
    assert.deepEqual([status, headers.get('content-type')], [200, 'application/rss+xml; charset=utf-8'])
    assert.match(text, /^<\?xml version="1.0" encoding="utf-8"\?>\n<rss version="2.0"/)
    assert.match(text, /<title>First &lt;script&gt;/)
    assert.match(text, /<link>http:\/\/localhost:4301\/articles\/first<\/link>/)
    assert.match((await get('/')).text, /<link rel="alternate" type="application\/rss\+xml"[^>]* href="\/feed.xml">/)
  })

  test('a page says what it is: language, title, description, address, and how it looks when shared', async () => {
    const { text } = await get('/articles/first')
    assert.match(text, /<html lang="en">/)
    assert.match(text, /<meta name="description" content="A &lt;b&gt;summary&lt;\/b&gt;">/)
    assert.match(text, /<link rel="canonical" href="http:\/\/localhost:4301\/articles\/first">/)
    assert.match(text, /<meta property="og:type" content="article">/)
    assert.match(text, /<a class="skip" href="#content">.*<header .*<nav .*<main id="content">.*<footer /s)
    assert.match((await get('/nothing')).text, /<meta name="robots" content="noindex">/)
  })

  test('addresses that lead nowhere are not found, whatever is in them', async () => {
    const paths = ['/nothing', '/articles/first/more', '/%zz', '//evil.test/', '/a%00b', '/?page=2']
    for (const path of [...paths, '/articles?page=99', `/${'x'.repeat(3000)}`, '/articles/'])
      assert.equal((await get(path)).status, 404, path)
    assert.match((await get('/nothing')).text, /isn’t on our shelves/)
  })
})

test('a page that was read while the content changed is shown once, and not kept', async () => {
  let version = 1
  let made = 0
  const cache = createPageCache(() => version)
  const make = (during: () => void) => async () => {
    made += 1
    during()
    return { status: 200, type: 'text/html', body: `page ${made}` }
  }
  const change = () => {
    version += 1
  }
  const nothing = () => undefined
  assert.equal((await cache.get('/', make(change))).body, 'page 1')
  assert.equal((await cache.get('/', make(nothing))).body, 'page 2')
  assert.equal((await cache.get('/', make(nothing))).body, 'page 2')
  change()
  assert.equal((await cache.get('/', make(nothing))).body, 'page 3')
  assert.equal((await cache.get('/missing', async () => ({ status: 404, type: 'text/html', body: '' }))).status, 404)
  assert.equal((await cache.get('/missing', make(nothing))).body, 'page 4')
})

test('of a formatted text only italics and line breaks are HTML', () => {
  const cases: [string, string][] = [
    ['One <i>two</i><br>three', 'One <i>two</i><br>three'],
    ['Tom & Jerry &amp; &nbsp; &lt;b&gt;', 'Tom &amp; Jerry &amp; &nbsp; &lt;b&gt;'],
    ['<i onclick="x">a</i>', '&lt;i onclick=&quot;x&quot;&gt;a&lt;/i&gt;'],
    ['<script>x</script><i>open', '&lt;script&gt;x&lt;/script&gt;&lt;i&gt;open'],
    ['&lt;script&gt;', '&lt;script&gt;'],
  ]
  for (const [given, wanted] of cases) assert.equal(formattedHtml(given).text, wanted)
})
