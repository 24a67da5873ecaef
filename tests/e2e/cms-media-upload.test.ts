import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { browserTest } from '../lib/browser.ts'
import { type CmsService, type Person, startCms } from '../lib/cms.ts'
import { logo, photo } from './cms-media-files.ts'
import { enterAs, goTo } from './cms-page.ts'
import { journey } from './journey.ts'
import { dialogOf, look } from './page.ts'

const LIMIT = 200_000

let service: CmsService
let editor: Person
before(async () => {
  service = await startCms({ env: { MAX_UPLOAD_BYTES: String(LIMIT) } })
  await service.claim()
  editor = await service.person('editor', { name: 'Edda Editor' })
})
after(() => service.close())

type Given = { name: string; mimeType: string; buffer: Buffer }

const png = async (name: string, hue: number): Promise<Given> => ({
  name,
  mimeType: 'image/png',
  buffer: await logo(hue, 48),
})
const dock = (page: Page) => page.getByRole('region', { name: 'Uploads' })
const closeDock = async (page: Page): Promise<void> => {
  await dock(page).getByRole('button', { name: 'Close uploads' }).click()
  await dock(page).waitFor({ state: 'detached' })
}
const choose = (page: Page, files: Given[]) => page.locator('input[type=file]').first().setInputFiles(files)
const stored = async (query = '') =>
  (await editor.client.get(`/api/media?limit=100&sort=filename&${query}`)).body.items.map(
    ({ filename }: { filename: string }) => filename,
  )

/** Files that come onto the page from elsewhere, as a drop or out of the clipboard. */
const bring = (page: Page, kind: 'drop' | 'paste', target: string, file: { name: string; base64: string }) =>
  page.evaluate(
    async ([how, selector, { name, base64 }]) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      const data = new DataTransfer()
      data.items.add(new File([bytes], name, { type: 'image/png' }))
      const element = document.querySelector(selector) ?? document.body
      const options = { bubbles: true, cancelable: true }
      if (how === 'paste') element.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: data }))
      else
        for (const type of ['dragenter', 'dragover', 'drop'])
          element.dispatchEvent(new DragEvent(type, { ...options, dataTransfer: data }))
    },
    [kind, target, file] as const,
  )

