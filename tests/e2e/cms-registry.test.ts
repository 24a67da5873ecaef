import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import type { Page } from 'playwright-core'
import { buildTestAdmin } from '../../web/cms-admin/src/registry/testing/build.ts'
import { browserTest, type VisitOptions } from '../lib/browser.ts'
import { findChromium } from '../lib/chromium.ts'
import { type CmsService, type Person, startCms } from '../lib/cms.ts'
import { enterAs, navigationOf } from './cms-page.ts'
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

describe('a registered screen', () => {
  browserTest('is in the navigation and in the command menu, in its place, with its number', {}, async (visit) => {
    const { page } = visit
    await enterAs(visit, service, admin, '/account')
    await page.getByRole('link', { name: 'Reports' }).waitFor()
    const links = await navigationOf(page)
    assert.deepEqual(links.slice(links.indexOf('Media'), links.indexOf('Media') + 5), [
      'Media',
      'Social',
      'Reports\n3',
      'Visitor assistant',
      'Menus',
    ])
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('option', { name: 'Reports' }).waitFor()
    await page.getByRole('option', { name: 'Open Helper' }).waitFor()
  })

  browserTest('is not there for those who may not use it', {}, async (visit) => {
    await enterAs(visit, service, author, '/account')
    await visit.page.getByRole('link', { name: 'Media' }).waitFor()
    assert.ok(!(await navigationOf(visit.page)).some((label) => label.startsWith('Reports')))
    assert.equal(await visit.page.getByRole('button', { name: 'Owners only' }).count(), 0)
  })

  browserTest('can depend on what the service says', {}, async (visit) => {
    const { page } = visit
    await enterAs(visit, service, admin, '/account')
    await page.getByRole('link', { name: 'Reports' }).waitFor()
    assert.ok(!(await navigationOf(page)).some((label) => label.startsWith('Provider')))
    await admin.client.put('/api/settings', { title: 'Connected' })
    await page.reload()
    await page.getByRole('link', { name: 'Provider' }).waitFor()
  })
})

describe('a registered entry panel', () => {
  browserTest('reads what is typed, between the panels of the editor', {}, async (visit) => {
    const { page } = visit
    await enterAs(visit, service, admin, `/content/article/${await entryOf(admin)}`)
    const words = page.getByRole('region', { name: 'Words' }).first()
    await words.getByText('article, draft: 2 words in the title, saved').waitFor()
    await page.getByLabel('Title').fill('The harbour at night')
    await words.getByText('4 words in the title').waitFor()
    const titles = await page.getByRole('complementary', { name: 'Details' }).getByRole('heading').allInnerTexts()
    assert.deepEqual(titles, ['Status', 'Words', 'Author', 'Social', 'History', 'Words'])
  })

  browserTest('is there for its types and for those who may see it', {}, async (visit) => {
    const { page } = visit
    await enterAs(visit, service, author, `/content/article/${await entryOf(author)}`)
    await page.getByRole('region', { name: 'Words' }).waitFor()
    assert.equal(await page.getByRole('region', { name: 'Words' }).count(), 1)
  })

  browserTest('that falls over leaves the editor as it is', {}, async (visit) => {
    const { page } = visit
    await enterAs(visit, service, author, `/content/note/${await entryOf(author, 'note')}`)
    await page.getByText('Broken stopped working').waitFor()
    await page.getByRole('region', { name: 'Status' }).waitFor()
    await page.getByLabel('Title').fill('Still here')
    visit.expectProblem(/broken on purpose/)
  })
})

