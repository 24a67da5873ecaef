import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { SESSION_COOKIE } from '@stoa/cms/credentials.ts'
import type { FrameLocator, Page } from 'playwright-core'
import { browserTest, type Visit } from '../lib/browser.ts'
import { type ExampleSite, startExampleSite } from './example-site.ts'
import { look, until } from './page.ts'

describe('the page editor', () => {
  let site: ExampleSite
  before(async () => {
    site = await startExampleSite()
  })
  after(() => site.close())

  const enter = async ({ context, page }: Visit): Promise<FrameLocator> => {
    await context.addCookies([{ name: SESSION_COOKIE, value: site.token, url: site.url }])
    await page.goto(`${site.url}/admin/`)
    await page.getByRole('link', { name: 'Edit on the page' }).first().click()
    await page.waitForURL(/\/admin\/edit\/[\w-]+$/)
    const canvas = canvasOf(page)
    await canvas.locator('.hero [data-cms-field=headline]').waitFor()
    return canvas
  }
  const publicPage = async (): Promise<string> => (await fetch(`${site.url}/`)).text()

  browserTest(
    'a headline is changed on the page, a section moved and one hidden, and all of it published',
    {},
    async (visit) => {
      const { page } = visit
      const canvas = await enter(visit)
      const headline = canvas.locator('[data-cms-field=headline]')
      await headline.click()
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.type('Books for the tide')
      await page.keyboard.press('Enter')
      await saved(page)
      assert.equal(await canvas.locator('script').count(), 0, 'the page runs nothing of its own')

      await page.locator('[data-section-row=books]').hover()
      await page.getByRole('button', { name: 'Move Books down' }).click()
      await page.getByRole('button', { name: 'Hide Quotation' }).click()
      await until(() => isBefore(canvas, '.home-pick', '.home-books'), 'the books below the book of the month')
      await canvas.locator('.home-quote[data-cms-hidden]').waitFor()
      await saved(page)
      await visit.axe()
      await visit.shot('page-editor')
      assert.doesNotMatch(await publicPage(), /Books for the tide/, 'what is live stays until it is published')

      await page.getByRole('button', { name: 'Publish changes' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      const html = await publicPage()
      assert.match(html, /Books for the tide/)
      assert.doesNotMatch(html, /class="home-quote|data-cms-/)
      assert.ok(html.indexOf('home-pick') < html.indexOf('home-books'))
    },
  )

  browserTest(
    'what was done on the page is undone step by step, also after a switch to the fields',
    {},
    async (visit) => {
      const { page } = visit
      const canvas = await enter(visit)
      const title = canvas.locator('[data-cms-field=booksTitle]')
      const before = await title.innerText()
      await title.click()
      await page.keyboard.type(' and more')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Hide Events' }).click()
      await canvas.locator('.home-events[data-cms-hidden]').waitFor()
      await page.keyboard.press('ControlOrMeta+E')
      await page.getByLabel('Title', { exact: true }).waitFor()
      await visit.axe()
      await visit.shot('page-editor-fields')
      await page.getByRole('banner').getByRole('button', { name: 'Undo' }).click()
      await until(async () => (await canvas.locator('.home-events[data-cms-hidden]').count()) === 0, 'the events again')
      await page.getByRole('banner').getByRole('button', { name: 'Undo' }).click()
      await until(async () => (await title.innerText()) === before, 'the heading as it was')
      await saved(page)
    },
  )

  browserTest(
    'a new user changes a headline, hides a section, renames a link, changes a colour and publishes, by visible words',
    {},
    async (visit) => {
      const { page } = visit
      const panel = page.getByRole('complementary', { name: 'Selection' })
      const canvas = await enter(visit)
      await canvas.getByText('Books for the tide').first().click()
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.type('Open late on Thursdays')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Hide Articles' }).click()
      await page.getByRole('button', { name: 'Publish changes' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })

      await page.getByRole('link', { name: 'Dashboard' }).click()
      await page.getByRole('link', { name: 'Website', exact: true }).click()
      await page.getByRole('button', { name: 'Footer menu' }).click()
      await panel.getByRole('button', { name: /^Find us/ }).click()
      await panel.getByLabel('Label').fill('How to find us')
      await page.getByRole('button', { name: 'Colours' }).click()
      await panel.getByLabel('Accent', { exact: true }).fill('#0a5c5c')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByText('Changes saved').waitFor()

      const html = await publicPage()
      assert.match(html, /Open late on Thursdays/)
      assert.doesNotMatch(html, /class="home-articles/)
      assert.match(html, />How to find us</)
      assert.match(await (await fetch(`${site.url}/design.css`)).text(), /--accent: #0a5c5c/)
    },
  )

  browserTest(
    'on a phone in the dark the fields are edited, without the page',
    { phone: true, theme: 'dark' },
    async (visit) => {
      const { context, page } = visit
      const list = await fetch(`${site.url}/api/entries?type=home`, {
        headers: { authorization: `Bearer ${site.token}` },
      })
      const { items } = await list.json()
      await context.addCookies([{ name: SESSION_COOKIE, value: site.token, url: site.url }])
      await page.goto(`${site.url}/admin/edit/${items[0].id}`)
      await page.getByLabel('Title', { exact: true }).waitFor()
      assert.equal(await page.locator('iframe').count(), 0)
      await look(visit, 'page-editor-390-dark')
    },
  )
})

const canvasOf = (page: Page): FrameLocator => page.frameLocator('iframe[title="Page"]:not([aria-hidden=true])')

const saved = (page: Page): Promise<void> => page.locator('[data-indicator=saved]').waitFor()

const isBefore = (canvas: FrameLocator, first: string, second: string): Promise<boolean> =>
  canvas.locator('body').evaluate(
    (body, [a = '', b = '']) => {
      const [one, other] = [body.querySelector(a), body.querySelector(b)]
      return Boolean(one && other && one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING)
    },
    [first, second],
  )
