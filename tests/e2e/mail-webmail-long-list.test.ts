import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import type { Page } from 'playwright-core'
import { browserTest } from '../lib/browser.ts'
import { enterWebmail, letter, type Mailbox, type MailSite, startMailSite } from './mail-page.ts'
import { look } from './page.ts'
import { folderOf, plantMessages } from './webmail-site.ts'

const MANY = 100_000
const FEW = 30
/** Of the whole page: it does not grow with the list. */
const MAX_ELEMENTS = 1500

let site: MailSite
let ada: Mailbox

before(async () => {
  site = await startMailSite()
  const customer = await site.signUp()
  ada = await site.mailbox(customer.id, 'ada@example.test')
  const plant = async (role: string, count: number, mark: string) => {
    const folderId = await folderOf(site, ada.address.id, role)
    await plantMessages(site, { addressId: ada.address.id, folderId, count, mark })
  }
  await plant('archive', MANY, '8001')
  await plant('inbox', FEW, '8002')
})
after(() => site.close())

const row = (page: Page, subject: string) =>
  page.locator('[data-row]').filter({ has: page.getByText(subject, { exact: true }) })
const elements = (page: Page): Promise<number> => page.evaluate(() => document.querySelectorAll('*').length)
const scrollTo = (page: Page, share: number) =>
  page.locator('[data-message-list]').evaluate((list, at) => list.scrollTo(0, list.scrollHeight * at), share)
const folder = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Folders' }).getByRole('link', { name: new RegExp(`^${name}`) })
const subjectAt = (page: Page, index: number) =>
  page.locator(`[data-row][aria-posinset="${index + 1}"]`).getByText(`Message number ${MANY - index}`, { exact: true })

describe('a folder of 100,000 messages', () => {
  browserTest('opens like a small one, and any place of it can be jumped to', {}, async (visit) => {
    const { page } = visit
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/mail/messages?')) asked.push(request.url())
    })
    await enterWebmail(visit, site, ada)
    await row(page, `Message number ${FEW}`).waitFor()
    const small = asked.length
    await folder(page, 'Archive').click()
    await subjectAt(page, 0).waitFor()
    await page.getByText('100,000').first().waitFor()
    assert.ok(asked.length - small <= 2, `${asked.length - small} pages for the first rows`)
    const size = await elements(page)
    assert.ok(size < MAX_ELEMENTS, `${size} elements`)

    await scrollTo(page, 1)
    await subjectAt(page, MANY - 1).waitFor()
    await scrollTo(page, 0.5)
    await subjectAt(page, MANY / 2).waitFor()
    assert.ok((await elements(page)) < MAX_ELEMENTS)
    // The bar is pulled along: what flies past is not asked for page by page
    const before = asked.length
    await page.locator('[data-message-list]').evaluate(async (list) => {
      for (let step = 1; step <= 60; step += 1) {
        list.scrollTo(0, list.scrollHeight * (0.5 + step / 150))
        await new Promise(requestAnimationFrame)
      }
    })
    await subjectAt(page, Math.round(MANY * 0.9)).waitFor()
    assert.ok(asked.length - before < 60, `${asked.length - before} pages were asked for on the way`)
    const seen = page.locator('[data-row]').nth(8)
    const id = await seen.getAttribute('data-row')
    await seen.locator('a').click()
    await page.waitForURL(new RegExp(`/webmail/archive/${id}`))
    await page.getByRole('heading', { name: /^Message number/ }).waitFor()
    await page.keyboard.press('u')
    await page.waitForURL(/\/webmail\/archive$/)
    assert.equal(await page.locator(`[data-row="${id}"]`).count(), 1)
    await look(visit, 'webmail-long-list')
  })

  browserTest('is read in one pane, below the list, and without conversations, as one likes', {}, async (visit) => {
    const { page } = visit
    await site.deliver(
      { from: 'ann@outside.test', to: ['ada@example.test'] },
      letter({
        To: 'ada@example.test',
        From: '"Dr. Annabella von Oberstallmeisteramtsverwaltung" <ann@outside.test>',
        Subject:
          'A subject that goes on and on, Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen and further',
      }),
    )
    await enterWebmail(visit, site, ada)
    const long = page.locator('[data-row]').first()
    await long.getByText('Annabella').waitFor()
    const choose = async (role: 'menuitemradio' | 'menuitemcheckbox', name: string) => {
      await page.getByRole('button', { name: 'View' }).click()
      await page.getByRole(role, { name }).click()
      if (role === 'menuitemcheckbox') await page.keyboard.press('Escape')
      await page.getByRole(role, { name }).waitFor({ state: 'detached' })
    }
    await choose('menuitemradio', 'Below the list')
    await long.locator('a').click()
    await page.getByRole('heading', { name: /goes on and on/ }).waitFor()
    await look(visit, 'webmail-below')
    await choose('menuitemradio', 'In place of the list')
    await page.getByText('1 of 31').waitFor()
    await page.getByRole('button', { name: 'Inbox', exact: true }).click()
    await choose('menuitemcheckbox', 'Conversations')
    await page.getByRole('list', { name: 'Messages' }).waitFor()
    await look(visit, 'webmail-one-pane')
    await choose('menuitemradio', 'Beside the list')
    await page.getByRole('button', { name: 'Your mailbox' }).click()
    await page.getByText(/used$/).waitFor()
    await visit.shot('webmail-mailbox-menu')
    const settings = await ada.client.get('/api/mail/settings')
    assert.deepEqual([settings.body.reading_pane, settings.body.conversations], ['right', false])
  })

  browserTest('fits a phone in the dark, one pane at a time', { phone: true, theme: 'dark' }, async (visit) => {
    const { page } = visit
    await enterWebmail(visit, site, ada)
    await page.locator('[data-row]').first().waitFor()
    await look(visit, 'webmail-list-390-dark')
    await page.getByRole('button', { name: 'Open folders' }).click()
    await visit.axe()
    await visit.shot('webmail-folders-390-dark')
    await folder(page, 'Archive').click()
    await subjectAt(page, 0).waitFor()
    await scrollTo(page, 1)
    await subjectAt(page, MANY - 1).waitFor()
    await page.goto(`${site.url}/webmail/inbox`)
    await page.locator('[data-row] a').first().tap()
    await page.getByRole('heading', { name: /goes on and on/ }).waitFor()
    await look(visit, 'webmail-open-390-dark')
    await page.getByRole('button', { name: 'Inbox' }).click()
    await page.getByRole('checkbox', { name: 'Select the messages in sight' }).check()
    await page.getByText('31 selected').waitFor()
    await look(visit, 'webmail-chosen-390-dark')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('combobox', { name: 'Search mail' }).fill('from:')
    await visit.shot('webmail-search-390-dark')
  })
})
