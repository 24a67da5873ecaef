import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { type CmsClient, CmsError, createClient } from './cms-client.ts'

type Site = {
  article: { kind: 'collection'; data: { body: string; price: number | null; author: { slug: string } | null } }
  home: { kind: 'single'; data: { headline: string } }
}

describe('the client and a service', () => {
  let service: CmsService
  let admin: Person
  let key = ''
  let client: CmsClient<Site>
  const asked: string[] = []

  const make = async (type: string, members: object, publish = true): Promise<string> => {
    const made = await admin.client.post('/api/entries', { type, ...members })
    assert.equal(made.status, 201, made.text)
    if (publish) {
      const live = await admin.client.post(`/api/entries/${made.body.id}/status`, { action: 'publish' })
      assert.equal(live.status, 200, live.text)
    }
    return made.body.id
  }

  before(async () => {
    service = await startCms()
    admin = await service.person('admin')
    const fields = [
      { key: 'body', type: 'textarea' },
      { key: 'price', type: 'number' },
    ]
    const types = [
      { name: 'article', label: 'Article', previewUrl: '/articles/{slug}', fields },
      { name: 'home', label: 'Home', kind: 'single', fields: [{ key: 'headline', type: 'text' }] },
    ]
    for (const type of types) assert.equal((await admin.client.post('/api/types', type)).status, 201)
    for (const [index, title] of ['Alpha', 'Beta', 'Gamma'].entries())
      await make('article', { title, data: { body: `About ${title}`, price: index * 10 } })
    await make('home', { title: 'Home', data: { headline: 'Welcome' } })
    await admin.client.post('/api/menus', { name: 'main', label: 'Main', items: [{ label: 'Home', url: '/' }] })
    key = (await admin.client.post('/api/delivery-keys', { name: 'Site', types: ['*'] })).body.key
    client = createClient<Site>({
      url: `${service.url}/`,
      apiKey: key,
      cacheMegabytes: 1,
      fetch: async (request) => {
        const response = await fetch(request)
        asked.push(`${response.status} ${new URL(request.url).pathname}${new URL(request.url).search}`)
        return response
      },
    })
  })
  after(() => service.close())

  test('reads types, settings, menus, lists and entries', async () => {
    assert.deepEqual(
      (await client.types()).map(({ name, kind }) => `${name} ${kind}`),
      ['article collection', 'home single'],
    )
    assert.equal((await client.settings()).locale, 'en')
    assert.equal((await client.menu('main'))?.items[0]?.label, 'Home')
    assert.deepEqual(await client.design(), { surfaces: [], css: '' })
    await admin.client.post('/api/taxonomies', { name: 'topics', label: 'Topics', hierarchical: true })
    const { body: sea } = await admin.client.post('/api/taxonomies/topics/terms', { name: 'Sea' })
    await admin.client.post('/api/taxonomies/topics/terms', { name: 'Boats', parentId: sea.id })
    await make('article', { title: 'Ferry', data: { price: -1 }, terms: [{ taxonomy: 'topics', slug: 'boats' }] })
    const topics = await client.taxonomy('topics')
    assert.deepEqual(
      topics?.terms.map(({ slug, count }) => [slug, count]),
      [
        ['sea', 0],
        ['boats', 1],
      ],
    )
    const ferries = await client.list('article', {
      term: 'topics:sea/*',
      filter: { body: { exists: false }, price: { lt: 0 } },
      include: ['terms', 'translations'],
    })
    assert.deepEqual(
      ferries.items.map(({ title, terms, translations }) => [title, terms?.[0]?.parentId, translations]),
      [['Ferry', sea.id, []]],
    )
    await admin.client.delete(`/api/entries/${ferries.items[0]?.id}`)
    const list = await client.list('article', { sort: ['-price', 'title'], limit: 2 })
    assert.deepEqual(
      list.items.map(({ title, data }) => [title, data.price]),
      [
        ['Gamma', 20],
        ['Beta', 10],
      ],
    )
    assert.deepEqual(list.meta, { total: 3, page: 1, limit: 2, pages: 2 })
    assert.equal((await client.entry('article', 'alpha'))?.data.body, 'About Alpha')
    assert.equal((await client.single('home'))?.data.headline, 'Welcome')
  })

  test('filters, alternatives, search, fields, include and depth reach the server', async () => {
    const titles = async (options: Parameters<typeof client.list>[1]) =>
      (await client.list('article', { sort: 'title', ...options })).items.map(({ title }) => title)
    assert.deepEqual(await titles({ filter: { price: { gte: 10, lt: 20 } } }), ['Beta'])
    assert.deepEqual(await titles({ filter: { title: { in: ['Alpha', 'Gamma'] } } }), ['Alpha', 'Gamma'])
    assert.deepEqual(await titles({ anyOf: [{ price: { eq: 0 } }, { slug: { starts: 'gam' } }] }), ['Alpha', 'Gamma'])
    assert.deepEqual(await titles({ q: 'beta', locale: 'en', page: 1 }), ['Beta'])
    assert.deepEqual(await titles({ filter: { publishedAt: { gt: new Date('2100-01-01') } } }), [])
    const entry = await client.entry('article', 'beta', {
      fields: ['title', 'data.price'],
      include: ['author'],
      depth: 0,
    })
    assert.deepEqual(entry && { ...entry, id: '', author: entry.author?.name }, {
      id: '',
      title: 'Beta',
      data: { price: 10 },
      author: (await admin.client.get('/api/auth/me')).body.name,
    })
  })

  test('what is not there is null, also for names that no path can hold', async () => {
    for (const slug of [
      'nothing',
      '',
      '.',
      '..',
      '../alpha',
      'a/b',
      '%2e%2e',
      'single',
      'ä ö',
      '\u0000',
      '\ud800',
      'x'.repeat(5000),
    ])
      assert.equal(await client.entry('article', slug), null, slug)
    assert.equal(await client.menu('footer'), null)
    assert.equal(await client.taxonomy('nothing'), null)
    assert.equal(await client.preview('not-a-token'), null)
    assert.equal(await client.preview(''), null)
  })

  test('refusals are errors with status, code and details', async () => {
    await assert.rejects(client.list('article', { sort: 'colour' }), (error: unknown) => {
      assert.ok(error instanceof CmsError)
      assert.deepEqual([error.status, error.code], [400, 'VALIDATION_FAILED'])
      assert.match(JSON.stringify(error.details), /"key":"sort"/)
      return true
    })
    const stranger = createClient({ url: service.url, apiKey: `cms_${'x'.repeat(43)}` })
    await assert.rejects(stranger.list('article'), { status: 401, code: 'INVALID_TOKEN' })
    await assert.rejects(createClient({ url: service.url, apiKey: key }).list('nope'), {
      status: 404,
      code: 'NOT_FOUND',
    })
    for (const url of ['', 'cms.example.com', 'ftp://x', 'https://x/?a=1'])
      assert.throws(() => createClient({ url, apiKey: key }), TypeError, url)
  })

  test('a kept answer is asked for again by its tag, and never shared with a caller who changes it', async () => {
    asked.length = 0
    const first = await client.entry('article', 'gamma')
    if (first) first.title = 'changed by a caller'
    assert.equal((await client.entry('article', 'gamma'))?.title, 'Gamma')
    assert.deepEqual(asked, ['200 /content/article/gamma', '304 /content/article/gamma'])
    const id = first?.id ?? ''
    assert.equal((await admin.client.put(`/api/entries/${id}`, { title: 'Gamma two' })).status, 200)
    assert.equal((await client.entry('article', 'gamma'))?.title, 'Gamma two')
    client.forget()
    await client.entry('article', 'gamma')
    assert.equal(asked.at(-1), '200 /content/article/gamma')
  })

  test('a preview shows a draft, and is not kept', async () => {
    const id = await make('article', { title: 'Hidden', data: { body: 'Soon' } }, false)
    const link = await admin.client.post(`/api/entries/${id}/preview`, {})
    assert.equal(link.status, 200, link.text)
    asked.length = 0
    for (const _ of [1, 2]) assert.equal((await client.preview(link.body.token))?.title, 'Hidden')
    assert.deepEqual(
      asked.map((line) => line.slice(0, 3)),
      ['200', '200'],
    )
    assert.equal(await client.entry('article', 'hidden'), null)
  })
})

