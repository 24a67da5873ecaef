import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import type { Page } from 'playwright-core'
import { buildTestAdmin } from '../../web/cms-admin/src/registry/testing/build.ts'
import { browserTest } from '../lib/browser.ts'
import { findChromium } from '../lib/chromium.ts'
import { type CmsService, type Person, startCms } from '../lib/cms.ts'
import { enterAs, goTo, navigationOf } from './cms-page.ts'
import { journey } from './journey.ts'
import { look } from './page.ts'

let service: CmsService
let folder: string
let admin: Person
let author: Person
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stoa-admin-'))
  if (findChromium()) await buildTestAdmin(folder)
  service = await startCms({ adminFolder: folder })
  await service.claim()
  admin = await service.person('admin', { name: 'Ada Admin' })
  author = await service.person('author', { name: 'Aria Author' })
  for (const name of ['article', 'note'])
    await admin.client.post('/api/types', {
      name,
      label: name === 'article' ? 'Article' : 'Note',
      fields: [
        { key: 'summary', type: 'textarea', label: 'Summary' },
        { key: 'by', type: 'text', label: 'By' },
        { key: 'count', type: 'number', label: 'Count' },
        { key: 'tags', type: 'list', label: 'Tags', fields: [{ key: 'name', type: 'text', label: 'Name' }] },
      ],
    })
})
after(async () => {
  await service.close()
  await rm(folder, { recursive: true })
})

const entryOf = async (person: Person, type = 'article'): Promise<string> => {
  const data = { summary: 'By the sea', by: 'Ada', tags: [{ name: 'one' }] }
  const answer = await person.client.post('/api/entries', { type, title: 'The harbour', data })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id
}

const helper = (page: Page) => page.getByRole('complementary', { name: 'Helper' })
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Helper' })
const question = (page: Page) => page.getByLabel('Question')
const hasFocus = (page: Page, selector: string) =>
  page.waitForFunction((wanted) => document.activeElement?.matches(wanted), selector)
const actionsIn = (page: Page) =>
  page
    .getByRole('button', { name: /^Actions for/ })
    .evaluateAll((elements) => elements.map((element) => element.getAttribute('aria-label')))
const widthOf = async (page: Page) => (await helper(page).boundingBox())?.width ?? 0

