import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import type { Page } from 'playwright-core'
import { type CmsService, type Person, startCms } from '../lib/cms.ts'
import { logo, pdf, photo, putFile } from './cms-media-files.ts'
import { enterAs, goTo } from './cms-page.ts'
import { journey } from './journey.ts'
import { confirm, dialogOf, fits, hasCopied, look } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

let service: CmsService
let admin: Person
let editor: Person
let entryId: string
const ids = new Map<string, string>()
before(async () => {
  service = await startCms()
  await service.claim()
  admin = await service.person('admin', { name: 'Ada Admin' })
  editor = await service.person('editor', { name: 'Edda Editor' })
  const put = async (filename: string, bytes: Buffer, fields: Record<string, string> = {}) =>
    ids.set(filename, (await putFile(service, editor, { filename, bytes, fields })).id)
  await put('harbour.jpg', await photo(200, 1200, 600), { folder: 'press' })
  await put('logo.png', await logo(220))
  await put('report.pdf', pdf())
  await admin.client.post('/api/types', {
    name: 'page',
    label: 'Page',
    fields: [{ key: 'hero', type: 'media', label: 'Hero', accept: ['image/*'] }],
  })
  const made = await admin.client.post('/api/entries', {
    type: 'page',
    title: 'By the sea',
    data: { hero: ids.get('harbour.jpg') },
  })
  entryId = made.body.id
  await admin.client.put('/api/settings', { socialImageId: ids.get('harbour.jpg') })
})
after(() => service.close())

const pathOf = (name: string) => `/media?id=${ids.get(name)}`
const record = async (name: string) => (await admin.client.get(`/api/media/${ids.get(name)}`)).body
const saved = async (page: Page) => {
  await page.getByText('Unsaved changes').waitFor({ state: 'detached' })
}
const cropAt = (page: Page, label: string, position: string) =>
  page.waitForFunction(
    ([crop, wanted]) => {
      const picture = document.querySelector<HTMLElement>(`[data-crop="${crop}"]`)
      return picture?.style.objectPosition === wanted
    },
    [label, position] as const,
  )