describe('the client and a bad network', () => {
  const servers: Server[] = []
  after(() => {
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
  })
  const serve = async (listener: RequestListener): Promise<string> => {
    const server = createServer(listener).listen(0, '127.0.0.1')
    servers.push(server)
    await once(server, 'listening')
    const address = server.address()
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  }

  test('a failure that passes is tried again, others are not', async () => {
    let requests = 0
    const url = await serve((_request, response) => {
      requests += 1
      response.statusCode = requests === 1 ? 503 : requests === 2 ? 200 : 500
      response.end(requests === 2 ? '{"title":"Back"}' : '<html>oops</html>')
    })
    const client = createClient({ url, apiKey: 'cms_x' })
    assert.equal((await client.settings()).title, 'Back')
    await assert.rejects(client.settings(), { status: 500, code: 'UNEXPECTED_ANSWER' })
    assert.equal(requests, 3)
  })

  test('it gives up after the retries, and does not wait for a Retry-After that is too long', async () => {
    let requests = 0
    const url = await serve((_request, response) => {
      requests += 1
      response
        .writeHead(429, { 'retry-after': requests > 2 ? '3600' : '0' })
        .end('{"error":"Slow","code":"RATE_LIMITED"}')
    })
    const client = createClient({ url, apiKey: 'cms_x', retries: 1 })
    await assert.rejects(client.settings(), { status: 429, code: 'RATE_LIMITED' })
    assert.equal(requests, 2)
    await assert.rejects(client.settings(), { status: 429 })
    assert.equal(requests, 3)
  })

  test('a server that does not answer is a TIMEOUT, one that is not there NETWORK, and an abort its own reason', async () => {
    const url = await serve(() => undefined)
    const hasty = createClient({ url, apiKey: 'cms_x', timeoutMs: 50, retries: 0 })
    await assert.rejects(hasty.settings(), { status: 0, code: 'TIMEOUT' })
    const nowhere = createClient({ url: 'http://127.0.0.1:1', apiKey: 'cms_x', retries: 0 })
    await assert.rejects(nowhere.settings(), { status: 0, code: 'NETWORK' })
    const reason = new Error('enough')
    const controller = new AbortController()
    const pending = createClient({ url, apiKey: 'cms_x' }).settings({ signal: controller.signal })
    controller.abort(reason)
    await assert.rejects(pending, reason)
  })

  test('the key is not carried to another address, and what is not JSON is said to be so', async () => {
    const seen: (string | undefined)[] = []
    const elsewhere = await serve((request, response) => {
      seen.push(String(request.headers['x-api-key']))
      response.end('hello')
    })
    const url = await serve((_request, response) => response.writeHead(302, { location: elsewhere }).end())
    await assert.rejects(createClient({ url, apiKey: 'cms_x', retries: 0 }).settings(), { code: 'NETWORK' })
    assert.deepEqual(seen, [])
    await assert.rejects(createClient({ url: elsewhere, apiKey: 'cms_x' }).settings(), { code: 'UNEXPECTED_ANSWER' })
  })
})
