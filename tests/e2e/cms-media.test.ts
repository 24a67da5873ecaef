import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import type { Page } from 'playwright-core'
import { browserTest } from '../lib/browser.ts'
import { type CmsService, type Person, startCms } from '../lib/cms.ts'
import { logo, mark, pdf, photo, putFile } from './cms-media-files.ts'
import { enterAs, goTo } from './cms-page.ts'
import { journey } from './journey.ts'
import { confirm, dialogOf, look } from './page.ts'

let service: CmsService
let admin: Person
let editor: Person
let author: Person
const ids = new Map<string, string>()
before(async () => {
  service = await startCms()
  await service.claim()
  admin = await service.person('admin', { name: 'Ada Admin' })
  editor = await service.person('editor', { name: 'Edda Editor' })
  author = await service.person('author', { name: 'Arno Author' })
  const put = async (person: Person, filename: string, bytes: Buffer, fields: Record<string, string> = {}) =>
    ids.set(filename, (await putFile(service, person, { filename, bytes, fields })).id)
  for (const [index, name] of ['harbour', 'lighthouse', 'market', 'ferry'].entries())
    await put(editor, `${name}.jpg`, await photo(index * 50, 960, 640), { folder: 'press/2026', alt: `The ${name}` })
  await put(editor, 'a-very-long-name-of-a-photograph-that-nobody-ever-shortened.jpg', await photo(250))
  await put(editor, 'team.jpg', await photo(300), { folder: 'team' })
  await put(editor, 'logo.png', await logo(220), { decorative: 'true' })
  await put(author, 'mark.svg', Buffer.from(mark(20)))
  await put(author, 'report.pdf', pdf())
  const field = { key: 'hero', type: 'media', label: 'Hero', accept: ['image/*'] }
  await admin.client.post('/api/types', { name: 'page', label: 'Page', fields: [field] })
  const entry = { type: 'page', title: 'By the sea', data: { hero: ids.get('harbour.jpg') } }
  const made = await admin.client.post('/api/entries', entry)
  assert.equal(made.status, 201, made.text)
})
after(() => service.close())

const tile = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) })
const names = (page: Page) => page.locator('[data-tile] .font-medium').allInnerTexts()
const record = async (name: string) => (await admin.client.get(`/api/media/${ids.get(name)}`)).body
const choose = (page: Page, name: string) => page.getByLabel(`Select ${name}`)
const shows = (page: Page, wanted: readonly string[]) =>
  page.waitForFunction((list) => {
    const shown = [...document.querySelectorAll('[data-tile] .font-medium')].map(({ textContent }) => textContent)
    return JSON.stringify(shown.toSorted()) === list
  }, JSON.stringify(wanted.toSorted()))