describe('what is registered', () => {
  journey('appears to an admin', {
    'a screen is in the navigation and in the command menu, in its place, with its number': async (visit) => {
      const { page } = visit
      await enterAs(visit, service, admin, '/account')
      await page.getByRole('link', { name: 'Reports' }).waitFor()
      const links = await navigationOf(page)
      const place = links.indexOf('Media')
      assert.deepEqual(links.slice(place, place + 5), ['Media', 'Social', 'Reports\n3', 'Visitor assistant', 'Menus'])
      assert.ok(!links.some((label) => label.startsWith('Provider')), 'the service does not speak of it yet')
      await page.keyboard.press('ControlOrMeta+k')
      await page.getByRole('option', { name: 'Reports' }).waitFor()
      await page.getByRole('option', { name: 'Open Helper' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    },

    'a side panel opens by its key, takes the focus, gives it back, and stays from screen to screen': async (visit) => {
      const { page } = visit
      await page.getByRole('button', { name: 'Helper' }).focus()
      await page.keyboard.press('ControlOrMeta+j')
      await helper(page).waitFor()
      await hasFocus(page, 'aside textarea')
      await question(page).fill('How?')
      await page.getByRole('link', { name: 'Activity' }).click()
      await page.getByRole('heading', { name: 'Activity' }).waitFor()
      assert.equal(await question(page).inputValue(), 'How?')
      await question(page).focus()
      await page.getByRole('link', { name: 'To the media' }).press('Enter')
      await page.getByRole('heading', { name: 'Media', exact: true }).waitFor()
      await hasFocus(page, 'aside a')
      await page.keyboard.press('Escape')
      await helper(page).waitFor({ state: 'detached' })
      await hasFocus(page, '[aria-expanded=false]')
    },

    'a side panel keeps its width and that it is open, and takes no focus at the next visit': async ({ page }) => {
      await page.getByRole('button', { name: 'Helper' }).click()
      await helper(page).waitFor()
      const before = await widthOf(page)
      await page.getByRole('separator', { name: 'Width of Helper' }).press('ArrowLeft')
      assert.ok((await widthOf(page)) > before)
      const wider = await widthOf(page)
      await admin.client.put('/api/settings', { title: 'Connected' })
      await page.reload()
      await helper(page).waitFor()
      assert.equal(await widthOf(page), wider)
      assert.equal(await page.evaluate(() => document.activeElement === document.body), true)
    },

    'a screen can depend on what the service says': async ({ page }) => {
      await page.getByRole('link', { name: 'Provider' }).waitFor()
    },

    'an entry panel reads what is typed, between the panels of the editor': async ({ page }) => {
      const size = page.viewportSize()
      // Room for the panel at the side and the details of the entry
      await page.setViewportSize({ width: 1700, height: 800 })
      await goTo(page, `/content/article/${await entryOf(admin)}`)
      const words = page.getByRole('region', { name: 'Words' }).first()
      await words.getByText('article, draft: 2 words in the title, saved').waitFor()
      await page.getByLabel('Title', { exact: true }).fill('The harbour at night')
      await words.getByText('4 words in the title').waitFor()
      const titles = await page.getByRole('complementary', { name: 'Details' }).getByRole('heading').allInnerTexts()
      assert.deepEqual(titles, ['Status', 'Words', 'Author', 'Social', 'History', 'Words'])
      await page.locator('[data-indicator=saved]').waitFor()
      if (size) await page.setViewportSize(size)
    },

    'a field action writes as a person does: unsaved, and undone in one step': async (visit) => {
      const { page } = visit
      assert.deepEqual(await actionsIn(page), [
        'Actions for Title',
        'Actions for Summary',
        'Actions for By',
        // The menu of a row in the list
        'Actions for item 1',
      ])
      const by = page.getByLabel('By', { exact: true })
      await by.fill('Ada and Ben')
      await page.getByRole('button', { name: 'Actions for By' }).click()
      await page.getByRole('menuitem', { name: 'Capitals' }).waitFor()
      await look(visit, 'cms-registry-editor')
      await page.getByRole('menuitem', { name: 'Capitals' }).click()
      await page.waitForFunction(() =>
        [...document.querySelectorAll('input')].some(({ value }) => value === 'ADA AND BEN'),
      )
      await page.getByRole('button', { name: 'Undo' }).click()
      assert.equal(await by.inputValue(), 'Ada and Ben')
      await page.getByRole('button', { name: 'Redo' }).click()
      assert.equal(await by.inputValue(), 'ADA AND BEN')
      await page.locator('[data-indicator=saved]').waitFor()
      const id = new URL(page.url()).pathname.split('/').at(-1)
      assert.equal((await admin.client.get(`/api/entries/${id}`)).body.data.by, 'ADA AND BEN')
    },

    'a field action can ask first, in a layer of its own, and open the panel at the side': async ({ page }) => {
      const ask = async (button: string) => {
        await page.getByRole('button', { name: 'Actions for Summary' }).click()
        await page.getByRole('menuitem', { name: 'Ask…' }).waitFor()
        assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), ['Capitals', 'Ask…'])
        await page.getByRole('menuitem', { name: 'Ask…' }).click()
        await page.getByRole('dialog').getByRole('button', { name: button }).click()
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }
      await page.getByRole('button', { name: 'Close Helper' }).click()
      await helper(page).waitFor({ state: 'detached' })
      await ask('Quote')
      assert.equal(await page.getByLabel('Summary', { exact: true }).inputValue(), '“By the sea”')
      await page.locator('[data-indicator=saved]').waitFor()
      await ask('Open helper')
      await helper(page).waitFor()
      await page.getByRole('button', { name: 'Close Helper' }).click()
      await page.reload()
      await page.getByRole('button', { name: 'Helper' }).waitFor()
      assert.equal(await helper(page).count(), 0, 'what was closed stays closed')
    },
  })

  journey('appears to an author', {
    'a screen is not there for those who may not use it': async (visit) => {
      await enterAs(visit, service, author, '/account')
      await visit.page.getByRole('link', { name: 'Media' }).waitFor()
      assert.ok(!(await navigationOf(visit.page)).some((label) => label.startsWith('Reports')))
      assert.equal(await visit.page.getByRole('button', { name: 'Owners only' }).count(), 0)
    },

    'an entry panel is there for its types and for those who may see it': async ({ page }) => {
      await goTo(page, `/content/article/${await entryOf(author)}`)
      await page.getByRole('region', { name: 'Words' }).waitFor()
      assert.equal(await page.getByRole('region', { name: 'Words' }).count(), 1)
    },

    'a field action has no menu at fields that it is not for, nor where nothing may be written': async ({ page }) => {
      await goTo(page, `/content/article/${await entryOf(admin)}`)
      await page.getByText('This entry is by Ada Admin.').waitFor()
      assert.deepEqual(await actionsIn(page), ['Actions for Summary'])
    },

    'an entry panel that falls over leaves the editor as it is': async (visit) => {
      const { page } = visit
      await goTo(page, `/content/note/${await entryOf(author, 'note')}`)
      await page.getByText('Broken stopped working').waitFor()
      await page.getByRole('region', { name: 'Status' }).waitFor()
      await page.getByLabel('Title', { exact: true }).fill('Still here')
      await page.locator('[data-indicator=saved]').waitFor()
      visit.expectProblem(/broken on purpose/)
    },
  })

  browserTest('lies above the screen of a phone, in the dark', { theme: 'dark', phone: true }, async (visit) => {
    const { page } = visit
    await enterAs(visit, service, admin, '/account')
    await page.getByRole('button', { name: 'Helper' }).click()
    await sheet(page).waitFor()
    await hasFocus(page, '[role=dialog] textarea')
    await look(visit, 'cms-registry-sheet-dark', 'dialog')
    await page.keyboard.press('Escape')
    await sheet(page).waitFor({ state: 'detached' })
    await hasFocus(page, '[aria-label=Helper]')
    await page.getByRole('button', { name: 'Helper' }).click()
    await sheet(page).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Helper' }).waitFor()
    assert.equal(await sheet(page).count(), 0)
  })
})
