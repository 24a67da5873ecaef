import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { SESSION_COOKIE } from '@stoa/cms/credentials.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import type { Page } from 'playwright-core'
import type { Visit } from '../lib/browser.ts'
import { type CmsService, PASSWORD, type Person, startCms } from '../lib/cms.ts'
import { enterAs, goTo, keptCopies } from './cms-page.ts'
import { journey } from './journey.ts'
import { dialogOf, look } from './page.ts'

let service: CmsService
let admin: Person
let ana: Person
let ben: Person
before(async () => {
  service = await startCms()
  await service.claim()
  admin = await service.person('admin', { name: 'Ada Admin' })
  ana = await service.person('editor', { name: 'Ana Writer' })
  ben = await service.person('editor', { name: 'Ben Reader' })
  await admin.client.post('/api/types', {
    name: 'article',
    label: 'Article',
    labelPlural: 'Articles',
    fields: [
      { key: 'summary', type: 'textarea', label: 'Summary' },
      { key: 'place', type: 'text', label: 'Place' },
      { key: 'count', type: 'number', label: 'Count' },
    ],
  })
})
after(() => service.close())

const made = async (title = 'The harbour') => {
  const body = { type: 'article', title, data: { summary: 'By the sea', place: 'Kiel' } }
  const answer = await ana.client.post('/api/entries', body)
  assert.equal(answer.status, 201, answer.text)
  return String(answer.body.id)
}
const read = async (id: string) => (await admin.client.get(`/api/entries/${id}`)).body
const indicator = (page: Page, state: string) => page.locator(`[data-indicator=${state}]`).waitFor()
const open = async (visit: Visit, person: Person, id: string) => {
  await enterAs(visit, service, person, `/content/article/${id}`)
  await visit.page.getByLabel('Summary').waitFor()
}

/** Opens another entry in the page that is open. */
const goOn = async (page: Page, id: string) => {
  await goTo(page, `/content/article/${id}`)
  await until(async () => (await page.getByLabel('Summary').inputValue()) === 'By the sea', 'the other entry')
}

