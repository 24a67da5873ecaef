import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type CmsClient, createClient } from '@stoa/cms-client'
import { type CmsInstance, type CmsOptions, createCms } from '@stoa/cms-host'
import { freshDatabase, type TestDatabase } from '@stoa/tests/lib/cluster.ts'
import { publishedContent } from './content.ts'
import { visual, website } from './definitions.ts'
import { design } from './design.ts'
import { renderPage } from './layout.ts'
import { findPage } from './pages.ts'

const KEY = `cms_${'k'.repeat(43)}`
const OWNER = { email: 'owner@example.test', password: 'seven lanterns in the harbour' }
const BASE = 'http://localhost:4301'
const ASKED = { page: 1, query: '', locale: 'en', today: new Date().toISOString().slice(0, 10) }

let database: TestDatabase
let cms: CmsInstance
let client: CmsClient
before(async () => {
  database = await freshDatabase()
  cms = await createCms({
    visual,
    website,
    design,
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
    const page = await findPage(content, { ...ASKED, parts })
    assert.ok(page, path)
    const { text } = page.body
    assert.doesNotMatch(text, /undefined|\[object/, path)
    for (const [, href = ''] of text.matchAll(/href="(\/[^"#]*)"/g)) toSee.push(href)
    for (const [, source = ''] of text.matchAll(/<img[^>]* src="([^"]+)"/g)) pictures.add(source)
  }
  assert.equal([...seen].filter((path) => path.startsWith('/articles/')).length, 6)
  assert.equal([...seen].filter((path) => path.startsWith('/events/')).length, 3)
  assert.equal([...seen].filter((path) => path.startsWith('/books/')).length, 6)
  assert.ok(seen.has('/visit') && seen.has('/orders') && seen.has('/repairs') && seen.has('/about'))
  assert.ok(pictures.size >= 12, `${pictures.size}`)
  for (const source of pictures) assert.equal((await cms.fetch(new Request(source))).status, 200, source)
})

const render = async (...parts: string[]) =>
  (await findPage(publishedContent(client), { ...ASKED, parts })) ?? assert.fail(`no page at ${parts.join('/')}`)

test('the home page shows what the editors chose for it', async () => {
  const { text } = (await render()).body
  assert.match(text, /Books, lamplight<br><i>and the sound<br>of the harbor<\/i>/)
  assert.match(text, /class="home-pick".*One Table, One Day.*Ruth Amory/s)
  assert.match(text, /Coming up.*Story morning.*From the journal.*class="lead".*A morning with the tide charts/s)
  assert.match(text, /Opening hours.*7 to 19/s)
})

test('pictures come in the widths that the CMS makes', async () => {
  const { text } = (await render('articles', 'a-morning-with-the-tide-charts')).body
  const [, srcset = ''] = /class="article-cover"><img[^>]* srcset="([^"]+)"/.exec(text) ?? []
  const addresses = srcset.split(', ').map((source) => source.split(' ')[0] ?? '')
  assert.equal(addresses.length, 4)
  for (const address of addresses) assert.equal((await cms.fetch(new Request(address))).status, 200, address)
})

test('every section and field of the definitions is found on a page of its type, and every part on all of them', async () => {
  const pages: Record<keyof typeof visual, string[]> = {
    home: [],
    book: ['books', 'a-history-of-fog'],
    article: ['articles', 'a-morning-with-the-tide-charts'],
    event: ['events', 'bookbinding-for-beginners'],
    page: ['visit'],
  }
  const definitions: NonNullable<CmsOptions['visual']> = visual
  for (const [type, path] of Object.entries(pages)) {
    const { entry, body } = await render(...path)
    assert.equal(entry?.type, type)
    const classes = classesIn(body.text)
    const { sections = [], fields = {} } = definitions[type] ?? assert.fail(type)
    const selectors = [...sections.map(({ selector }) => selector), ...Object.values(fields)]
    for (const name of selectors.flatMap((selector) => selector.match(/(?<=\.)[\w-]+/g) ?? []))
      assert.ok(classes.has(name), `${type}: .${name}`)
    const keys = new Set((await client.types()).find(({ name }) => name === type)?.fields.map(({ key }) => key))
    for (const key of [...Object.keys(fields), ...sections.flatMap((section) => section.fields ?? [])])
      assert.ok(key === '$title' || keys.has(key), `${type}: the type has no field ${key}`)
  }
  const frame = classesIn(
    renderPage(
      {
        settings: await client.settings(),
        menu: [],
        footerMenu: [],
        footer: await client.single('footer'),
        base: BASE,
        path: '/',
        designUrl: null,
        widgetUrl: null,
        isPreview: false,
      },
      await render(),
    ),
  )
  for (const { selector } of website.parts) assert.ok(frame.has(selector.slice(1)), selector)
})

const classesIn = (text: string): Set<string> =>
  new Set([...text.matchAll(/ class="([^"]+)"/g)].flatMap(([, names = '']) => names.split(' ')))
