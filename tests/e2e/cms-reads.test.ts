import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { until } from '@stoa/tests/lib/waiting.ts'
import type { Page, WebSocket } from 'playwright-core'
import { type CmsService, PASSWORD, type Person, startCms } from '../lib/cms.ts'
import { startTcpProxy, type TcpProxy } from '../lib/tcp-proxy.ts'
import { enterAs, goTo } from './cms-page.ts'
import { journey } from './journey.ts'

let service: CmsService
let proxy: TcpProxy
/** The service through the proxy. */
let site: CmsService
let ana: Person
let entryId: string

const TOPICS = ['site', 'content:article']
/** What a new entry may change. */
const OF_ENTRIES = /\/api\/(entries|dashboard|activity)/

const add = async (title: string): Promise<string> => {
  const made = await ana.client.post('/api/entries', { type: 'article', title })
  assert.equal(made.status, 201, made.text)
  return made.body.id
}

/** What a page requests and receives, from now on. */
const watch = (page: Page) => {
  const reads = new Map<string, number>()
  const frames: { event: string; topic?: string; data?: { isReplayed?: boolean } }[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    const read = `${pathname}${search}`
    if (request.method() === 'GET' && pathname.startsWith('/api/')) reads.set(read, (reads.get(read) ?? 0) + 1)
  })
  const listen = (socket: WebSocket) =>
    socket.on('framereceived', ({ payload }) => frames.push(JSON.parse(String(payload))))
  page.on('websocket', listen)
  return {
    reads,
    /** Those that were asked for more often than once. */
    twice: () => [...reads].filter(([, count]) => count > 1).map(([read, count]) => `${read} ${count}`),
    /** The page receives everything, and knows that it missed nothing. */
    caughtUp: async (): Promise<void> => {
      const subscribed = () => frames.filter(({ event }) => event === 'subscribed')
      await until(
        async () => TOPICS.every((topic) => subscribed().some((frame) => frame.topic === topic)),
        'the topics',
      )
      for (const topic of TOPICS)
        assert.equal(subscribed().find((frame) => frame.topic === topic)?.data?.isReplayed, true, topic)
      assert.deepEqual(
        frames.filter(({ event }) => event.startsWith('entry.') || event.endsWith('.updated')),
        [],
      )
    },
    received: (event: string) => until(async () => frames.some((frame) => frame.event === event), event),
    begin: () => {
      reads.clear()
      frames.length = 0
    },
  }
}
let watched: ReturnType<typeof watch>

/** Each is a round to the service before the screen is whole. */
const LIST_READS = 6
const DASHBOARD_READS = 10
const EDITOR_READS = 8

const within = (budget: number): void =>
  assert.ok(watched.reads.size <= budget, `${watched.reads.size} reads: ${[...watched.reads.keys()].join(' ')}`)

/** An entry of somebody else, which appears in the list: what was to be read before it has been read by then. */
const marked = async (page: Page, title: string): Promise<void> => {
  await add(title)
  await page.getByRole('row', { name: new RegExp(title) }).waitFor()
}

before(async () => {
  service = await startCms({ realtime: { secondMs: 100 } })
  proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(service.url).port) })
  site = { ...service, url: `http://127.0.0.1:${proxy.port}` }
  await service.claim()
  ana = await service.person('admin', { name: 'Ana Admin' })
  const fields = [{ key: 'summary', type: 'textarea' }]
  assert.equal((await ana.client.post('/api/types', { name: 'article', label: 'Article', fields })).status, 201)
  for (const name of ['page', 'person', 'event'])
    assert.equal((await ana.client.post('/api/types', { name, label: name })).status, 201)
  entryId = await add('First light')
})
after(async () => {
  await proxy.close()
  await service.close()
})

journey('nothing is read twice', {
  'by a page that is loaded': async (visit) => {
    const { page } = visit
    watched = watch(page)
    await enterAs(visit, site, ana, '/content/article')
    await page.getByRole('row', { name: /First light/ }).waitFor()
    await watched.caughtUp()
    assert.deepEqual(watched.twice(), [])
    assert.ok(watched.reads.size > 2, [...watched.reads.keys()].join(' '))
    within(LIST_READS)
    await marked(page, 'Second wind')
    assert.deepEqual(
      watched.twice().filter((read) => !OF_ENTRIES.test(read)),
      [],
    )
  },

  'on the way to other screens': async ({ page }) => {
    watched.reads.clear()
    await goTo(page, '/menus')
    await page.getByRole('heading', { name: 'Menus' }).first().waitFor()
    await goTo(page, `/content/article/${entryId}`)
    await page
      .getByRole('button', { name: /Publish/ })
      .first()
      .waitFor()
    await goTo(page, '/content/article')
    await page.getByRole('row', { name: /Second wind/ }).waitFor()
    assert.deepEqual(watched.twice(), [])
  },

  'after an interruption': async ({ page }) => {
    await watched.received('position')
    watched.begin()
    const again = page.waitForEvent('websocket')
    proxy.cut()
    await again
    await watched.caughtUp()
    assert.deepEqual([...watched.reads.keys()], [])
    await marked(page, 'Third rail')
    assert.deepEqual(
      [...watched.reads.keys()].filter((read) => !OF_ENTRIES.test(read)),
      [],
    )
  },

  'by an entry that is opened, and eight things at most': async ({ page }) => {
    watched.begin()
    await page.goto(`${site.url}/admin/content/article/${entryId}`)
    await page.getByRole('region', { name: 'Status' }).waitFor()
    await page.getByRole('combobox', { name: 'Author' }).waitFor()
    await watched.caughtUp()
    await page.waitForLoadState('networkidle')
    assert.deepEqual(watched.twice(), [])
    within(EDITOR_READS)
    await page.getByRole('combobox', { name: 'Author' }).click()
    await page.getByRole('option', { name: 'Ana Admin (you)' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('listbox').waitFor({ state: 'detached' })
    await goTo(page, '/content/article')
  },

  'by the first screen, which has all in few questions whatever the number of types': async ({ page }) => {
    watched.begin()
    await page.goto(`${site.url}/admin/`)
    await page.getByRole('region', { name: 'Your drafts' }).waitFor()
    await page.getByRole('region', { name: 'Recent activity' }).getByRole('listitem').first().waitFor()
    await page.getByRole('region', { name: 'Recently edited' }).getByRole('link').first().waitFor()
    await watched.caughtUp()
    assert.deepEqual(watched.twice(), [])
    within(DASHBOARD_READS)
  },

  'after signing in': async (visit) => {
    const { page } = visit
    await visit.context.clearCookies()
    await page.goto(`${site.url}/admin/sign-in?back=%2Fcontent%2Farticle`)
    await page.getByLabel('Email').waitFor()
    await add('While away')
    watched.begin()
    await page.getByLabel('Email').fill(ana.email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('row', { name: /While away/ }).waitFor()
    await watched.caughtUp()
    assert.deepEqual(watched.twice(), [])
    visit.expectProblem(/401/)
  },
})
