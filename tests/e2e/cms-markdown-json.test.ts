import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type CmsService, type Person, startCms } from '../lib/cms.ts'
import { photo } from './cms-media-files.ts'
import { enterAs, goTo } from './cms-page.ts'
import { journey } from './journey.ts'
import { dialogOf, fits, look } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

let service: CmsService
let editor: Person
before(async () => {
  service = await startCms()
  await service.claim()
  const admin = await service.person('admin')
  editor = await service.person('editor', { name: 'Edda Editor' })
  await admin.client.post('/api/types', {
    name: 'page',
    label: 'Page',
    labelPlural: 'Pages',
    fields: [
      { key: 'source', type: 'markdown', label: 'Source' },
      { key: 'options', type: 'json', label: 'Options', help: 'For the programs of the site.' },
    ],
  })
})
after(() => service.close())

const made = async (data: Record<string, unknown>, title = 'A page'): Promise<string> => {
  const answer = await editor.client.post('/api/entries', { type: 'page', title, data })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id
}
const dataOf = async (id: string) => (await editor.client.get(`/api/entries/${id}`)).body.data
const area = (page: Page, name: string): Locator => page.getByRole('textbox', { name, exact: true })
/** Chromium reports a moved caret to the editor a moment later: no person is faster, a program is. */
const settled = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
const save = async (page: Page): Promise<void> => {
  await page.keyboard.press('ControlOrMeta+s')
  await page.locator('[data-indicator=saved]').waitFor()
}

describe('Markdown and JSON', () => {
  journey('are written', {
    'Markdown is written with keys and the toolbar, looked at, and stored as typed': async (visit) => {
      const { page } = visit
      await made({}, 'The harbour')
      const id = await made({ source: 'One\r\ntwo \r\n' })
      await enterAs(visit, service, editor, `/content/page/${id}`)
      const text = area(page, 'Source')
      await text.click()
      await page.keyboard.press('ControlOrMeta+End')
      await page.keyboard.type('Take the ')
      await page.keyboard.press('ControlOrMeta+b')
      await page.keyboard.type('early')
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowRight')
      await page.keyboard.type(' ferry to ')
      await page.keyboard.press('ControlOrMeta+k')
      await dialogOf(page)
        .getByLabel(/Paste a URL/)
        .fill('harbour')
      await dialogOf(page)
        .getByRole('option', { name: /The harbour/ })
        .click()
      await dialogOf(page).waitFor({ state: 'detached' })
      await settled(page)
      await page.keyboard.press('Enter')
      await page.keyboard.press('Enter')
      await text.evaluate((element) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData(
          'text/html',
          '<table><tr><th>Day</th><th>Open</th></tr><tr><td>Mo</td><td><b>nine</b></td></tr></table>',
        )
        clipboardData.setData('text/plain', 'Day Open')
        element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      })
      await page.getByRole('button', { name: 'Write and preview' }).click()
      const preview = page.getByRole('region', { name: 'Preview' })
      await preview.getByRole('cell', { name: 'nine' }).waitFor()
      await save(page)
      assert.equal(
        (await dataOf(id)).source,
        'One\r\ntwo \r\nTake the **early** ferry to [The harbour](/the-harbour)\r\n\r\n| Day | Open |\r\n| --- | --- |\r\n| Mo | **nine** |',
      )
      await look(visit, 'cms-markdown')
    },

    'a dropped picture is uploaded and put where it was dropped': async ({ page }) => {
      const id = await made({ source: 'Before' })
      await goTo(page, `/content/page/${id}`)
      await area(page, 'Source').getByText('Before').waitFor()
      const bytes = [...(await photo(30, 64, 40))]
      await area(page, 'Source').click()
      await page.keyboard.press('ControlOrMeta+End')
      await area(page, 'Source').evaluate((element, given) => {
        const clipboardData = new DataTransfer()
        clipboardData.items.add(new File([new Uint8Array(given)], 'boat.jpg', { type: 'image/jpeg' }))
        element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      }, bytes)
      await page.getByText(/!\[\]\(/).waitFor()
      await page.getByRole('toolbar').getByRole('button', { name: 'Preview', exact: true }).click()
      await page.waitForFunction(() => (document.querySelector<HTMLImageElement>('section img')?.naturalWidth ?? 0) > 0)
      await save(page)
      assert.match((await dataOf(id)).source, /^Before\n\n!\[\]\(http:\/\/cms\.test\/media\/[^)]+boat\.jpg\)$/)
    },

    'text that is not JSON is kept, named and not saved': async (visit) => {
      const { page } = visit
      const id = await made({ options: { a: 1 } })
      await goTo(page, `/content/page/${id}`)
      const text = area(page, 'Options')
      await text.getByText('"a"').waitFor()
      await text.click()
      await page.keyboard.press('ControlOrMeta+a')
      await settled(page)
      await page.keyboard.insertText('{"b": [1, 2,]}')
      await page.getByText("Line 1, column 13: There's an extra comma before this.").waitFor()
      assert.equal(await text.getAttribute('aria-invalid'), 'true')
      await visit.shot('cms-json-problem')
      await page.getByLabel('Title').fill('Another page')
      await save(page)
      assert.deepEqual((await dataOf(id)).options, { a: 1 })
      assert.match(await text.innerText(), /\[1, 2,\]/)
      await text.click()
      await page.keyboard.press('ControlOrMeta+End')
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('Backspace')
      await page.getByRole('button', { name: 'Format' }).click()
      await page.getByText('Valid · 6 lines').waitFor()
      await save(page)
      assert.deepEqual((await dataOf(id)).options, { b: [1, 2] })
    },

    'both fit a phone in the dark': (visit) =>
      onPhoneInTheDark(visit, async () => {
        const { page } = visit
        const id = await made({
          source: '## A day out\n\nTake the *early* ferry.',
          options: { colour: 'blue', sizes: [1, true, null] },
        })
        await goTo(page, `/content/page/${id}`)
        await area(page, 'Options').getByText('"colour"').waitFor()
        await area(page, 'Source').getByText('A day out').waitFor()
        await fits(visit, 'cms-markdown-json-dark-390')
      }),
  })
})
