import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type CmsClient, createClient } from '@stoa/cms-client'
import { type CmsInstance, createCms } from '@stoa/cms-host'
import { freshDatabase, type TestDatabase } from '@stoa/tests/lib/cluster.ts'
import { publishedContent } from './content.ts'
import { visual, website } from './definitions.ts'
import { findPage } from './pages.ts'

const KEY = `cms_${'k'.repeat(43)}`
const OWNER = { email: 'owner@example.test', password: 'seven lanterns in the harbour' }
const BASE = 'http://localhost:4301'

let database: TestDatabase
let cms: CmsInstance
let client: CmsClient
before(async () => {
  database = await freshDatabase()
  cms = await createCms({
    visual,
    website,
    workers: false,
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
  client = createClient({ url: BASE, apiKey: KEY, fetch: cms.fetch, retries: 0 })
  const { token } = await (await post('/api/auth/login', OWNER)).json()
  const made = await post('/api/demo', {}, { authorization: `Bearer ${token}` })
  assert.equal(made.status, 201)
})
after(async () => {
  await cms.close()
  await database.drop()
})

const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  cms.fetch(
    new Request(BASE + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }),
  )

test('with the demo every page is there, and every link and picture on them leads somewhere', async () => {
  const content = publishedContent(client)
  const links = [...((await content.menu('main')) ?? []), ...((await content.menu('footer')) ?? [])]
  const urls = links.flatMap(({ url, children }) => [url, ...children.map((child) => child.url)])
  const toSee = ['/', ...urls.flatMap((url) => (url?.startsWith('mailto:') ? [] : [new URL(url ?? '', BASE).pathname]))]
  const seen = new Set<string>()
  const pictures = new Set<string>()
  for (let path = toSee.shift(); path !== undefined; path = toSee.shift()) {
    if (seen.has(path)) continue
    seen.add(path)
    const parts = path.split('/').filter((part) => part !== '')
    const page = await findPage(content, { parts, page: 1, locale: 'en' })
    assert.ok(page, path)
    const { text } = page.body
    assert.doesNotMatch(text, /undefined|\[object/, path)
    for (const [, href = ''] of text.matchAll(/href="(\/[^"#]*)"/g)) toSee.push(href)
    for (const [, source = ''] of text.matchAll(/<img[^>]* src="([^"]+)"/g)) pictures.add(source)
  }
  assert.equal([...seen].filter((path) => path.startsWith('/articles/')).length, 6)
  assert.equal([...seen].filter((path) => path.startsWith('/events/')).length, 3)
  assert.ok(seen.has('/visit') && seen.has('/orders') && seen.has('/repairs') && seen.has('/about'))
  assert.ok(pictures.size >= 12, `${pictures.size}`)
  for (const source of pictures) assert.equal((await cms.fetch(new Request(source))).status, 200, source)
})

test('the first page shows what the editors chose for it', async () => {
  const { body } = (await findPage(publishedContent(client), { parts: [], page: 1, locale: 'en' })) ?? assert.fail()
  assert.match(body.text, /Books, lamplight and the sound of the harbour/)
  assert.match(body.text, /class="featured".*A morning with the tide charts/s)
  assert.match(body.text, /Coming up.*Story morning.*Opening hours.*7 to 19/s)
})
