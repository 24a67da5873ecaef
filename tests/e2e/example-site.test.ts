import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import { createClient } from '@stoa/cms-client'
import { type CmsInstance, createCms } from '@stoa/cms-host'
import { tools } from '@stoa/example-site/src/editing.ts'
import { createSite } from '@stoa/example-site/src/site.ts'
import { browserTest, type Visit, type VisitOptions } from '../lib/browser.ts'
import { freshDatabase, type TestDatabase } from '../lib/cluster.ts'

const KEY = `cms_${'e'.repeat(43)}`
const OWNER = { email: 'owner@example.test', password: 'seven lanterns in the harbour' }
const PAGES = [
  ['home', '/'],
  ['book', '/books/a-history-of-fog'],
  ['article', '/articles/a-morning-with-the-tide-charts'],
  ['event', '/events/bookbinding-for-beginners'],
  ['about', '/about'],
  ['search', '/search?q=sea'],
] as const

describe('the example site in a browser', () => {
  let database: TestDatabase
  let cms: CmsInstance
  let server: Server
  let url = ''
  before(async () => {
    database = await freshDatabase()
    let site: ReturnType<typeof createSite> | undefined
    server = createServer((request, response) => cms.handler(request, response, () => void site?.(request, response)))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const address = server.address()
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    cms = await createCms({
      workers: false,
      env: {
        NODE_ENV: 'test',
        LOG_LEVEL: 'silent',
        SECRET: 'a secret of the tests, long enough for anyone',
        CMS_DATABASE_URL: database.url,
        PUBLIC_URL: url,
        STORAGE_LOCAL_DIR: join(tmpdir(), 'stoa-cms-test-media'),
        BOOTSTRAP_DELIVERY_KEY: KEY,
        BOOTSTRAP_EMAIL: OWNER.email,
        BOOTSTRAP_PASSWORD: OWNER.password,
      },
    })
    site = createSite({
      client: createClient({ url, apiKey: KEY, fetch: cms.fetch, retries: 0 }),
      contentVersion: cms.contentVersion,
      design: () => ({ css: '' }),
      url,
      ...tools,
      onError: (error) => assert.fail(`${error}`),
    })
    const post = async (path: string, body: object, token = '') => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
      return (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
    }
    const { token } = await post('/api/auth/login', OWNER)
    await post('/api/demo', {}, token)
  })
  after(async () => {
    server.closeAllConnections()
    server.close()
    await cms.close()
    await database.drop()
  })

  const lookAt = async (visit: Visit, suffix: string): Promise<void> => {
    for (const [name, path] of PAGES) {
      await visit.page.goto(url + path, { waitUntil: 'load' })
      const width = await visit.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      assert.equal(width, 0, `${path} is wider than the window`)
      assert.equal(await visit.page.locator('h1').count(), 1, path)
      await visit.axe()
      await visit.shot(`site-${name}${suffix}`, { fullPage: true })
    }
  }
  const looks: [string, VisitOptions][] = [
    ['in the light', {}],
    ['in the dark', { theme: 'dark' }],
    ['on a phone', { phone: true }],
  ]
  for (const [look, options] of looks)
    browserTest(`every kind of page is accessible and fits ${look}`, options, (visit) =>
      lookAt(visit, `-${look.split(' ').at(-1)}`),
    )

  browserTest(
    'links below another are reached by keyboard, and nothing on the page needs a script',
    {},
    async (visit) => {
      const { page } = visit
      await page.goto(url)
      assert.equal(await page.locator('script').count(), 0)
      await page.keyboard.press('Tab')
      await page.getByRole('link', { name: 'Skip to content' }).press('Enter')
      assert.match(page.url(), /#content$/)
      await page.locator('.site-nav').getByRole('link', { name: 'About' }).focus()
      await page.locator('.site-nav').getByRole('link', { name: 'Book repairs' }).waitFor({ state: 'visible' })
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Book repairs' }).waitFor()
    },
  )
})
