import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { type Frame, openSocket } from '@stoa/cms/site/realtime/testing/sockets.ts'
import { createTestClock } from '@stoa/kit/clock.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import type { Page, WebSocket } from 'playwright-core'
import { browserTest } from '../lib/browser.ts'
import { type CmsService, type Person, startCms } from '../lib/cms.ts'
import { startTcpProxy, type TcpProxy } from '../lib/tcp-proxy.ts'
import { enterAs, goTo } from './cms-page.ts'
import { journey } from './journey.ts'

let service: CmsService
/** The service behind an address that stays the same when it restarts. */
let site: CmsService
let proxy: TcpProxy
let owner: Person
let ana: Person
const target = { host: '127.0.0.1', port: 0 }

const begin = async (options: Parameters<typeof startCms>[0]): Promise<void> => {
  service = await startCms(options)
  target.port = Number(new URL(service.url).port)
}
const add = async (title: string): Promise<string> => {
  const made = await service.client({ token: owner.token }).post('/api/entries', { type: 'article', title })
  assert.equal(made.status, 201, made.text)
  return made.body.id
}
const rename = async (id: string, title: string): Promise<void> => {
  const saved = await service.client({ token: owner.token }).put(`/api/entries/${id}`, { title })
  assert.equal(saved.status, 200, saved.text)
}

/** The page receives events: it must not be cut off between its ticket and its socket, which browsers log as an error. */
const connected = async (page: Page): Promise<void> => {
  const socket = await page.waitForEvent('websocket')
  await socket.waitForEvent('framereceived', ({ payload }) => String(payload).includes('"subscribed"'))
}

before(async () => {
  await begin({ clock: createTestClock(new Date()) })
  proxy = await startTcpProxy(target)
  site = { ...service, url: `http://127.0.0.1:${proxy.port}` }
  owner = await service.claim()
  ana = await service.person('editor', { name: 'Ana Editor' })
  const fields = [{ key: 'summary', type: 'textarea' }]
  assert.equal((await owner.client.post('/api/types', { name: 'article', label: 'Article', fields })).status, 201)
})
after(async () => {
  await proxy.close()
  await service.close()
})

describe('what others do', () => {
  let line: Promise<WebSocket>
  journey('is seen by itself', {
    'it appears in a list, which keeps its selection': async (visit) => {
      const { page } = visit
      const first = await add('First light')
      await add('Second wind')
      line = page.waitForEvent('websocket')
      await enterAs(visit, site, ana, '/content/article')
      const row = page.getByRole('row', { name: /Second wind/ })
      await row.getByRole('checkbox').check()
      await add('Third rail')
      await page.getByRole('row', { name: /Third rail/ }).waitFor()
      await rename(first, 'First night')
      await page.getByRole('row', { name: /First night/ }).waitFor()
      assert.equal(await page.getByRole('row', { name: /First light/ }).count(), 0)
      assert.ok(await row.getByRole('checkbox').isChecked())
      await owner.client.delete(`/api/entries/${first}`)
      await page.getByRole('row', { name: /First night/ }).waitFor({ state: 'detached' })
    },

    'it appears after a restart of the service, with what was missed meanwhile': async ({ page }) => {
      const lost = (await line).waitForEvent('close')
      const old = service
      await begin({ databaseUrl: old.databaseUrl, clock: old.clock })
      const again = page.waitForEvent('websocket')
      await old.cms.close()
      await lost
      await add('While away')
      await again
      await page.getByRole('row', { name: /While away/ }).waitFor()
      await add('And after')
      await page.getByRole('row', { name: /And after/ }).waitFor()
    },

    'those who are at an entry are shown to each other while they are there, and what they save': async (visit) => {
      const { page } = visit
      const id = await add('Looked at')
      const ben = await service.person('editor', { name: 'Ben Editor' })
      await goTo(page, `/content/article/${id}`)
      await page
        .getByRole('button', { name: /Publish/ })
        .first()
        .waitFor()
      const faces = page.getByRole('list', { name: 'Also editing' })
      assert.equal(await faces.count(), 0)
      const other = await openSocket(site, ben.client)
      await other.listen(`entry:${id}`)
      await faces.getByRole('button', { name: 'Ben Editor is also here' }).waitFor()
      assert.equal(await faces.getByRole('button').count(), 1)
      await page.getByLabel('Summary').focus()
      const isAnaAtIt = ({ data }: Frame) =>
        data?.users?.some(
          (user: { name: string; field: string }) => `${user.name} ${user.field}` === 'Ana Editor summary',
        )
      await until(() => other.frames.some(isAnaAtIt), 'the other one is told where Ana works')
      const { connectionId } = other
      const workAt = (field: string) => ben.client.post(`/api/entries/${id}/presence`, { connectionId, field })
      await workAt('title')
      await page.getByText('Ben Editor is editing Title').waitFor()
      await workAt('summary')
      await page.getByText('Ben Editor is editing Summary').waitFor()
      assert.equal(await page.getByText('Ben Editor is editing').count(), 1)
      await visit.shot('cms-field-presence')
      await other.close()
      await faces.waitFor({ state: 'detached' })
      await rename(id, 'Looked at again')
      await page.getByText(/Olive Owner saved this entry/).waitFor()
      await page.getByRole('button', { name: 'Reload' }).click()
      await page.waitForFunction(() =>
        [...document.querySelectorAll('input, textarea')].some(
          (input) => 'value' in input && input.value === 'Looked at again',
        ),
      )
    },
  })
})

describe('a session that is ended', () => {
  browserTest('by a change of the role leads to the sign-in without a press', {}, async (visit) => {
    const { page } = visit
    const demoted = await service.person('editor', { name: 'Dora Demoted' })
    const ready = connected(page)
    await enterAs(visit, site, demoted, '/activity')
    await ready
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
    const put = await service.client({ token: owner.token }).put(`/api/users/${demoted.id}`, { role: 'viewer' })
    assert.equal(put.status, 200, put.text)
    await page.getByRole('heading', { name: /Sign in/ }).waitFor()
    await page.waitForURL(/back=%2Factivity/)
    visit.expectProblem(/401/)
  })

  browserTest('does not take away what is typed and not saved, nor do the changes of others', {}, async (visit) => {
    const { page } = visit
    const admin = await service.person('admin')
    const ready = connected(page)
    await enterAs(visit, site, admin, '/settings')
    await ready
    const title = page.getByLabel('Title').first()
    await title.fill('Being typed')
    const read = page.waitForResponse((response) => response.url().endsWith('/api/settings'))
    await service.client({ token: owner.token }).put('/api/settings', { tagline: 'From elsewhere' })
    await read
    assert.equal(await title.inputValue(), 'Being typed')
    const refused = page.waitForResponse((response) => response.url().endsWith('/api/realtime/ticket'))
    await service.client({ token: owner.token }).put(`/api/users/${admin.id}`, { role: 'viewer' })
    assert.equal((await refused).status(), 401)
    assert.equal(await title.inputValue(), 'Being typed')
    visit.expectProblem(/401/)
  })
})
