import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { browserTest } from '../lib/browser.ts'
import { type CmsService, type Person, startCms } from '../lib/cms.ts'
import { photo } from './cms-media-files.ts'
import { enterAs } from './cms-page.ts'
import { dialogOf, look } from './page.ts'

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
const save = async (page: Page): Promise<void> => {
  await page.keyboard.press('ControlOrMeta+s')
  await page.locator('[data-indicator=saved]').waitFor()
}

describe('Markdown', () => {
  browserTest('is written with keys and the toolbar, looked at, and stored as typed', {}, async (visit) => {
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
      .getByRole('button', { name: /The harbour/ })
      .click()
    await dialogOf(page).waitFor({ state: 'detached' })
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
  })

  browserTest('a dropped picture is uploaded and put where it was dropped', {}, async (visit) => {
    const { page } = visit
    const id = await made({ source: 'Before' })
    await enterAs(visit, service, editor, `/content/page/${id}`)
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
  })
})

describe('JSON', () => {
  browserTest('text that is not JSON is kept, named and not saved', {}, async (visit) => {
    const { page } = visit
    const id = await made({ options: { a: 1 } })
    await enterAs(visit, service, editor, `/content/page/${id}`)
    const text = area(page, 'Options')
    await text.getByText('"a"').waitFor()
    await text.click()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('{"b": [1, 2,]}')
    await page.getByText('Line 1, column 13: There is a comma too many before this.').waitFor()
    assert.equal(await text.getAttribute('aria-invalid'), 'true')
    await look(visit, 'cms-json-problem')
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
  })

  browserTest('both fit a phone in the dark', { theme: 'dark', phone: true }, async (visit) => {
    const { page } = visit
    const id = await made({
      source: '## A day out\n\nTake the *early* ferry.',
      options: { colour: 'blue', sizes: [1, true, null] },
    })
    await enterAs(visit, service, editor, `/content/page/${id}`)
    await area(page, 'Options').getByText('"colour"').waitFor()
    await area(page, 'Source').getByText('A day out').waitFor()
    await look(visit, 'cms-markdown-json-dark-390')
  })
})
