import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { agentFor } from '../../people/agent-keys/testing/agents.ts'
import { deliveryKeyFor } from '../../people/delivery-keys/testing/keys.ts'
import { addHook, PUBLIC_TARGET } from '../../site/webhooks/testing/ground.ts'

/** Everything that the demo could leave behind. */
const TABLES = [
  ...[
    'content_type',
    'entry',
    'entry_link',
    'entry_search',
    'entry_count',
    'revision',
    'taxonomy',
    'term',
    'entry_term',
  ],
  ...['media', 'menu', 'site_settings', 'activity', 'webhook_delivery'],
]

const stateOf = async ({ cms }: CmsService): Promise<Record<string, string>> => {
  const digests = TABLES.map(async (table) => {
    const [row] = await cms.database.db.query<{ digest: string }>({
      text: `select count(*) || ' ' || coalesce(md5(string_agg(r::text, '|' order by r::text)), '') as digest from ${table} r`,
    })
    return [table, row?.digest ?? '']
  })
  return Object.fromEntries(await Promise.all(digests))
}

const hashesOf = async ({ client }: Person): Promise<string[]> => {
  const { body } = await client.get('/api/media?limit=100')
  return body.items.map((item: { hash: string }) => item.hash).sort()
}

/** Of the first site, for the second one. */
let drawn: string[] = []

describe('the demo', () => {
  let service: CmsService
  let owner: Person
  let key: string
  const eventNames: string[] = []
  before(async () => {
    service = await startCms({ env: { SITE_URL: 'http://site.test' } })
    owner = await service.claim()
    service.cms.database.onCommit({
      after: (changes) => void eventNames.push(...changes.map(({ event }) => event)),
    })
    await addHook(owner.client, { url: PUBLIC_TARGET, events: ['*'] })
    const made = await owner.client.post('/api/demo')
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(made.body, { types: 7, entries: 28, media: 15, terms: 12, menus: 2 })
    key = (await deliveryKeyFor(owner)).key
    drawn = await hashesOf(owner)
  })
  after(() => service.close())

  const read = async (path: string) => {
    const answer = await service.client().get(path, { 'x-api-key': key })
    assert.equal(answer.status, 200, `${path}: ${answer.text}`)
    return answer.body
  }
  const list = async (query: string) => (await owner.client.get(`/api/entries?limit=100&${query}`)).body

  test('has entries of every state: live, draft, scheduled, and live with changes that wait', async () => {
    const totals = ['published', 'draft', 'scheduled', 'pending'].map(
      async (status) => (await list(`status=${status}`)).meta,
    )
    const [live, drafts, scheduled, changed] = (await Promise.all(totals)).map(({ total }) => total)
    assert.deepEqual({ live, drafts, scheduled, changed }, { live: 24, drafts: 4, scheduled: 1, changed: 1 })
    const [{ publishAt }] = (await list('status=scheduled')).items
    assert.ok(new Date(publishAt) > service.clock.now())
  })

  test('every picture has a text for those who do not see it, and is used', async () => {
    for (const filter of ['missingAlt=1', 'unused=1']) {
      const { body } = await owner.client.get(`/api/media?${filter}`)
      assert.deepEqual(
        body.items.map((item: { filename: string }) => item.filename),
        [],
        filter,
      )
    }
  })

  test('a website reads all of it with a delivery key', async () => {
    const settings = await read('/site/settings')
    assert.equal(settings.title, 'Lantern Quay Books')
    assert.equal(settings.url, 'http://site.test')
    assert.match(settings.logo, /\/lantern\.webp$/)
    const { items, meta } = await read('/content/article?include=terms')
    assert.equal(meta.total, 6)
    assert.equal(items[0].slug, 'open-at-seven-on-thursdays')
    assert.equal(items[0].url, 'http://site.test/articles/open-at-seven-on-thursdays')
    const days = items.map((item: { data: { date: string } }) => item.data.date)
    assert.deepEqual(days, days.toSorted().reverse())
    for (const { data, terms } of items) {
      assert.ok(data.summary && data.cover.alt && data.author.data.portrait.url)
      assert.ok(terms.length > 0)
      assert.equal(data.notes, undefined)
    }
    assert.equal((await read('/content/home/single')).data.featured.slug, 'a-morning-with-the-tide-charts')
    assert.equal((await read('/content/event?sort=startsAt')).items.length, 3)
    const books = (await read('/content/book')).items.map(({ slug }: { slug: string }) => slug)
    assert.equal(books.length, 6)
    assert.ok(books.includes((await read('/content/home/single')).data.pick))
    assert.match((await read('/content/footer/single')).data.address, /^Lantern Quay 7\nWrenhaven/)
    const main = await read('/site/menus/main')
    assert.deepEqual(
      main.items.map(({ url, children }: { url: string; children: unknown[] }) => [url, children.length]),
      [
        ['/books', 0],
        ['/articles', 0],
        ['/events', 0],
        ['http://site.test/visit', 0],
        ['http://site.test/about', 2],
      ],
    )
    assert.equal((await read('/site/menus/footer')).items.length, 3)
  })

  test('what waits to be published is not public', async () => {
    const live = await read('/content/article/ten-books-about-the-sea')
    assert.equal(live.title, 'Ten books about the sea, and one about a kitchen')
    const hidden = ['/content/article/a-winter-of-parcels', '/content/article/books-for-the-regatta']
    for (const path of hidden) assert.equal((await service.client().get(path, { 'x-api-key': key })).status, 404, path)
  })

  test('rich text is stored as it was written, and its links and pictures lead somewhere', async () => {
    const all = await Promise.all(
      ['article', 'book', 'page', 'event'].map(async (type) => (await read(`/content/${type}`)).items),
    )
    const entries = all.flat()
    const paths = new Set([
      '/articles',
      '/books',
      '/events',
      ...entries.map(({ url }: { url: string }) => new URL(url).pathname),
    ])
    let pictures = 0
    for (const { slug, data } of entries) {
      assert.ok(!data.body.includes('undefined') && !data.body.includes('null'), slug)
      for (const [, href = ''] of data.body.matchAll(/href="([^"]+)"/g)) assert.ok(paths.has(href), `${slug}: ${href}`)
      for (const [, source = ''] of data.body.matchAll(/<img src="([^"]+)"/g)) {
        const answer = await fetch(service.url + new URL(source).pathname)
        assert.equal(answer.headers.get('content-type'), 'image/webp', source)
        await answer.arrayBuffer()
        pictures += 1
      }
    }
    assert.equal(pictures, 4)
  })

  test('is recorded like manual work: activity, history, events and webhooks, each by the owner', async () => {
    const { body } = await owner.client.get('/api/activity?limit=100')
    const actions = new Set(body.items.map(({ action }: { action: string }) => action))
    for (const action of ['type.created', 'entry.created', 'entry.published', 'entry.scheduled', 'menu.created'])
      assert.ok(actions.has(action) || body.meta.pages > 1, action)
    assert.ok(body.items.every(({ actor }: { actor: { id: string } }) => actor.id === owner.id))
    assert.ok(body.items.every(({ at }: { at: string }) => new Date(at) <= service.clock.now()))
    const published = eventNames.filter((event) => event === 'entry.published').length
    assert.equal(published, 24)
    const [sent] = await service.cms.database.db.query<{ count: number }>({
      text: `select count(*) as count from webhook_delivery where type = 'entry.published'`,
    })
    assert.equal(sent?.count, published)
    const [entry] = (await list('status=pending')).items
    const revisions = await owner.client.get(`/api/entries/${entry.id}/revisions`)
    assert.deepEqual(
      revisions.body.items.map(({ reason }: { reason: string }) => reason),
      ['save', 'publish', 'save'],
    )
  })

  test('a second time is refused and changes nothing', async () => {
    const earlier = await stateOf(service)
    const answer = await owner.client.post('/api/demo')
    assert.deepEqual([answer.status, answer.body.code], [409, 'ALREADY_SET_UP'])
    assert.match(answer.body.error, /demo content can only be added to an empty site/)
    assert.deepEqual(await stateOf(service), earlier)
  })
})