describe('an entry', () => {
  journey('with others, without a connection, left, and without a session', {
    'what both changed is asked about, nothing is written until it is decided, and what was chosen is kept': async (
      visit,
    ) => {
      const { page, context } = visit
      const id = await made()
      await open(visit, ana, id)
      await context.setOffline(true)
      await page.getByLabel('Summary').fill('Mine')
      await page.getByLabel('Place').fill('Mine, too')
      await page.getByLabel('Place').blur()
      await indicator(page, 'offline')
      await ben.client.put(`/api/entries/${id}`, { data: { summary: 'Theirs', count: 3 } })
      await context.setOffline(false)
      await page.getByRole('heading', { name: 'Ben Reader also changed this entry' }).waitFor()
      await dialogOf(page).getByText('Changed by both').waitFor()
      await look(visit, 'cms-editor-conflict', 'dialog')
      const decide = dialogOf(page).getByRole('button', { name: 'Save selection' })
      assert.equal(await decide.getAttribute('aria-disabled'), 'true')
      await dialogOf(page).getByRole('button', { name: 'Back to editor' }).click()
      await indicator(page, 'conflict')
      for (const name of ['Save', 'Publish', 'Preview'])
        assert.equal(await page.getByRole('button', { name, exact: true }).getAttribute('aria-disabled'), 'true', name)
      await page.keyboard.press('ControlOrMeta+s')
      await page.getByLabel('Place').fill('Mine still')
      assert.deepEqual([(await read(id)).data.summary, (await read(id)).data.place], ['Theirs', 'Kiel'])
      await page.getByRole('button', { name: 'Resolve' }).click()
      await dialogOf(page)
        .getByRole('group', { name: /Summary/ })
        .getByRole('radio', { name: 'Mine' })
        .check()
      await decide.click()
      await dialogOf(page).waitFor({ state: 'detached' })
      await page.keyboard.press('ControlOrMeta+s')
      await indicator(page, 'saved')
      const { data } = await read(id)
      assert.deepEqual([data.summary, data.place, data.count], ['Mine', 'Mine still', 3])
      assert.equal(await page.getByLabel('Count').inputValue(), '3')
      visit.expectProblem(/409/)
      visit.expectProblem(/ERR_INTERNET_DISCONNECTED/)
    },

    'changes of other fields are kept of both, and typing goes on without a connection': async (visit) => {
      const { page } = visit
      const id = await made()
      await goOn(page, id)
      await visit.context.setOffline(true)
      await page.getByLabel('Summary').fill('By Ana')
      await page.getByLabel('Summary').blur()
      await indicator(page, 'offline')
      await ben.client.put(`/api/entries/${id}`, { data: { place: 'By Ben' } })
      await visit.context.setOffline(false)
      // Other fields of the same entry: nobody is asked
      await page.getByText('Ben Reader changed Place meanwhile. Both were kept.').waitFor()
      await indicator(page, 'saved')
      assert.equal(await page.getByLabel('Place').inputValue(), 'By Ben')
      const { data } = await read(id)
      assert.deepEqual([data.summary, data.place], ['By Ana', 'By Ben'])
      visit.expectProblem(/409/)
      visit.expectProblem(/ERR_INTERNET_DISCONNECTED/)
    },

    'leaving saves by itself what can be saved, and asks about what cannot': async (visit) => {
      const { page, context } = visit
      const id = await made()
      await goOn(page, id)
      await page.getByLabel('Summary').fill('On the way out')
      await page.getByRole('link', { name: 'Activity' }).click()
      await page.waitForURL(/activity/)
      await until(async () => (await read(id)).data.summary === 'On the way out', 'it is saved')
      await page.goBack()
      await page.getByLabel('Summary').waitFor()
      await context.setOffline(true)
      await page.getByLabel('Summary').fill('No way to save this')
      await page.getByLabel('Summary').blur()
      await indicator(page, 'offline')
      await page.getByRole('link', { name: 'Dashboard' }).click()
      await page.getByRole('heading', { name: 'Leave without saving?' }).waitFor()
      await dialogOf(page).getByText("They're stored in this browser").waitFor()
      await dialogOf(page).getByRole('button', { name: 'Cancel' }).click()
      await context.setOffline(false)
      await indicator(page, 'saved')
      assert.equal((await read(id)).data.summary, 'No way to save this')
      visit.expectProblem(/ERR_INTERNET_DISCONNECTED/)
    },

    'an entry is made, written, published and left with the keyboard alone': async ({ page }) => {
      await goTo(page, '/content/article/new')
      await until(async () => (await page.getByLabel('Title').inputValue()) === '', 'a new entry')
      await page.getByLabel('Title').focus()
      await page.keyboard.type('By keys')
      await page.keyboard.press('Tab')
      await page.keyboard.type('Only keys')
      await page.keyboard.press('ControlOrMeta+s')
      await page.waitForURL(/article\/[0-9a-f-]{36}$/)
      await indicator(page, 'saved')
      await page.keyboard.press('ControlOrMeta+Shift+p')
      await dialogOf(page).waitFor()
      await page.keyboard.press('Escape')
      await dialogOf(page).waitFor({ state: 'detached' })
      await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA')
      await page.keyboard.press('ControlOrMeta+Shift+p')
      await dialogOf(page).getByRole('button', { name: 'Publish now' }).waitFor()
      await page.waitForFunction(() => document.activeElement?.textContent === 'Publish now')
      await page.keyboard.press('Enter')
      await page.getByText(/” published/).waitFor()
      const [entry] = (await admin.client.get('/api/entries?q=keys')).body.items
      assert.deepEqual([entry.status, entry.data.summary], ['published', 'Only keys'])
    },

    'a session that ended in the middle of a save asks for the password there, and loses nothing': async (visit) => {
      const { page } = visit
      const id = await made()
      const { token } = await service.openSession(ana.id)
      await visit.context.addCookies([{ name: SESSION_COOKIE, value: token, url: service.url }])
      await goOn(page, id)
      await page.getByLabel('Summary').fill('Written before')
      await service.client({ token }).post('/api/auth/logout')
      await page.keyboard.press('ControlOrMeta+s')
      await page.getByRole('heading', { name: 'Sign in again to continue' }).waitFor()
      await look(visit, 'cms-editor-sign-in-again', 'dialog')
      await dialogOf(page).getByLabel('Password', { exact: true }).fill('wrong')
      await page.keyboard.press('Enter')
      await dialogOf(page).getByRole('alert').waitFor()
      await dialogOf(page).getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.keyboard.press('Enter')
      await dialogOf(page).waitFor({ state: 'detached' })
      await indicator(page, 'saved')
      assert.equal((await read(id)).data.summary, 'Written before')
      await page.waitForURL(new RegExp(id))
      visit.expectProblem(/401/)
    },

    'an ended session that is left for the sign-in screen comes back to the entry and offers what was written': async (
      visit,
    ) => {
      const { page } = visit
      const id = await made()
      const [cookie] = (await visit.context.cookies()).filter(({ name }) => name === SESSION_COOKIE)
      await goOn(page, id)
      await page.getByLabel('Summary').fill('Written before')
      await service.client({ token: cookie?.value ?? '' }).post('/api/auth/logout')
      await page.keyboard.press('ControlOrMeta+s')
      await page.getByRole('button', { name: 'Go to sign-in' }).click()
      await page.getByLabel('Email').fill(ana.email)
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('You have unsaved changes from earlier').waitFor()
      await visit.shot('cms-editor-recovery')
      await page.getByRole('button', { name: 'Restore' }).click()
      await indicator(page, 'saved')
      assert.equal((await read(id)).data.summary, 'Written before')
      visit.expectProblem(/401/)
    },

    'what was not saved when the page went away is offered again': async (visit) => {
      const { page, context } = visit
      const id = await made()
      await goOn(page, id)
      // As good as dead: it stays only because a private window forgets its database with the last page that uses it
      await page.route('**/api/entries/**', (route) => route.abort())
      await page.getByLabel('Summary').fill('Lost and found')
      await page.getByLabel('Summary').blur()
      await indicator(page, 'offline')
      await until(async () => (await keptCopies(page)).includes('Lost and found'), 'the change is kept in the browser')
      const next = await context.newPage()
      await next.goto(`${service.url}/admin/content/article/${id}`)
      await next.getByText('You have unsaved changes from earlier').waitFor()
      assert.equal(await next.getByLabel('Summary').inputValue(), 'By the sea')
      await next.getByRole('button', { name: 'Compare' }).click()
      await dialogOf(next).getByText('Lost and found').or(dialogOf(next).getByText('Lost')).first().waitFor()
      await dialogOf(next).getByRole('button', { name: 'Restore' }).click()
      await dialogOf(next).waitFor({ state: 'detached' })
      assert.equal(await next.getByLabel('Summary').inputValue(), 'Lost and found')
      await indicator(next, 'saved')
      assert.equal((await read(id)).data.summary, 'Lost and found')
      visit.expectProblem(/ERR_FAILED/)
    },
  })
})