describe('uploads', () => {
  journey('of an editor', {
    'what is too large or of another kind is refused before it is sent': async (visit) => {
      const { page } = visit
      let sent = 0
      const count = (request: Request) => {
        if (request.method() === 'POST' && request.url().endsWith('/api/media')) sent += 1
      }
      page.on('request', count)
      const known = page.waitForResponse((response) => response.url().includes('/api/media?limit=1'))
      await enterAs(visit, service, editor, '/media')
      await known
      await choose(page, [
        { name: 'large.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(LIMIT + 1, 7) },
        { name: 'words.docx', mimeType: 'application/msword', buffer: Buffer.from('words') },
        { name: 'fake.png', mimeType: 'image/png', buffer: Buffer.from('<html>not a picture</html>') },
        await png('good.png', 200),
      ])
      await dock(page).getByText('1 file uploaded, 3 failed').waitFor()
      await dock(page).getByText('Too large: 200 kB. The limit is 200 kB.').waitFor()
      await dock(page).getByText('File type not supported. Use jpg,').first().waitFor()
      // Only the service sees that a picture is none; asking again would not help
      assert.equal(await dock(page).getByRole('button', { name: /Retry/ }).count(), 0)
      assert.equal(sent, 2)
      const names = await stored('q=good')
      assert.deepEqual(names, ['good.png'])
      assert.deepEqual(await stored('q=fake'), [])
      page.off('request', count)
      visit.expectProblem(/41[35]|400/)
      await closeDock(page)
    },

    'many files go at once, one fails and is retried, and screens change meanwhile': async (visit) => {
      const { page } = visit
      const files = await Promise.all(
        Array.from({ length: 8 }, (_, index) => png(`many-${index + 10}.png`, index * 12)),
      )
      let sent = 0
      const elsewhere = Promise.withResolvers<void>()
      await page.route('**/api/media', async (route) => {
        if (route.request().method() !== 'POST') return route.continue()
        sent += 1
        if (sent === 5) return route.abort('connectionreset')
        // The last ones go on when another screen is open
        if (sent > 5) await elsewhere.promise
        return route.continue()
      })
      await choose(page, files)
      await dock(page)
        .getByText(/Uploading/)
        .waitFor()
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Menus' }).click()
      await page.getByRole('heading', { name: 'Menus', exact: true }).waitFor()
      elsewhere.resolve()
      await dock(page).getByText('7 files uploaded, 1 failed').waitFor({ timeout: 60_000 })
      await dock(page).getByRole('button', { name: 'Show files' }).click()
      await dock(page).getByText('The connection was lost during the upload.').waitFor()
      assert.equal((await stored('q=many')).length, 7)
      await look(visit, 'cms-media-uploads')
      await dock(page)
        .getByRole('button', { name: /^Retry many/ })
        .click()
      await dock(page).getByText('8 files uploaded').waitFor()
      assert.deepEqual(
        await stored('q=many'),
        files.map(({ name }) => name),
      )
      await dock(page).getByRole('link', { name: 'many-17.png' }).click()
      await page.getByRole('heading', { name: 'many-17.png' }).waitFor()
      await closeDock(page)
      await page.unroute('**/api/media')
      visit.expectProblem(/CONNECTION_RESET/)
    },

    'files are dropped anywhere or on a folder, and images are pasted': async ({ page }) => {
      const base64 = (await logo(90, 32)).toString('base64')
      await goTo(page, '/media')
      await page.getByRole('button', { name: 'New folder' }).click()
      await dialogOf(page).getByLabel('Name').fill('Dropped here')
      await dialogOf(page).getByRole('button', { name: 'Open folder' }).click()
      await page.getByText('This folder is empty').waitFor()
      await bring(page, 'drop', 'main', { name: 'anywhere.png', base64 })
      await page
        .getByRole('link', { name: /anywhere.png/ })
        .first()
        .waitFor()
      await bring(page, 'paste', 'body', { name: 'image.png', base64 })
      await page
        .getByRole('link', { name: /pasted-.*png/ })
        .first()
        .waitFor()
      const inFolder = await stored(`folder=${encodeURIComponent('Dropped here')}`)
      assert.equal(inFolder.length, 2)
      assert.match(inFolder[1] ?? '', /^pasted-\d{4}-\d\d-\d\d-/)
      await page.getByRole('button', { name: 'All files' }).click()
      await page.getByRole('button', { name: 'Dropped here 2' }).waitFor()
      await bring(page, 'drop', 'nav[aria-label=Folders] li:nth-child(3)', { name: 'on-folder.png', base64 })
      await dock(page).getByText('3 files uploaded').waitFor()
      assert.deepEqual(await stored('q=on-folder&folder=Dropped here'), ['on-folder.png'])
    },

    'a running upload is cancelled, and leaving the page asks first': async ({ page }) => {
      await page.route('**/api/media', (route) => (route.request().method() === 'POST' ? undefined : route.continue()))
      await closeDock(page)
      await goTo(page, '/media')
      await page.getByText('good.png').first().waitFor()
      await choose(page, [await png('held-1.png', 10), await png('held-2.png', 20)])
      await dock(page).getByRole('progressbar', { name: 'held-1.png' }).waitFor()
      const asked = page.waitForEvent('dialog')
      await page.close({ runBeforeUnload: true })
      const dialog = await asked
      assert.equal(dialog.type(), 'beforeunload')
      await dialog.dismiss()
      await dock(page).getByRole('button', { name: 'Cancel held-1.png' }).click()
      await dock(page).getByText('Canceled').waitFor()
      await dock(page).getByRole('button', { name: 'Cancel held-2.png' }).click()
      await dock(page).getByText('2 canceled').waitFor()
      await page.unroute('**/api/media')
      await dock(page).getByRole('button', { name: 'Retry held-2.png' }).click()
      await dock(page).getByText('1 file uploaded, 1 canceled').waitFor()
      assert.deepEqual(await stored('q=held'), ['held-2.png'])
    },
  })

  browserTest('someone who may only read finds no way to upload', {}, async (visit) => {
    const { page } = visit
    const viewer = await service.person('viewer')
    await enterAs(visit, service, viewer, '/media')
    await page.getByText('good.png').first().waitFor()
    assert.equal(await page.getByRole('button', { name: 'Upload' }).count(), 0)
    await bring(page, 'drop', 'main', { name: 'sneaky.png', base64: (await logo(1, 8)).toString('base64') })
    await page.getByText('good.png').first().click()
    await page.getByText('You can view and use this file.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Delete' }).count(), 0)
    assert.deepEqual(await stored('q=sneaky'), [])
  })
})

describe('the picker', () => {
  browserTest('uploads into the place where it is used', { theme: 'dark', phone: true }, async (visit) => {
    const { page } = visit
    const admin = await service.person('admin', { name: 'Ada Admin' })
    await enterAs(visit, service, admin, '/settings')
    await page.getByRole('button', { name: 'Choose image: Logo' }).click()
    const dialog = dialogOf(page)
    await dialog.getByRole('button', { name: /png/ }).first().waitFor()
    await look(visit, 'cms-media-picker-dark-390', 'dialog')
    await dialog
      .locator('input[type=file]')
      .setInputFiles([{ name: 'brand.jpg', mimeType: 'image/jpeg', buffer: await photo(30, 200, 100) }])
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('brand.jpg').first().waitFor()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Settings saved').waitFor()
    const [brand] = (await admin.client.get('/api/media?q=brand')).body.items
    assert.equal((await admin.client.get('/api/settings')).body.logoId, brand.id)
  })
})
