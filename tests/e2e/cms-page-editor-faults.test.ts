import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { after, before, describe } from 'node:test'
import { SESSION_COOKIE } from '@stoa/cms/credentials.ts'
import { connect } from '@stoa/cms/site/realtime/testing/sockets.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import type { FrameLocator, Page } from 'playwright-core'
import type { Visit } from '../lib/browser.ts'
import { type ExampleSite, startExampleSite } from './example-site.ts'
import { journey } from './journey.ts'

type Answer = 'page' | 'down' | 'error'

describe('the page editor, when something is wrong', () => {
  let site: ExampleSite
  let id: string
  let elsewhere: Elsewhere
  before(async () => {
    site = await startExampleSite()
    elsewhere = await startElsewhere(site.url)
    id = (await api('/api/entries?type=page')).items[0].id
  })
  after(async () => {
    await elsewhere.close()
    await site.close()
  })

  const api = async (path: string, method = 'GET', body?: object, token = site.token) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const answer = await fetch(site.url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    assert.ok(answer.ok, `${method} ${path}: ${answer.status}`)
    return answer.status === 204 ? undefined : answer.json()
  }
  const enter = async ({ context, page }: Visit): Promise<void> => {
    await context.addCookies([{ name: SESSION_COOKIE, value: site.token, url: site.url }])
    await page.goto(`${site.url}/admin/edit/${id}`)
  }
  const typeTitle = async (page: Page, text: string): Promise<void> => {
    await canvasOf(page).locator('[data-cms-field="$title"]').click()
    await canvasOf(page).locator('[data-cms-field="$title"][contenteditable]').waitFor()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.insertText(text)
    await page.keyboard.press('Enter')
  }
  const reloadPreview = (page: Page): Promise<void> =>
    page.getByRole('button', { name: 'Reload preview' }).last().click()
  const upToDate = (page: Page): Promise<void> =>
    page.getByText("This page isn't up to date").waitFor({ state: 'detached' })
  const titleOf = async (): Promise<string> => (await api(`/api/entries/${id}`)).title
  const isStored = async (page: Page, text: string): Promise<void> => {
    await until(async () => (await titleOf()) === text, `“${text}” at the service`)
    await page.locator('[data-indicator=saved]').waitFor()
  }
  /** A page of the website, as the editor asks for it. */
  const isPage = (url: URL) => url.origin === site.url && url.searchParams.has('preview')

  journey('a website of another origin, over plain http', {
    'that does not answer from the start leaves the fields': async (visit) => {
      const { page } = visit
      await api('/api/settings', 'PUT', { url: elsewhere.url })
      elsewhere.answer = 'down'
      await enter(visit)
      await page.getByText("Couldn't open the page for editing").waitFor()
      await visit.axe()
      await visit.shot('page-editor-unreachable')
      await page.getByRole('button', { name: 'Edit in fields' }).click()
      await page.getByLabel('Title', { exact: true }).fill('Written without a page')
      await isStored(page, 'Written without a page')
      visit.expectProblem(/50[0-9]|visual\/page/)
      elsewhere.answer = 'page'
      await page.getByRole('button', { name: 'Page', exact: true }).click()
      await page.getByText("Couldn't open the page for editing").waitFor()
      await reloadPreview(page)
      await until(async () => (await title(canvasOf(page)).innerText()) === 'Written without a page', 'the page')
    },

    'is edited through the service, and says what is wrong with it while everything is saved': async (visit) => {
      const { page } = visit
      elsewhere.answer = 'error'
      await typeTitle(page, 'Seen from elsewhere')
      await page.getByText("This page isn't up to date").waitFor()
      await page.getByText(/returned 500 instead of this page/).waitFor()
      await isStored(page, 'Seen from elsewhere')
      assert.equal(await title(canvasOf(page)).innerText(), 'Seen from elsewhere', 'the page stays as it was typed')
      visit.expectProblem(/50[0-9]|visual\/page/)
      elsewhere.answer = 'page'
      await reloadPreview(page)
      await upToDate(page)
      await api('/api/settings', 'PUT', { url: null })
    },
  })

  journey('a website of the same origin', {
    'a preview link that ended is made again': async (visit) => {
      const { page } = visit
      let ended = 0
      await page.route(isPage, async (route) => {
        const token = new URL(route.request().url()).searchParams.get('preview')
        ended += 1
        // Someone else's snapshot takes its place before the website asks for it
        if (ended === 1) await api(`/api/entries/${id}/preview`, 'POST', { replaces: token })
        await route.continue()
      })
      await enter(visit)
      await title(canvasOf(page)).waitFor()
      assert.equal(ended, 2)
      visit.expectProblem(/404/)
    },

    'a website that fails is reported, and the page stays': async (visit) => {
      const { page } = visit
      await page.route(isPage, (route) => route.fulfill({ status: 500, contentType: 'text/html', body: 'no' }))
      await reloadPreview(page)
      await page.getByText('The website returned 500 instead of this page.').waitFor()
      assert.equal(await title(canvasOf(page)).innerText(), 'Seen from elsewhere')
      await page.unroute(isPage)
      visit.expectProblem(/500/)
      await visit.shot('page-editor-not-up-to-date')
      await page.getByRole('button', { name: 'Edit in fields' }).click()
      assert.equal(await page.getByLabel('Title', { exact: true }).inputValue(), 'Seen from elsewhere')
      await page.getByRole('button', { name: 'Page', exact: true }).click()
      await reloadPreview(page)
      await upToDate(page)
    },

    'two people see each other, and decide field by field what both changed': async (visit) => {
      const { context, page } = visit
      const editor = { email: 'ben@example.test', password: 'nine lamps along the quay' }
      await api('/api/users', 'POST', { ...editor, name: 'Ben', role: 'editor' })
      const { token } = await api('/api/auth/login', 'POST', editor)
      const { ticket } = await api('/api/realtime/ticket', 'POST', {}, token)
      const ben = await connect(site, ticket)
      await ben.listen(`entry:${id}`)
      await page.getByRole('button', { name: 'Ben is also here' }).waitFor()
      await ben.close()

      await context.setOffline(true)
      await typeTitle(page, 'Mine')
      await page.locator('[data-indicator=offline]').waitFor()
      await api(`/api/entries/${id}`, 'PUT', { title: 'Theirs', data: { summary: 'Theirs, too' } }, token)
      await context.setOffline(false)
      const dialog = page.getByRole('alertdialog')
      await dialog.waitFor()
      await visit.shot('page-editor-conflict')
      await dialog.getByRole('button', { name: 'Back to editor' }).click()
      await page.locator('[data-indicator=conflict]').waitFor()
      for (const name of [/^Save$/, /^Publish/])
        assert.equal(await page.getByRole('button', { name }).getAttribute('aria-disabled'), 'true', `${name}`)
      await page.keyboard.press('ControlOrMeta+S')
      assert.equal(await titleOf(), 'Theirs', 'nothing is written before it is decided')
      await page.getByRole('button', { name: 'Resolve' }).click()
      await dialog.getByRole('group', { name: /Title/ }).getByRole('radio', { name: 'Mine' }).check()
      await dialog.getByRole('button', { name: 'Save selection' }).click()
      await isStored(page, 'Mine')
      const entry = await api(`/api/entries/${id}`)
      assert.deepEqual([entry.title, entry.data.summary], ['Mine', 'Theirs, too'])
      visit.expectProblem(/409|DISCONNECTED/)
    },

    'an entry that is deleted meanwhile is said, and what was written is not lost': async (visit) => {
      const { context, page } = visit
      await reloadPreview(page)
      await until(async () => (await title(canvasOf(page)).innerText()) === 'Mine', 'the page as it was decided')
      await context.setOffline(true)
      await typeTitle(page, 'Written too late')
      await page.locator('[data-indicator=offline]').waitFor()
      await api(`/api/entries/${id}`, 'DELETE', {})
      await context.setOffline(false)
      await page.getByText('Read-only').waitFor()
      await reloadPreview(page)
      await page.getByText('This entry is in the trash. Restore it first.').waitFor()
      await visit.shot('page-editor-deleted')
      visit.expectProblem(/409|DISCONNECTED/)
      await page.getByRole('button', { name: 'Restore', exact: true }).click()
      await isStored(page, 'Written too late')
    },
  })
})

const canvasOf = (page: Page): FrameLocator => page.frameLocator('iframe[title="Page"]:not([aria-hidden=true])')
const title = (canvas: FrameLocator) => canvas.locator('[data-cms-field="$title"]')

/** A website of its own origin: it shows what the site shows, or what goes wrong with websites. */
const startElsewhere = async (original: string) => {
  const server: Server = createServer((request, response) => {
    // Styles and fonts come all the same
    const answer = request.url?.includes('preview=') ? elsewhere.answer : 'page'
    if (answer === 'down') return void request.socket.destroy()
    if (answer === 'error') return void response.writeHead(500, { 'content-type': 'text/html' }).end('broken')
    void fetch(original + request.url).then(async (page) => {
      const type = page.headers.get('content-type') ?? 'text/plain'
      response
        .writeHead(page.status, { 'content-type': type, 'access-control-allow-origin': '*' })
        .end(Buffer.from(await page.arrayBuffer()))
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const elsewhere = {
    answer: 'page' as Answer,
    url: `http://localhost:${typeof address === 'object' ? address?.port : 0}`,
    close: async () => {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
  return elsewhere
}

type Elsewhere = Awaited<ReturnType<typeof startElsewhere>>