describe('a registered field action', () => {
  browserTest('writes as a person does: unsaved, and undone in one step', {}, async (visit) => {
    const { page } = visit
    const id = await entryOf(admin)
    await enterAs(visit, service, admin, `/content/article/${id}`)
    const by = page.getByLabel('By', { exact: true })
    await by.fill('Ada and Ben')
    await page.getByRole('button', { name: 'Actions for By' }).click()
    await look(visit, 'cms-registry-field-action')
    await page.getByRole('menuitem', { name: 'Capitals' }).click()
    await page.waitForFunction(() =>
      [...document.querySelectorAll('input')].some(({ value }) => value === 'ADA AND BEN'),
    )
    await page.getByRole('button', { name: 'Undo' }).click()
    assert.equal(await by.inputValue(), 'Ada and Ben')
    await page.getByRole('button', { name: 'Redo' }).click()
    assert.equal(await by.inputValue(), 'ADA AND BEN')
    await page.locator('[data-indicator=saved]').waitFor()
    assert.equal((await admin.client.get(`/api/entries/${id}`)).body.data.by, 'ADA AND BEN')
  })

  browserTest('can ask first, in a layer of its own, and open the panel at the side', {}, async (visit) => {
    const { page } = visit
    await enterAs(visit, service, admin, `/content/article/${await entryOf(admin)}`)
    const ask = async (button: string) => {
      await page.getByRole('button', { name: 'Actions for Summary' }).click()
      assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), ['Capitals', 'Ask…'])
      await page.getByRole('menuitem', { name: 'Ask…' }).click()
      await page.getByRole('dialog').getByRole('button', { name: button }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await ask('Quote')
    assert.equal(await page.getByLabel('Summary', { exact: true }).inputValue(), '“By the sea”')
    await ask('Open helper')
    await helper(page).waitFor()
  })

  browserTest('has no menu at fields that it is not for, nor where nothing may be written', {}, async (visit) => {
    const { page } = visit
    await enterAs(visit, service, author, `/content/article/${await entryOf(admin)}`)
    await page.getByLabel('By', { exact: true }).waitFor()
    assert.deepEqual(await page.getByRole('button', { name: /^Actions for/ }).evaluateAll(labels), [
      'Actions for Summary',
    ])
    await enterAs(visit, service, admin, `/content/article/${await entryOf(admin)}`)
    await page.getByRole('button', { name: 'Actions for By' }).waitFor()
    assert.deepEqual(await page.getByRole('button', { name: /^Actions for/ }).evaluateAll(labels), [
      'Actions for Summary',
      'Actions for By',
      // The menu of a row in the list
      'Actions for item 1',
    ])
  })
})

const labels = (elements: Element[]) => elements.map((element) => element.getAttribute('aria-label'))

describe('a registered side panel', () => {
  browserTest(
    'opens by its key, takes the focus, gives it back, and stays from screen to screen',
    {},
    async (visit) => {
      const { page } = visit
      await enterAs(visit, service, admin, '/account')
      await page.getByRole('button', { name: 'Helper' }).waitFor()
      await page.getByRole('button', { name: 'Helper' }).focus()
      await page.keyboard.press('ControlOrMeta+j')
      await helper(page).waitFor()
      await hasFocus(page, 'aside textarea')
      await question(page).fill('How?')
      await look(visit, 'cms-registry-side-panel')
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
  )

  browserTest('keeps its width and that it is open, and takes no focus at the next visit', {}, async (visit) => {
    const { page } = visit
    await enterAs(visit, service, admin, '/account')
    await page.getByRole('button', { name: 'Helper' }).click()
    await helper(page).waitFor()
    const width = async () => (await helper(page).boundingBox())?.width ?? 0
    const before = await width()
    await page.getByRole('separator', { name: 'Width of Helper' }).press('ArrowLeft')
    assert.ok((await width()) > before)
    const wider = await width()
    await page.reload()
    await helper(page).waitFor()
    assert.equal(await width(), wider)
    assert.equal(await page.evaluate(() => document.activeElement === document.body), true)
    await page.getByRole('button', { name: 'Close Helper' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'Helper' }).waitFor()
    assert.equal(await helper(page).count(), 0)
  })

  for (const theme of ['light', 'dark'] as const)
    browserTest(`lies above the screen of a phone: ${theme}`, { theme, phone: true }, async (visit) => {
      const { page } = visit
      await enterAs(visit, service, admin, '/account')
      await page.getByRole('button', { name: 'Helper' }).click()
      await sheet(page).waitFor()
      await hasFocus(page, '[role=dialog] textarea')
      await look(visit, `cms-registry-sheet-${theme}`, 'dialog')
      await page.keyboard.press('Escape')
      await sheet(page).waitFor({ state: 'detached' })
      await hasFocus(page, '[aria-label=Helper]')
      await page.getByRole('button', { name: 'Helper' }).click()
      await sheet(page).waitFor()
      await page.reload()
      await page.getByRole('button', { name: 'Helper' }).waitFor()
      assert.equal(await sheet(page).count(), 0)
    })

  for (const options of [{}, { theme: 'dark' }, { phone: true }] satisfies VisitOptions[])
    browserTest(`leaves room for the editor beside it: ${JSON.stringify(options)}`, options, async (visit) => {
      const { page } = visit
      await enterAs(visit, service, admin, `/content/article/${await entryOf(admin)}`)
      await page.getByRole('button', { name: 'Actions for By' }).waitFor()
      await page.getByRole('button', { name: 'Helper' }).click()
      await question(page).waitFor()
      const name = `cms-registry-editor-${options.theme ?? (options.phone ? '390' : 'light')}`
      await look(visit, name, options.phone ? 'dialog' : undefined)
    })
})
