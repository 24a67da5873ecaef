import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { SESSION_COOKIE } from '@stoa/cms/credentials.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import type { FrameLocator, Locator, Page } from 'playwright-core'
import type { Visit } from '../lib/browser.ts'
import { type FakeOllama, MODEL, scriptModel, startFakeOllama } from '../lib/fake-ollama.ts'
import { type ExampleSite, startExampleSite } from './example-site.ts'
import { journey } from './journey.ts'
import { fits, look } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

describe('the page editor', () => {
  let site: ExampleSite
  let ollama: FakeOllama
  before(async () => {
    site = await startExampleSite()
    ollama = await startFakeOllama()
  })
  after(async () => {
    await site.close()
    await ollama.close()
  })

  /** By the way that people come. */
  const enter = async ({ context, page }: Visit): Promise<FrameLocator> => {
    await context.addCookies([{ name: SESSION_COOKIE, value: site.token, url: site.url }])
    await page.goto(`${site.url}/admin/`)
    await page.getByRole('link', { name: 'Edit on the page' }).first().click()
    await page.waitForURL(/\/admin\/edit\/[\w-]+$/)
    const canvas = canvasOf(page)
    await canvas.locator('.hero [data-cms-field=headline]').waitFor()
    return canvas
  }
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await fetch(site.url + path, {
      method,
      headers: { authorization: `Bearer ${site.token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    assert.ok(answer.ok, `${path}: ${answer.status}`)
    return answer.json()
  }
  const homeEntry = async () => (await ask('GET', '/api/entries?type=home')).items[0]
  /** A field of the home page that holds the slugs of several books. */
  const severalBooks = async ({ page }: Visit): Promise<void> => {
    const { fields } = await ask('GET', '/api/types/home')
    await ask('PUT', '/api/types/home', { fields: [...fields, { key: 'shelf', type: 'json', label: 'Shelf' }] })
    const visual = await ask('GET', '/api/visual')
    visual.types.home.references.shelf = { type: 'book', label: 'Book' }
    await page.route('**/api/visual', (route) => route.fulfill({ json: visual }))
    const { slug } = await ask('POST', '/api/entries', { type: 'book', title: 'Not printed yet' })
    const shelf = [slug, 'no-such-book']
    await ask('PUT', `/api/entries/${(await homeEntry()).id}`, { data: { shelf }, mode: 'draft' })
  }
  const publicPage = async (): Promise<string> => (await fetch(`${site.url}/`)).text()

  const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Selection' })

  journey('is used by someone new, with a way back, and with the keyboard', {
    'a headline is changed on the page, a section moved and one hidden, by visible words, and published': async (
      visit,
    ) => {
      const { page } = visit
      await ask('PUT', '/api/ai', { kind: 'local', model: MODEL, baseUrl: ollama.url })
      await severalBooks(visit)
      const canvas = await enter(visit)
      await canvas.getByText('Books, lamplight').first().click()
      await canvas.locator('[data-cms-field=headline][contenteditable]').waitFor()
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.insertText('Books for the tide')
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

    'what was done on the page and in the design is undone in one order, wherever it was made': async ({ page }) => {
      const canvas = canvasOf(page)
      const title = canvas.locator('[data-cms-field=booksTitle]')
      const accent = () =>
        canvas.locator(':root').evaluate((root) => getComputedStyle(root).getPropertyValue('--accent').trim())
      const before = { title: await title.innerText(), accent: await accent() }
      await title.click()
      await canvas.locator('[data-cms-field=booksTitle][contenteditable]').waitFor()
      await page.keyboard.insertText(' and more')
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: 'Site' }).click()
      await page.getByRole('button', { name: 'Colors' }).click()
      await panelOf(page).getByLabel('Accent', { exact: true }).fill('#123456')
      await until(async () => (await accent()) === '#123456', 'the colour on the page')

      await page.keyboard.press('ControlOrMeta+Z')
      await until(async () => (await accent()) === before.accent, 'the colour as it was')
      await page.keyboard.press('ControlOrMeta+Z')
      await page.getByText('Undone on Home').waitFor()
      await page.waitForURL(/\/edit\/(?!site)/)
      await until(async () => (await title.innerText()) === before.title, 'the heading as it was')
      await saved(page)
    },

    'a page is edited and published with the keyboard alone': async ({ page }) => {
      const canvas = canvasOf(page)
      await tabTo(page, page.locator('[data-section-row=books] [data-section-name]'))
      await page.keyboard.press('Enter')
      await canvas.locator('.home-books:focus').waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await canvas.locator('[data-cms-field=booksTitle][contenteditable]').waitFor()
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.type('3 new')
      await page.keyboard.press('Enter')
      await canvas.locator('[data-cms-field=booksTitle]:focus', { hasText: '3 new' }).waitFor()

      const place = () =>
        page.locator('[data-section-row]').evaluateAll((rows) => rows.map((row) => row.dataset.sectionRow))
      const before = (await place()).indexOf('books')
      await page.keyboard.press('Alt+ArrowUp')
      await announced(page, /^Moved Books to position \d of \d$/)
      await until(async () => (await place()).indexOf('books') < before, 'the books further up in the list')
      await saved(page)
      await until(
        () => page.evaluate(() => document.activeElement?.tagName === 'IFRAME'),
        'the keyboard in the new page',
      )
      await canvas.locator('[data-cms-field=booksTitle]:focus').waitFor()

      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await page.locator('[data-section-row] [data-section-name]:focus').waitFor()
      await page.keyboard.press('ControlOrMeta+Shift+P')
      await page.getByRole('dialog').waitFor()
      await tabTo(page, page.getByRole('dialog').getByRole('button', { name: /^Publish/ }))
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      assert.match(await publicPage(), /3 new/)
    },

    'a picture is exchanged by a click on it, and shown at once': async (visit) => {
      const { page } = visit
      const picture = canvasOf(page).locator('.hero-picture img')
      const before = await picture.getAttribute('src')
      const { picture: id } = (await homeEntry()).data
      await picture.click()
      const dialog = page.getByRole('dialog', { name: 'Choose file' })
      const shelves = dialog.getByRole('button', { name: /shelves/ }).first()
      await shelves.waitFor()
      await visit.shot('page-editor-picture')
      await shelves.click()
      await dialog.waitFor({ state: 'detached' })
      await until(async () => (await picture.getAttribute('src')) !== before, 'the other picture')
      await saved(page)
      assert.notEqual((await homeEntry()).data.picture, id)
    },

    'a key changes the width of the page': async ({ page }) => {
      const frame = page.locator('iframe[title=Page]').first()
      await page.keyboard.press('2')
      await until(() => frame.evaluate((one) => one.style.width === '390px'), '390 pixels')
      await page.keyboard.press('6')
      await until(() => frame.evaluate((one) => one.style.width !== '390px'), 'the whole width')
    },

    'entries that a page shows are found by title, and those that nobody sees are marked': async (visit) => {
      const { page } = visit
      await page.keyboard.press('ControlOrMeta+E')
      const books = page.getByRole('group', { name: 'Shelf' })
      await books.getByText('Not published yet').waitFor()
      await books.getByText('Not found: no book has this slug').waitFor()
      await books.getByRole('combobox').fill('A History of Fog')
      await page.getByRole('option', { name: 'A History of Fog' }).click()
      await visit.axe()
      await visit.shot('page-editor-fields')
      await books.getByRole('button', { name: 'Remove no-such-book' }).click()
      await books.getByRole('button', { name: 'Move A History of Fog up' }).click()
      const shelf = 'a-history-of-fog,not-printed-yet'
      await until(async () => `${(await homeEntry()).data.shelf}` === shelf, `${shelf} at the service`)
      await page.keyboard.press('ControlOrMeta+E')
    },

    'the assistant stands beside the page, and is sent which section is chosen': async (visit) => {
      const { page } = visit
      ollama.model(scriptModel([{ text: 'A quotation.' }]))
      await page.locator('[data-section-row=quote]').click()
      await page.keyboard.press('ControlOrMeta+j')
      const assistant = page.getByRole('complementary', { name: 'Assistant' })
      await assistant.getByText('This section: Quotation').waitFor()
      await assistant.getByLabel('Message', { exact: true }).fill('What is this?')
      await page.keyboard.press('Enter')
      await assistant.getByText('A quotation.').waitFor()
      const [prompt] = ollama.chats[0]?.messages ?? []
      assert.match(prompt?.content ?? '', /visual[\s\S]*quote/)
      await visit.shot('page-editor-assistant')
      await page.keyboard.press('ControlOrMeta+j')
      await assistant.waitFor({ state: 'detached' })
    },

    'entries that a page shows lead to their own pages': async (visit) => {
      const { page } = visit
      const canvas = canvasOf(page)
      const { id } = await homeEntry()
      await canvas.locator('.pick-book', { hasText: 'One Table, One Day' }).click()
      await page.getByRole('button', { name: 'Change', exact: true }).waitFor()
      await page.getByRole('button', { name: 'Edit One Table, One Day' }).waitFor()
      await saved(page)

      await page.locator('[data-section-row=books] [data-section-name]').click()
      await page.getByRole('button', { name: 'Edit Books' }).click()
      const drawer = page.getByRole('dialog', { name: 'Books' })
      await drawer.getByRole('link', { name: 'Edit Not printed yet on the page' }).waitFor()
      await drawer.getByRole('link', { name: 'New book in a new tab' }).waitFor()
      await look(visit, 'page-editor-collection', 'dialog')
      await drawer.getByRole('button', { name: 'Close Books' }).click()
      await page.getByRole('button', { name: 'Edit One Table, One Day' }).click()
      await page.waitForURL((url) => url.pathname.includes('/admin/edit/') && !url.pathname.endsWith(id))
      await canvas.locator('.book-name', { hasText: 'One Table, One Day' }).waitFor()
    },

    'on a phone in the dark the fields are edited, without the page': (visit) =>
      onPhoneInTheDark(visit, async () => {
        await visit.page.getByLabel('Title', { exact: true }).waitFor()
        assert.equal(await visit.page.locator('iframe').count(), 0)
        await fits(visit, 'page-editor-390-dark')
      }),
  })
})

const canvasOf = (page: Page): FrameLocator => page.frameLocator('iframe[title="Page"]:not([aria-hidden=true])')

const saved = (page: Page): Promise<void> => page.locator('[data-indicator=saved]').waitFor()

const announced = (page: Page, words: RegExp): Promise<void> =>
  page.locator('[data-announced]').filter({ hasText: words }).waitFor({ state: 'attached' })

/** Presses Tab until it is there. */
const tabTo = async (page: Page, place: Locator): Promise<void> => {
  await place.waitFor()
  for (let presses = 0; presses < MAX_TABS; presses += 1) {
    if (await place.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`Tab never came to ${place}`)
}

const MAX_TABS = 120

const isBefore = (canvas: FrameLocator, first: string, second: string): Promise<boolean> =>
  canvas.locator('body').evaluate(
    (body, [a = '', b = '']) => {
      const [one, other] = [body.querySelector(a), body.querySelector(b)]
      return Boolean(one && other && one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING)
    },
    [first, second],
  )