describe('the demo of an empty site', () => {
  let service: CmsService
  let owner: Person
  before(async () => {
    service = await startCms()
    owner = await service.claim()
  })
  after(() => service.close())

  test('is for an owner in person: others and agent keys are refused, and nothing is made', async () => {
    const admin = await service.person('admin')
    const editor = await service.person('editor')
    const agent = await agentFor(service, owner)
    const earlier = await stateOf(service)
    const outcomes = []
    for (const client of [service.client(), editor.client, admin.client, agent.client]) {
      const { status, body } = await client.post('/api/demo')
      outcomes.push(`${status} ${body.code}`)
    }
    assert.deepEqual(outcomes, ['401 AUTH_REQUIRED', '403 FORBIDDEN', '403 FORBIDDEN', '403 AGENT_NOT_ALLOWED'])
    assert.equal((await owner.client.post('/api/demo', { size: 'large' })).body.code, 'VALIDATION_FAILED')
    assert.deepEqual(await stateOf(service), earlier)
  })

  test('a failure at the very end leaves nothing of it', async () => {
    assert.equal((await owner.client.post('/api/menus', { name: 'footer', label: 'Mine' })).status, 201)
    const earlier = await stateOf(service)
    const refused = await owner.client.post('/api/demo')
    assert.deepEqual([refused.status, refused.body.code], [409, 'NAME_TAKEN'])
    assert.deepEqual(await stateOf(service), earlier)
    assert.equal((await owner.client.delete('/api/menus/footer')).status, 204)
  })

  test('of two at the same moment one is made; it keeps what the owner said, and has the same pictures everywhere', async () => {
    assert.equal((await owner.client.put('/api/settings', { title: 'My shop' })).status, 200)
    const answers = await Promise.all([owner.client.post('/api/demo'), owner.client.post('/api/demo')])
    const statuses = answers.map(({ status }) => status).sort()
    // The other one waits for as long as a statement may take, and is then asked to retry later.
    assert.ok([409, 503].includes(statuses[1] ?? 0), `${statuses}`)
    assert.equal(statuses[0], 201)
    assert.equal((await owner.client.get('/api/types')).body.meta.total, 7)
    assert.equal((await owner.client.get('/api/entries')).body.meta.total, 28)
    assert.equal((await owner.client.post('/api/demo')).body.code, 'ALREADY_SET_UP')
    assert.equal(new Set(drawn).size, 15)
    assert.deepEqual(await hashesOf(owner), drawn)
    const { title, tagline, url } = (await owner.client.get('/api/settings')).body
    assert.deepEqual(
      { title, tagline, url },
      { title: 'My shop', tagline: 'A small bookshop beside the harbor', url: null },
    )
  })
})