describe('one file', () => {
  journey('of the library', {
    'its focal point is set with the mouse and the arrow keys, and crops follow': async (visit) => {
      const { page } = visit
      await enterAs(visit, service, editor, pathOf('harbour.jpg'))
      const picture = page.locator('.cursor-crosshair img')
      await picture.waitFor()
      await cropAt(page, '1:1', '50% 50%')
      const box = await picture.boundingBox()
      assert.ok(box)
      await page.mouse.click(box.x + box.width * 0.3, box.y + box.height * 0.6)
      await cropAt(page, '1:1', '10% 50%')
      await page.getByRole('button', { name: 'Focal point' }).focus()
      for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'Shift+ArrowRight']) await page.keyboard.press(key)
      await cropAt(page, '1:1', '34% 50%')
      await look(visit, 'cms-media-detail')
      await page.keyboard.press('ControlOrMeta+s')
      await page.getByText('“harbour.jpg” saved').waitFor()
      const { focalX, focalY } = await record('harbour.jpg')
      assert.deepEqual([focalX, focalY], [0.42, 0.61])
    },

    'texts are saved, a conflict is asked about, and nothing typed is left by accident': async (visit) => {
      const { page } = visit
      await goTo(page, '/media')
      await page.getByRole('link', { name: /^harbour.jpg/ }).click()
      await page.getByLabel('Alt text').fill('A harbour at dusk')
      await page.getByLabel('Folder').fill('press/../x')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'folder')
      await page.getByLabel('Folder').fill('press / dusk')
      await admin.client.put(`/api/media/${ids.get('harbour.jpg')}`, { caption: 'By Ada' })
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByRole('heading', { name: 'Ada Admin saved first' }).waitFor()
      await page.getByRole('button', { name: 'Overwrite with mine' }).click()
      await saved(page)
      const after = await record('harbour.jpg')
      assert.deepEqual([after.alt, after.caption, after.folder], ['A harbour at dusk', 'By Ada', 'press/dusk'])
      await page.getByLabel('Decorative').check()
      await page.getByRole('button', { name: 'Next file' }).click()
      await page.getByText('Your changes to this file will be lost.').waitFor()
      await dialogOf(page).getByRole('button', { name: 'Cancel' }).click()
      assert.equal(await page.getByLabel('Alt text').inputValue(), '')
      await page.getByRole('button', { name: 'Discard' }).click()
      assert.equal(await page.getByLabel('Alt text').inputValue(), 'A harbour at dusk')
      await page.keyboard.press('j')
      await page.getByRole('heading', { name: 'logo.png' }).waitFor()
      await page.getByRole('button', { name: 'Previous file' }).click()
      await page.getByRole('heading', { name: 'harbour.jpg' }).waitFor()
      visit.expectProblem(/40[09]/)
    },

    'its uses lead to their places; other sizes are made and have addresses': async ({ page }) => {
      const link = page.getByRole('link', { name: 'By the sea' })
      assert.equal(await link.getAttribute('href'), `/admin/content/page/${entryId}`)
      await page.getByRole('link', { name: 'Settings: social image' }).waitFor()
      await page.getByLabel('Width').selectOption('320')
      await page.getByLabel('Height').selectOption('320')
      await page.getByText('320 × 320 pixels').waitFor()
      await page.getByRole('button', { name: 'Copy URL' }).first().click()
      const { url } = await record('harbour.jpg')
      await hasCopied(page, `${url}?w=320&h=320`)
    },

    'other content keeps its id and its texts; another kind is refused': async ({ page }) => {
      const before = await record('harbour.jpg')
      await page.getByLabel('Caption').fill('Typed before')
      const file = page.locator('input[type=file]')
      await file.setInputFiles([{ name: 'x.pdf', mimeType: 'application/pdf', buffer: pdf() }])
      await page.getByText('Only images can be used here.').waitFor()
      await file.setInputFiles([{ name: 'x.png', mimeType: 'image/png', buffer: await logo(10, 300) }])
      await page.getByText('File replaced').waitFor()
      await page.getByRole('definition').filter({ hasText: '300 × 300 pixels' }).waitFor()
      assert.equal(await page.getByLabel('Caption').inputValue(), 'Typed before')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await saved(page)
      const after = await record('harbour.jpg')
      assert.deepEqual(
        [after.id, after.alt, after.caption, after.filename, after.mimeType],
        [before.id, before.alt, 'Typed before', 'harbour.png', 'image/png'],
      )
      assert.notEqual(after.url, before.url)
    },

    'deleting names the places that use it': async (visit) => {
      const { page } = visit
      await page.getByRole('button', { name: 'Delete' }).click()
      await dialogOf(page)
        .getByText("It's used in 2 places: “Settings: social image” and “By the sea”, where")
        .waitFor()
      await confirm(page, 'Delete file')
      await page.getByText('“harbour.png” deleted').waitFor()
      await page.getByRole('link', { name: /^logo.png/ }).waitFor()
      assert.equal((await admin.client.get(`/api/media/${ids.get('harbour.jpg')}`)).status, 404)
      await goTo(page, pathOf('harbour.jpg'))
      await page.getByText('File not found').waitFor()
      visit.expectProblem(/404/)
    },

    'fits a phone in the dark, as does the library': (visit) =>
      onPhoneInTheDark(visit, async () => {
        const { page } = visit
        await goTo(page, '/media')
        await page.getByRole('link', { name: /^report.pdf/ }).waitFor()
        await fits(visit, 'cms-media-dark-390')
        await page.getByRole('link', { name: /^logo.png/ }).click()
        await page.getByLabel('Alt text').waitFor()
        await page.locator('[data-crop]').first().waitFor()
        await fits(visit, 'cms-media-detail-dark-390')
        await goTo(page, pathOf('report.pdf'))
        await page.getByText('PDF document').waitFor()
        assert.equal(await page.getByLabel('Alt text').count(), 0)
      }),
  })
})
