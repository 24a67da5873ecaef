import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { until } from '@stoa/tests/lib/waiting.ts'
import type { Page } from 'playwright-core'
import { browserTest } from '../lib/browser.ts'
import { type CmsService, type Person, startCms } from '../lib/cms.ts'
import { enterAs, goTo } from './cms-page.ts'
import { journey } from './journey.ts'
import { confirm, dialogOf, fits, isLargeEnough, look } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

let service: CmsService
let admin: Person
let editor: Person
let author: Person
before(async () => {
  service = await startCms()
  await service.claim()
  admin = await service.person('admin', { name: 'Ada Admin' })
  editor = await service.person('editor', { name: 'Edda Editor' })
  author = await service.person('author', { name: 'Aria Author' })
  await admin.client.put('/api/settings', { url: 'https://www.example.com', locales: ['en', 'de'] })
  await admin.client.post('/api/types', {
    name: 'article',
    label: 'Article',
    labelPlural: 'Articles',
    previewUrl: '/articles/{slug}',
    fields: [
      { key: 'summary', type: 'textarea', label: 'Summary', required: true, help: 'Shown in lists.' },
      { key: 'author', type: 'text', label: 'By', maxLength: 20 },
      {
        key: 'links',
        type: 'list',
        label: 'Links',
        fields: [
          { key: 'label', type: 'text', label: 'Label', required: true },
          { key: 'url', type: 'url', label: 'Address' },
        ],
      },
      { key: 'featured', type: 'boolean', label: 'Featured' },
    ],
  })
  await admin.client.post('/api/types', { name: 'note', label: 'Note', fields: [{ key: 'text', type: 'text' }] })
  await admin.client.post('/api/taxonomies', {
    name: 'topics',
    label: 'Topics',
    hierarchical: true,
    types: ['article'],
  })
  const sea = await admin.client.post('/api/taxonomies/topics/terms', { name: 'Sea' })
  await admin.client.post('/api/taxonomies/topics/terms', { name: 'Harbour', parentId: sea.body.id })
})
after(() => service.close())

type Members = { title?: string; data?: Record<string, unknown>; type?: string }

