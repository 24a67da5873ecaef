import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import { until } from '@stoa/tests/lib/waiting.ts'
import type { Locator, Page } from 'playwright-core'
import { type CmsService, type Person, startCms } from '../lib/cms.ts'
import { film, photo, putFile } from './cms-media-files.ts'
import { enterAs, goTo } from './cms-page.ts'
import { journey } from './journey.ts'
import { dialogOf, fits, look } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

let service: CmsService
let admin: Person
let editor: Person
before(async () => {
  service = await startCms()
  await service.claim()
  admin = await service.person('admin', { name: 'Ada Admin' })
  editor = await service.person('editor', { name: 'Edda Editor' })
  await admin.client.put('/api/settings', { locales: ['en', 'ar'] })
  await admin.client.post('/api/types', {
    name: 'page',
    label: 'Page',
    labelPlural: 'Pages',
    previewUrl: '/pages/{slug}',
    fields: [
      { key: 'body', type: 'richtext', label: 'Body', help: 'What the page says.' },
      { key: 'note', type: 'text', label: 'Note' },
    ],
  })
  await putFile(service, editor, {
    filename: 'ferry.jpg',
    bytes: await photo(210),
    fields: { alt: 'The early ferry', caption: 'At seven' },
  })
  await putFile(service, editor, { filename: 'crossing.mp4', bytes: film() })
})
after(() => service.close())

const fixtures = join(import.meta.dirname, '../../web/cms-admin/src/fields/richtext/fixtures')
const fixture = (name: string): string => readFileSync(join(fixtures, `${name}.html.txt`), 'utf8')

const made = async (body: string, title = 'A page'): Promise<string> => {
  const answer = await editor.client.post('/api/entries', { type: 'page', title, data: { body } })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id
}
const bodyOf = async (id: string): Promise<string> => (await admin.client.get(`/api/entries/${id}`)).body.data.body
const textOf = (page: Page): Locator => page.getByRole('textbox', { name: 'Body' })
/** Whether a press in the middle of the button would reach it. */
const isOnTop = (page: Page, name: string): Promise<boolean> =>
  page
    .getByRole('button', { name, exact: true })
    .first()
    .evaluate((button) => {
      const { x, y, width, height } = button.getBoundingClientRect()
      return button.contains(document.elementFromPoint(x + width / 2, y + height / 2))
    })