describe('the media library', () => {
  journey('of an editor', {
    'is searched, narrowed, sorted and shown as a list, all by its address': async (visit) => {
      const { page } = visit
      await enterAs(visit, service, editor, '/media')
      await tile(page, 'logo.png').waitFor()
      await look(visit, 'cms-media')
      await page.getByRole('button', { name: '3 images missing alt text' }).click()
      await shows(page, ['a-very-long-name-of-a-photograph-that-nobody-ever-shortened.jpg', 'mark.svg', 'team.jpg'])
      await page.waitForURL(/show=alt/)
      await goTo(page, '/media')
      await page.getByRole('button', { name: /^press/ }).click()
      await page.getByText('This folder is empty').waitFor()
      await page.getByRole('button', { name: /^2026/ }).click()
      await shows(page, ['ferry.jpg', 'harbour.jpg', 'lighthouse.jpg', 'market.jpg'])
      await page.getByRole('searchbox', { name: 'Search files' }).fill('light')
      await shows(page, ['lighthouse.jpg'])
      await page.getByRole('searchbox', { name: 'Search files' }).fill('')
      await page.getByLabel('Status').selectOption('unused')
      await shows(page, ['ferry.jpg', 'lighthouse.jpg', 'market.jpg'])
      await page.getByLabel('Sort').selectOption('-filename')
      await page.waitForFunction(() => document.querySelector('[data-tile]')?.textContent?.startsWith('market'))
      assert.deepEqual(await names(page), ['market.jpg', 'lighthouse.jpg', 'ferry.jpg'])
      await goTo(page, '/media')
      await tile(page, 'logo.png').waitFor()
      await page.getByRole('button', { name: 'More filters' }).click()
      await page.getByLabel('Uploaded by').selectOption({ label: 'Arno Author' })
      await shows(page, ['mark.svg', 'report.pdf'])
      await page.getByRole('button', { name: 'List', exact: true }).click()
      await page.getByRole('columnheader', { name: 'Alt text' }).waitFor()
      await goTo(page, '/media')
      await page.getByRole('row', { name: /harbour.jpg/ }).waitFor()
      await visit.shot('cms-media-list')
      await page.getByRole('button', { name: 'Grid', exact: true }).click()
    },

    'files are chosen with keys and ranges, moved by dragging and by a dialog': async ({ page }) => {
      await goTo(page, '/media?folder=press%2F2026&sort=filename')
      await shows(page, ['ferry.jpg', 'harbour.jpg', 'lighthouse.jpg', 'market.jpg'])
      await choose(page, 'market.jpg').check()
      await page.getByText('1 selected').waitFor()
      // What is chosen and no longer seen would be changed unseen
      await goTo(page, '/media?folder=press%2F2026&sort=filename&q=ferry')
      await page.getByText('selected').waitFor({ state: 'detached' })
      await shows(page, ['ferry.jpg'])
      await goTo(page, '/media?folder=press%2F2026&sort=filename')
      await shows(page, ['ferry.jpg', 'harbour.jpg', 'lighthouse.jpg', 'market.jpg'])
      await tile(page, 'ferry.jpg').focus()
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press(' ')
      await page.getByText('1 selected').waitFor()
      await choose(page, 'market.jpg').click({ modifiers: ['Shift'] })
      await page.getByText('3 selected').waitFor()
      await page.keyboard.press('Escape')
      await page.getByText('selected').waitFor({ state: 'detached' })
      await page.keyboard.press('ControlOrMeta+a')
      await page.getByText('4 selected').waitFor()
      await choose(page, 'ferry.jpg').click()
      await page.getByRole('button', { name: 'Move', exact: true }).click()
      await dialogOf(page).getByLabel('Folder').fill('archive / old')
      await dialogOf(page).getByRole('button', { name: 'Move' }).click()
      await page.getByText('3 files moved to “archive / old”').waitFor()
      assert.equal((await record('market.jpg')).folder, 'archive/old')
      await shows(page, ['ferry.jpg'])
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByRole('button', { name: 'All files' }).click()
      await page.getByRole('button', { name: /^archive/ }).waitFor({ state: 'detached' })
      assert.equal((await record('market.jpg')).folder, 'press/2026')
      await tile(page, 'logo.png').dragTo(page.getByRole('button', { name: /^team/ }))
      await page.getByText('1 file moved to “team”').waitFor()
      assert.equal((await record('logo.png')).folder, 'team')
      await page.getByRole('button', { name: /^team/ }).hover()
      await page.getByRole('button', { name: 'Rename team' }).click()
      await dialogOf(page).getByLabel('Path').fill('people')
      await dialogOf(page).getByRole('button', { name: 'Rename' }).click()
      await page.getByText('“team” renamed to “people”').waitFor()
      await shows(page, ['logo.png', 'team.jpg'])
      assert.equal((await record('team.jpg')).folder, 'people')
    },

    'alternative texts are written one after the other; a quicker person is seen': async (visit) => {
      const { page } = visit
      await goTo(page, '/media')
      await tile(page, 'report.pdf').waitFor()
      await choose(page, 'team.jpg').check()
      await choose(page, 'harbour.jpg').check()
      await choose(page, 'report.pdf').check()
      await page.getByRole('button', { name: 'Alt texts' }).click()
      const dialog = dialogOf(page)
      const team = dialog.getByLabel('Alt text for team.jpg')
      await team.fill('Five people on a pier')
      await look(visit, 'cms-media-alt', 'dialog')
      await team.press('Tab')
      await dialog.getByText('Saved', { exact: true }).waitFor({ state: 'attached' })
      assert.equal((await record('team.jpg')).alt, 'Five people on a pier')
      const harbour = dialog.getByLabel('Alt text for harbour.jpg')
      await harbour.fill('A quiet harbour')
      await admin.client.put(`/api/media/${ids.get('harbour.jpg')}`, { caption: 'In the evening' })
      await harbour.press('Enter')
      await dialog.getByText('Ada Admin changed this file in the meantime.').waitFor()
      assert.equal((await record('harbour.jpg')).alt, 'The harbour')
      await dialog.getByRole('button', { name: 'Overwrite with mine' }).click()
      await dialog.getByText('Saved', { exact: true }).nth(1).waitFor({ state: 'attached' })
      const saved = await record('harbour.jpg')
      assert.deepEqual([saved.alt, saved.caption], ['A quiet harbour', 'In the evening'])
      await dialog.getByLabel('harbour.jpg is decorative').check()
      await page.waitForFunction(() => document.querySelectorAll('[placeholder^="Decorative"]').length === 1)
      await harbour.fill('A harbour')
      await dialog.getByRole('button', { name: 'Done' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: '2 images missing alt text' }).waitFor()
      visit.expectProblem(/409/)
    },

    'used files are deleted only after a warning; the rest goes quietly': async ({ page }) => {
      await goTo(page, '/media?folder=press%2F2026')
      await shows(page, ['ferry.jpg', 'harbour.jpg', 'lighthouse.jpg', 'market.jpg'])
      await choose(page, 'harbour.jpg').check()
      await choose(page, 'ferry.jpg').check()
      await page.getByRole('button', { name: 'Delete' }).click()
      const dialog = dialogOf(page)
      await dialog.getByText('1 of them is used in 1 place, where it will be missing.').waitFor()
      await dialog.getByRole('button', { name: 'Only the 1 unused' }).click()
      await page.getByText('1 file deleted').waitFor()
      await shows(page, ['harbour.jpg', 'lighthouse.jpg', 'market.jpg'])
      const downloads: string[] = []
      page.on('download', (download) => downloads.push(download.suggestedFilename()))
      await choose(page, 'market.jpg').check()
      await choose(page, 'lighthouse.jpg').check()
      const second = page.waitForEvent('download', () => downloads.length === 2)
      await page.getByRole('button', { name: 'Download' }).click()
      await second
      assert.deepEqual(downloads.toSorted(), ['lighthouse.jpg', 'market.jpg'])
    },
  })

  browserTest('an author changes own files only', {}, async (visit) => {
    const { page } = visit
    await enterAs(visit, service, author, '/media')
    await choose(page, 'mark.svg').check()
    await choose(page, 'team.jpg').check()
    await page.getByRole('button', { name: 'Delete' }).click()
    await dialogOf(page).getByText('1 of the files was uploaded by others and skipped.').waitFor()
    await confirm(page, 'Delete 1 file')
    await page.getByText('1 file deleted').waitFor()
    assert.equal((await record('team.jpg')).filename, 'team.jpg')
    await tile(page, 'team.jpg').click()
    await page.getByText('You can view and use this file.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Replace' }).count(), 0)
  })
})