const made = async (person: Person, members: Members = {}) => {
  const body = { type: 'article', title: 'The harbour', data: { summary: 'By the sea' }, ...members }
  const answer = await person.client.post('/api/entries', body)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const read = async (id: string) => (await admin.client.get(`/api/entries/${id}`)).body
const indicator = (page: Page, state: string) => page.locator(`[data-indicator=${state}]`).waitFor()
/** The form of the entry with this title, and not that of another that was open before. */
const opened = (page: Page, title: string) =>
  until(async () => (await page.getByLabel('Title').inputValue()) === title, `“${title}” is open`)
const idIn = async (page: Page) => (await page.evaluate(() => location.pathname)).split('/').at(-1) ?? ''
const status = (page: Page) => page.getByRole('region', { name: 'Status' })
const changeStatus = async (page: Page, item: string) => {
  await status(page).getByRole('button', { name: 'Change status' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}
const publishNow = async (page: Page, button: string) => {
  await dialogOf(page).waitFor()
  await confirm(page, button)
}

describe('an entry', () => {
  journey('is written and published', {
    'a new entry is made while typing; its slug follows the title until it is changed': async (visit) => {
      const { page } = visit
      await enterAs(visit, service, admin, '/content/article/new')
      await page.getByLabel('Title').fill('Boats in the Müritz')
      assert.equal(await page.getByLabel('Slug').inputValue(), 'boats-in-the-muritz')
      await page.getByText('https://www.example.com/articles/boats-in-the-muritz').waitFor()
      await page.getByLabel('Summary').fill('Small ones')
      await page.keyboard.press('ControlOrMeta+s')
      await indicator(page, 'saved')
      await page.waitForURL(/article\/[0-9a-f-]{36}$/)
      assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'TEXTAREA', 'the focus stayed')
      const id = await idIn(page)
      await page.getByLabel('Slug').fill('ships')
      await page.getByLabel('Title').fill('All boats')
      await page.keyboard.press('ControlOrMeta+s')
      await indicator(page, 'saved')
      assert.deepEqual([(await read(id)).slug, (await read(id)).data.summary], ['ships', 'Small ones'])
      await look(visit, 'cms-editor')
      await isLargeEnough(page)
    },

    'undo and redo go over the whole form; inside a text they are its own': async ({ page }) => {
      const { id } = await made(editor)
      await goTo(page, `/content/article/${id}`)
      await opened(page, 'The harbour')
      await page.getByRole('switch', { name: 'Featured' }).check()
      await page.getByLabel('Title').fill('Other')
      await page.getByLabel('Title').blur()
      await page.keyboard.press('ControlOrMeta+z')
      assert.equal(await page.getByLabel('Title').inputValue(), 'The harbour')
      await page.getByRole('button', { name: 'Undo' }).click()
      assert.equal(await page.getByRole('switch', { name: 'Featured' }).isChecked(), false)
      await page.getByRole('button', { name: 'Redo' }).click()
      await page.keyboard.press('ControlOrMeta+Shift+z')
      assert.equal(await page.getByLabel('Title').inputValue(), 'Other')
      await page.getByLabel('By', { exact: true }).pressSequentially('Ana')
      await page.keyboard.press('ControlOrMeta+z')
      assert.equal(await page.getByLabel('Title').inputValue(), 'Other')
      await page.keyboard.press('ControlOrMeta+s')
      await indicator(page, 'saved')
      assert.deepEqual([(await read(id)).title, (await read(id)).data.featured], ['Other', true])
    },

    'what is missing is shown at its input, then it goes live, changes wait, and it is withdrawn': async (visit) => {
      const { page } = visit
      const { id } = await made(editor, { data: { links: [{ label: '', url: '/a' }] } })
      await goTo(page, `/content/article/${id}`)
      await opened(page, 'The harbour')
      await page.keyboard.press('ControlOrMeta+Shift+p')
      await publishNow(page, 'Publish now')
      await page.getByText('2 problems to fix').waitFor()
      await page.waitForFunction(() => document.activeElement?.closest('[data-path=summary]') !== null)
      await page.getByRole('button', { name: /Links › 1 › Label/ }).click()
      await page.waitForFunction(() => document.activeElement?.closest('[data-path="links.0.label"]') !== null)
      await visit.shot('cms-editor-problems')
      await page.keyboard.type('A link')
      await page.getByLabel('Summary').fill('Now there')
      await page.getByRole('button', { name: 'Publish', exact: true }).click()
      await publishNow(page, 'Publish now')
      await page.getByText(/” published/).waitFor()
      assert.equal((await read(id)).status, 'published')

      await page.getByLabel('Summary').fill('For later')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await indicator(page, 'saved')
      await status(page).getByText('Live, 1 unpublished change').waitFor()
      const pending = await read(id)
      assert.deepEqual([pending.live.data.summary, pending.data.summary], ['Now there', 'For later'])
      await changeStatus(page, 'View unpublished changes')
      await dialogOf(page).getByText('Now there').or(dialogOf(page).getByText('Now')).first().waitFor()
      await look(visit, 'cms-editor-unpublished', 'dialog')
      await dialogOf(page).getByRole('button', { name: 'Discard unpublished changes' }).click()
      await confirm(page, 'Discard changes')
      await status(page).getByText('Live', { exact: true }).waitFor()
      assert.equal(await page.getByLabel('Summary').inputValue(), 'Now there')

      await changeStatus(page, 'Unpublish…')
      await publishNow(page, 'Unpublish now')
      await page.getByText('returned to draft').waitFor()
      assert.equal((await read(id)).status, 'draft')
      visit.expectProblem(/400/)
    },

    'a time to go live is set, in the zone of the person, and taken back': async (visit) => {
      const { page } = visit
      const { id } = await made(editor)
      await goTo(page, `/content/article/${id}`)
      await page.getByText('By the sea').waitFor()
      await page.getByRole('button', { name: 'Publish', exact: true }).click()
      await dialogOf(page).getByLabel('Schedule for later').check()
      await dialogOf(page).getByLabel('Date and time').fill('2030-07-01T10:00')
      await look(visit, 'cms-editor-schedule', 'dialog')
      await confirm(page, 'Schedule')
      await status(page)
        .getByText(/^Scheduled for .* at /)
        .waitFor()
      // Athens is three hours ahead in summer
      assert.equal((await read(id)).publishAt, '2030-07-01T07:00:00.000Z')
      await page.getByRole('button', { name: 'Change schedule…' }).click()
      assert.equal(await dialogOf(page).getByLabel('Date and time').inputValue(), '2030-07-01T10:00')
      await page.keyboard.press('Escape')
      await dialogOf(page).waitFor({ state: 'detached' })
      await changeStatus(page, 'Cancel schedule')
      await status(page).getByText('Draft', { exact: true }).waitFor()
      assert.equal((await read(id)).publishAt, null)
    },

    'a preview shows what is not saved; without an address it says why there is none': async (visit) => {
      const { page, context } = visit
      const { id } = await made(editor, { title: 'The lock' })
      await context.route('https://www.example.com/**', (route) => route.fulfill({ body: 'the website' }))
      await goTo(page, `/content/article/${id}`)
      await opened(page, 'The lock')
      await page.getByLabel('Summary').fill('Unsaved')
      const [tab, asked] = await Promise.all([
        context.waitForEvent('page'),
        page.waitForRequest((request) => request.url().endsWith('/preview')),
        page.getByRole('button', { name: 'Preview' }).click(),
      ])
      await tab.waitForURL(/www\.example\.com\/articles\/the-lock.*\?preview=/)
      assert.equal(asked.postDataJSON().data?.summary ?? 'Unsaved', 'Unsaved')
      await tab.close()
      const note = await made(editor, { type: 'note', title: 'A note', data: {} })
      await goTo(page, `/content/note/${note.id}`)
      await opened(page, 'A note')
      await page.getByRole('button', { name: 'Preview' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'No preview URL' }).waitFor()
      await page.keyboard.press('Escape')
      await dialogOf(page).waitFor({ state: 'detached' })
    },

    'an entry is copied, and moved to the trash and back': async ({ page }) => {
      const { id } = await made(editor, { title: 'Pier' })
      await goTo(page, `/content/article/${id}`)
      await opened(page, 'Pier')
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Duplicate' }).click()
      await page.waitForFunction((old) => !location.pathname.endsWith(old), id)
      await page.getByText('Entry duplicated').waitFor()
      const copy = await idIn(page)
      const items = [{ label: 'The pier', entryId: copy }]
      await admin.client.post('/api/menus', { name: 'main', label: 'Main menu', items })
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Move to trash' }).click()
      await dialogOf(page)
        .getByText(/used in 1 place: the menu “Main menu”.*You can restore it from the trash/)
        .waitFor()
      await confirm(page, 'Move to trash')
      await page.getByText('“Pier (copy)” moved to trash').waitFor()
      assert.notEqual((await read(copy)).deletedAt, null)
      await goTo(page, `/content/article/${copy}`)
      await page.getByText('This entry is in the trash').waitFor()
      assert.equal(await page.getByLabel('Title').isDisabled(), true)
      await page.getByRole('button', { name: 'Restore' }).click()
      await page.getByText('restored as a draft').waitFor()
      assert.equal(await page.getByLabel('Title').isDisabled(), false)
      assert.equal((await read(copy)).deletedAt, null)
    },

    'the details are put away and stay so; Publish moves to the header': async ({ page }) => {
      const details = page.getByRole('complementary', { name: 'Details' })
      await details.getByRole('button', { name: 'Publish', exact: true }).waitFor()
      assert.equal(await page.getByRole('button', { name: 'Publish', exact: true }).count(), 1)
      await page.getByRole('button', { name: 'Details' }).click()
      await details.waitFor({ state: 'detached' })
      await page.locator('header').getByRole('button', { name: 'Publish', exact: true }).waitFor()
      const { id } = await made(editor)
      await goTo(page, `/content/article/${id}`)
      await opened(page, 'The harbour')
      assert.equal(await details.count(), 0)
      await page.getByRole('button', { name: 'Details' }).click()
      await details.getByLabel('Slug').waitFor()
    },

    'the history is behind the form and its address is shareable': async ({ page }) => {
      await page.getByRole('button', { name: 'Show history' }).click()
      await page.waitForURL(/tab=history/)
      await page.getByRole('heading', { name: 'History' }).waitFor()
      await page.getByRole('button', { name: 'Back to editor' }).click()
      await page.getByLabel('Summary').waitFor()
    },

    'fits a phone in the dark': (visit) =>
      onPhoneInTheDark(visit, async () => {
        const { page } = visit
        const { id } = await made(editor, {
          title: 'A very long title of an entry about the harbour and its lighthouses',
        })
        await goTo(page, `/content/article/${id}`)
        await opened(page, 'A very long title of an entry about the harbour and its lighthouses')
        await fits(visit, 'cms-editor-dark-390')
        await page.getByRole('button', { name: 'Details' }).click()
        await dialogOf(page).getByLabel('Slug').waitFor()
        await fits(visit, 'cms-editor-details-dark-390', 'dialog')
        await page.keyboard.press('Escape')
        await dialogOf(page).waitFor({ state: 'detached' })
      }),

    'terms are ticked, translations made and switched between, the author changed': async ({ page }) => {
      const { id } = await made(admin, { title: 'Lighthouse' })
      await goTo(page, `/content/article/${id}`)
      await opened(page, 'Lighthouse')
      await page.getByRole('checkbox', { name: 'Harbour' }).check()
      const scrolls = await page
        .getByRole('list', { name: 'Topics' })
        .evaluate((list) => getComputedStyle(list).overflowY !== 'visible' && list.scrollHeight > list.clientHeight)
      assert.equal(scrolls, false, 'a few terms are all in sight')
      await page.getByRole('checkbox', { name: 'Sea' }).check()
      await indicator(page, 'saved')
      await page.waitForFunction(() => !document.querySelector('[data-indicator=saving]'))
      await page.getByRole('combobox', { name: 'Author' }).click()
      await page.getByRole('option', { name: 'Aria Author' }).click()
      await indicator(page, 'saved')
      await page.getByLabel('Summary').fill('A light')
      await page.getByRole('button', { name: 'Translate to German' }).click()
      await page.waitForFunction((old) => !location.pathname.endsWith(old), id)
      await page.getByRole('link', { name: 'Lighthouse' }).waitFor()
      const german = await read(await idIn(page))
      assert.deepEqual([german.locale, german.translationOf, german.data.summary], ['de', id, 'A light'])
      const origin = await read(id)
      assert.deepEqual(origin.terms.map(({ slug }: { slug: string }) => slug).sort(), ['harbour', 'sea'])
      assert.deepEqual([origin.authorId, origin.data.summary], [author.id, 'A light'])
      await page.getByLabel('Title').fill('Leuchtturm')
      await page.getByRole('link', { name: 'Lighthouse' }).click()
      await page.getByRole('link', { name: 'Leuchtturm' }).waitFor()
      assert.equal(await idIn(page), id)
    },
  })
})

describe('roles', () => {
  browserTest('an author writes own drafts, reads the rest and why', {}, async (visit) => {
    const { page } = visit
    const others = await made(editor, { title: 'Not mine' })
    await enterAs(visit, service, author, `/content/article/${others.id}`)
    await page.getByText('This entry is by Edda Editor.').waitFor()
    assert.equal(await page.getByLabel('Summary').isDisabled(), true)
    assert.equal(await page.getByRole('button', { name: 'Save', exact: true }).count(), 0)
    assert.equal(await page.getByRole('checkbox', { name: 'Sea' }).isDisabled(), true)
    await visit.shot('cms-editor-read-only')
    const own = await made(author, { title: 'Mine' })
    await goTo(page, `/content/article/${own.id}`)
    await opened(page, 'Mine')
    await page.getByLabel('Summary').fill('My words')
    assert.equal(await page.getByRole('button', { name: 'Publish' }).count(), 0)
    await page.keyboard.press('ControlOrMeta+s')
    await indicator(page, 'saved')
    assert.equal((await read(own.id)).data.summary, 'My words')
    await editor.client.post(`/api/entries/${own.id}/status`, { action: 'publish' })
    await page.getByText('This entry is live.').waitFor()
  })
})