const save = async (page: Page): Promise<void> => {
  await page.keyboard.press('ControlOrMeta+s')
  await page.locator('[data-indicator=saved]').waitFor()
}
/** Chromium reports a moved caret to the editor a moment later: no person is faster, a program is. */
const press = async (page: Page, key: string): Promise<void> => {
  await page.keyboard.press(key)
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}
/** Pastes as the browser would, with whatever the clipboard holds. */
const paste = (text: Locator, data: Record<string, string>): Promise<void> =>
  text.evaluate((element, given) => {
    const clipboardData = new DataTransfer()
    for (const [type, value] of Object.entries(given)) clipboardData.setData(type, value)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, data)

describe('rich text', () => {
  journey('is written', {
    'shortcuts, the toolbar and the slash menu make what is stored': async (visit) => {
      const { page } = visit
      const id = await made('')
      await enterAs(visit, service, admin, `/content/page/${id}`)
      const text = textOf(page)
      await text.click()
      await page.keyboard.type('## A day out')
      await press(page, 'Enter')
      await page.keyboard.type('Take the ')
      await press(page, 'ControlOrMeta+b')
      await page.keyboard.type('early')
      await press(page, 'ControlOrMeta+b')
      await page.keyboard.type(' ferry.')
      await press(page, 'Enter')
      await page.keyboard.type('- Bread')
      await press(page, 'Enter')
      await press(page, 'Tab')
      await page.keyboard.type('dark')
      await press(page, 'Enter')
      await press(page, 'Enter')
      await press(page, 'Enter')
      await page.keyboard.type('/quo')
      const menu = page.getByRole('listbox', { name: 'Insert' })
      await menu.getByRole('option', { name: 'Quote' }).waitFor()
      await press(page, 'Enter')
      await menu.waitFor({ state: 'detached' })
      await page.keyboard.type('Worth it')
      await save(page)
      assert.equal(
        await bodyOf(id),
        '<h2>A day out</h2><p>Take the <strong>early</strong> ferry.</p><ul><li>Bread<ul><li>dark</li></ul></li></ul>' +
          '<blockquote><p>Worth it</p></blockquote>',
      )
      await look(visit, 'cms-rich-text')
      const written = await text.evaluate((element) => {
        const { fontSize, lineHeight, borderTopWidth } = getComputedStyle(element)
        const box = element.getBoundingClientRect()
        return { fontSize, lineHeight, borderTopWidth, isWithin: box.width <= 680 }
      })
      assert.deepEqual(written, { fontSize: '17px', lineHeight: '28.05px', borderTopWidth: '0px', isWithin: true })
    },

    'the bar of the text never covers the header, whatever its width': async ({ page }) => {
      const id = await made(Array.from({ length: 60 }, (_, line) => `<p>Line ${line}</p>`).join(''), 'Long')
      await goTo(page, `/content/page/${id}`)
      await textOf(page).getByText('Line 59').waitFor()
      const desk = page.viewportSize()
      for (const width of [390, 1024]) {
        await page.setViewportSize({ width, height: 800 })
        await textOf(page).getByText('Line 30').scrollIntoViewIfNeeded()
        for (const name of ['Save', 'Publish', 'Undo', 'Bold'])
          assert.ok(await isOnTop(page, name), `${name} is covered at ${width} px`)
      }
      // Without room beside the text, the details are a layer, and the title keeps its lines
      const title = await page.getByLabel('Title').boundingBox()
      assert.ok((title?.width ?? 0) > 600, `a title of ${title?.width} px`)
      if (desk) await page.setViewportSize(desk)
    },

    'the text of a language that is written from right to left starts at the right': async ({ page }) => {
      const body = { type: 'page', title: 'مرحبا', locale: 'ar', data: { body: '<p>مرحبا</p>', note: '' } }
      const answer = await editor.client.post('/api/entries', body)
      assert.equal(answer.status, 201, answer.text)
      await goTo(page, `/content/page/${answer.body.id}`)
      await textOf(page).getByText('مرحبا').waitFor()
      for (const input of [textOf(page), page.getByLabel('Title'), page.getByLabel('Note')])
        assert.equal(await input.evaluate((element) => getComputedStyle(element).direction), 'rtl')
    },

    'undo leads back to what is stored, and nothing counts as changed then': async ({ page }) => {
      // Written by a program in a way that the editor would not choose
      const stored = '<ul><li><p>One</p></li></ul><p>Two  words</p>'
      const id = await made(stored)
      await goTo(page, `/content/page/${id}`)
      await textOf(page).getByText('Two words').waitFor()
      const text = textOf(page)
      await text.click()
      await press(page, 'ControlOrMeta+End')
      assert.equal(await page.locator('[data-indicator=dirty]').count(), 0)
      await page.keyboard.type('!')
      assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 1, 'one for everything')
      await page.getByRole('button', { name: 'Undo' }).click()
      assert.equal(await text.evaluate((element) => element === document.activeElement), true, 'the focus stayed')
      await page.locator('[data-indicator=saved]').waitFor()
      assert.equal(await bodyOf(id), stored)
      // The toolbar is one Tab stop away and back
      await press(page, 'Alt+F10')
      assert.match(await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? ''), /^Style: /)
      await press(page, 'ArrowRight')
      await press(page, 'Enter')
      await page.keyboard.type('bold')
      await save(page)
      assert.equal(await bodyOf(id), '<ul><li>One</li></ul><p>Two words<strong>bold</strong></p>')
    },

    'what is pasted comes out clean, and its pictures are uploaded': async ({ page }) => {
      const id = await made('')
      await goTo(page, `/content/page/${id}`)
      await until(async () => (await textOf(page).innerText()).trim() === '', 'an empty text')
      const text = textOf(page)
      await text.click()
      await paste(text, { 'text/html': fixture('google-docs'), 'text/plain': 'x' })
      await text.locator('figure:not([data-uploading]) img[src^="/media/"]').waitFor()
      // An address over a selection makes a link
      await press(page, 'ControlOrMeta+Home')
      await press(page, 'Shift+ControlOrMeta+ArrowRight')
      await paste(text, { 'text/plain': 'https://example.com/harbour' })
      await save(page)
      const stored = await bodyOf(id)
      assert.match(stored, /<a href="https:\/\/example\.com\/harbour">/)
      assert.match(
        stored,
        /<ul><li>Bread<ul><li>dark<ul><li>very dark<\/li><\/ul><\/li><\/ul><\/li><li>Water<\/li><\/ul>/,
      )
      assert.match(stored, /<figure><img src="\/media\/[^"]+" alt="The ferry" width="1" height="1" data-media-id="/)
      assert.doesNotMatch(stored, /style=|class=|mso|data:|uploading|Footnote/i)
    },

    'HTML is changed by hand and passes the policy': async (visit) => {
      const { page } = visit
      const id = await made('<p>One</p>')
      await goTo(page, `/content/page/${id}`)
      await textOf(page).getByText('One', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: 'HTML source' }).click()
      await dialogOf(page).getByLabel('HTML').fill('<p>One <b onclick="x()">two</b><script>y()</script></p>')
      await dialogOf(page).getByText('Removed on save').waitFor()
      await dialogOf(page).getByText('2 scripts').waitFor()
      await dialogOf(page).getByRole('button', { name: 'Use this HTML' }).click()
      await dialogOf(page).waitFor({ state: 'detached' })
      await textOf(page).locator('strong').waitFor()
      // Full screen, and back with Esc
      await page.getByRole('button', { name: 'Full screen' }).click()
      await page.getByRole('button', { name: 'Exit full screen' }).waitFor()
      const box = await page.locator('[data-full-screen]').boundingBox()
      assert.deepEqual([box?.x, box?.y, box?.width], [0, 0, 1280])
      await textOf(page).click()
      await visit.shot('cms-rich-text-full-screen')
      await press(page, 'Escape')
      await page.getByRole('button', { name: 'Full screen', exact: true }).waitFor()
      // Find and replace
      await press(page, 'ControlOrMeta+f')
      await page.getByLabel('Find', { exact: true }).fill('ONE')
      await page.getByText('1 of 1').waitFor()
      await page.getByLabel('Replace with').fill('Three')
      await page.getByRole('button', { name: 'Replace', exact: true }).click()
      await press(page, 'Escape')
      await save(page)
      assert.equal(await bodyOf(id), '<p>Three <strong>two</strong></p>')
    },

    'fits a phone in the dark': (visit) =>
      onPhoneInTheDark(visit, async () => {
        const { page } = visit
        const id = await made(
          '<h2>A day out</h2><p>Take the <a href="/ferry">early ferry</a>, <mark>really</mark>.</p><table><thead><tr><th>Day</th><th>Open</th></tr></thead><tbody><tr><td>Monday to Friday</td><td>from nine</td></tr></tbody></table><details><summary>More</summary><p>Inside</p></details><pre><code>const a = 1</code></pre>',
        )
        await goTo(page, `/content/page/${id}`)
        await textOf(page).getByText('A day out').waitFor()
        await fits(visit, 'cms-rich-text-dark-390')
      }),

    'tables, pictures, links and players are put in, changed and stored': async (visit) => {
      const { page } = visit
      await made('', 'Opening times')
      const id = await made('<p>See the times.</p><p></p>')
      await goTo(page, `/content/page/${id}`)
      const text = textOf(page)
      const bar = page.getByRole('toolbar', { name: 'Formatting' })
      // A link to an entry, on the selected word
      await text.getByText('times').click()
      await press(page, 'End')
      await press(page, 'ArrowLeft')
      await press(page, 'Shift+ControlOrMeta+ArrowLeft')
      assert.equal(await page.evaluate(() => getSelection()?.toString()), 'times')
      const selected = page.getByRole('toolbar', { name: 'Selected text' })
      await selected.getByRole('button', { name: 'Heading', exact: true }).waitFor()
      await press(page, 'ControlOrMeta+k')
      await dialogOf(page)
        .getByLabel(/Paste a URL/)
        .fill('opening')
      await dialogOf(page)
        .getByRole('option', { name: /Opening times/ })
        .waitFor()
      // Enter takes the first that was found
      await page.keyboard.press('Enter')
      await dialogOf(page).waitFor({ state: 'detached' })
      await text.locator('a[href="/pages/opening-times"]').waitFor()
      // It is the entry that is linked, whatever its slug becomes
      await press(page, 'ControlOrMeta+k')
      await dialogOf(page).getByText('Linked to “Opening times”. The URL stays up to date.').waitFor()
      await press(page, 'Escape')
      await dialogOf(page).waitFor({ state: 'detached' })
      // A picture of the library
      await press(page, 'ControlOrMeta+End')
      await bar.getByRole('button', { name: 'Image', exact: true }).click()
      await dialogOf(page)
        .getByRole('button', { name: /ferry/ })
        .or(dialogOf(page).getByRole('option', { name: /ferry/ }))
        .first()
        .click()
      const use = dialogOf(page).getByRole('button', { name: 'Use file' })
      await use.click()
      await text.locator('figure img').click()
      await page
        .getByRole('toolbar', { name: 'Image' })
        .getByRole('button', { name: /position/ })
        .click()
      await dialogOf(page).getByLabel('Alt text').fill('The ferry at dawn')
      await dialogOf(page).getByLabel('Position').selectOption('wide')
      await look(visit, 'cms-rich-text-image', 'dialog')
      await dialogOf(page).getByRole('button', { name: 'Save image' }).click()
      await dialogOf(page).waitFor({ state: 'detached' })
      // A video of the library
      await press(page, 'ControlOrMeta+End')
      await bar.getByRole('button', { name: 'Video or audio', exact: true }).click()
      await dialogOf(page)
        .getByRole('button', { name: /crossing/ })
        .or(dialogOf(page).getByRole('option', { name: /crossing/ }))
        .first()
        .click()
      await dialogOf(page).getByRole('button', { name: 'Use file' }).click()
      await text.locator('video').waitFor()
      // A player from its address, a table from the slash menu
      await press(page, 'ControlOrMeta+End')
      await paste(text, { 'text/plain': 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' })
      await text.getByText('YouTube', { exact: true }).waitFor()
      await press(page, 'ControlOrMeta+End')
      await page.keyboard.type('/tab')
      await page.getByRole('option', { name: 'Table' }).click()
      await text.locator('table').waitFor()
      await page.keyboard.type('Day')
      await press(page, 'Tab')
      await page.keyboard.type('Open')
      await bar.getByRole('button', { name: 'Table', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Delete column' }).click()
      await page.keyboard.type('Times')
      await bar.getByRole('button', { name: 'Table', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Delete row' }).waitFor()
      await press(page, 'Escape')
      await save(page)
      await visit.shot('cms-rich-text-full')
      const stored = await bodyOf(id)
      assert.match(
        stored,
        /^<p>See the <a href="\/pages\/opening-times" data-entry-id="[0-9a-f-]{36}">times<\/a>\.<\/p>/,
      )
      assert.match(
        stored,
        /<video src="\/media\/[^"]+\/crossing\.mp4" data-media-id="[0-9a-f-]{36}" controls="" preload="metadata"><\/video>/,
      )
      assert.match(
        stored,
        /<figure data-align="wide"><img src="\/media\/[^"]+" alt="The ferry at dawn" width="960" height="640" data-media-id="[0-9a-f-]{36}"><figcaption>At seven<\/figcaption><\/figure>/,
      )
      assert.match(stored, /<iframe src="https:\/\/www\.youtube-nocookie\.com\/embed\/dQw4w9WgXcQ" allowfullscreen=""/)
      assert.match(stored, /<table><thead><tr><th>Day<\/th><th>(?:Times)?<\/th><\/tr><\/thead><tbody>/)
    },
  })
})
