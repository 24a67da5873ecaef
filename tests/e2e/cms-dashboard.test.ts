import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { runSchedule } from '@stoa/cms/content/entries/publish-due.ts'
import { picture } from '@stoa/cms/content/media/testing/fixtures.ts'
import type { Locator, Page } from 'playwright-core'
import { browserTest } from '../lib/browser.ts'
import { type CmsService, type Person, startCms } from '../lib/cms.ts'
import { ok } from './cms-list-site.ts'
import { enterAs, goTo, navigationOf } from './cms-page.ts'
import { journey } from './journey.ts'
import { dialogOf, fits, isLargeEnough, look } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

const HOUR_MS = 3_600_000

let service: CmsService
let owner: Person
let editor: Person
let author: Person
let viewer: Person
let cover: string
before(async () => {
  service = await startCms()
  owner = await service.claim()
  editor = await service.person('editor', { name: 'Edda Editor' })
  author = await service.person('author', { name: 'Aron Author' })
  viewer = await service.person('viewer', { name: 'Vera Viewer' })
})
after(() => service.close())

/** The id of a picture in the library. */
const upload = async (person: Person, name: string): Promise<string> => {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(await picture('png', 600, 400))]), name)
  const headers = { authorization: `Bearer ${person.token}` }
  const sent = await fetch(`${service.url}/api/media`, { method: 'POST', body: form, headers })
  assert.equal(sent.status, 201)
  return (await sent.json()).id
}

/** The end of this day where the browser is. */
const midnight = (): Date => {
  const at = new Date()
  at.setHours(23, 59, 59, 0)
  return at
}

/** A cover is as wide as the page, above its title. */
const isAcross = async (cover: Locator, title: Locator): Promise<void> => {
  await cover.waitFor()
  const [above, below] = [await cover.boundingBox(), await title.boundingBox()]
  assert.ok(above && below && above.y + above.height <= below.y && above.width >= below.width)
}

const groups = async (page: Page): Promise<string[]> =>
  (await page.getByRole('region', { name: 'Needs attention' }).locator('h3').allInnerTexts()).map((text) => text.trim())

describe('the dashboard', () => {
  browserTest('of an empty site leads to the first page, step by step', {}, async (visit) => {
    const { page } = visit
    await enterAs(visit, service, owner, '/')
    await page.getByText('0 of 6 done').waitFor()
    await page.getByText("You're all caught up").waitFor()
    await page.getByText('No content types yet').waitFor()
    await look(visit, 'cms-dashboard-empty')
    await ok(owner.client.put('/api/settings', { title: 'The harbour', url: 'https://harbour.example' }))
    await ok(
      owner.client.post('/api/types', {
        name: 'article',
        label: 'Article',
        labelPlural: 'Articles',
        previewUrl: '/blog/{slug}',
        fields: [
          { key: 'summary', type: 'text', required: true },
          { key: 'cover', type: 'media' },
        ],
      }),
    )
    await ok(owner.client.post('/api/delivery-keys', { name: 'Website', types: ['*'] }))
  })

  journey('of an editor', {
    'shows what needs an editor: failures, own drafts, the schedule, unpublished changes': async (visit) => {
      const { page } = visit
      const { client } = editor
      const add = (title: string, summary: string | undefined) =>
        ok(client.post('/api/entries', { type: 'article', title, data: summary === undefined ? {} : { summary } }))
      const later = (hours: number) => new Date(service.clock.now().getTime() + hours * HOUR_MS).toISOString()
      const failing = await add('Too early', 'a')
      await ok(client.post(`/api/entries/${failing.id}/status`, { action: 'publish', at: later(1) }))
      await ok(client.put(`/api/entries/${failing.id}`, { data: { summary: '' } }))
      service.clock.advance(2 * HOUR_MS)
      assert.deepEqual(await runSchedule(service.cms.services), { published: 0, unpublished: 0, failed: 1 })
      await add('Half written', undefined)
      for (const [title, hours] of [
        ['In two weeks', 336],
        ['Tomorrow', 24],
      ] as const) {
        const { id } = await add(title, 'a')
        await ok(client.post(`/api/entries/${id}/status`, { action: 'publish', at: later(hours) }))
      }
      const thisMonth = await add('By midnight', 'a')
      await ok(client.post(`/api/entries/${thisMonth.id}/status`, { action: 'publish', at: midnight().toISOString() }))
      const live = await add('Live with changes', 'a')
      cover = await upload(editor, 'pier.png')
      await ok(client.put(`/api/entries/${live.id}`, { data: { cover } }))
      await ok(owner.client.put('/api/settings', { logoId: cover }))
      await ok(client.post(`/api/entries/${live.id}/status`, { action: 'publish' }))
      await ok(client.put(`/api/entries/${live.id}`, { data: { summary: 'b' }, mode: 'draft' }))
      await enterAs(visit, service, editor, '/')
      await page.getByRole('region', { name: 'Scheduled' }).waitFor()
      await page.getByRole('link', { name: 'The harbour' }).locator('img').waitFor({ state: 'attached' })
      assert.equal(await page.getByRole('link', { name: /^View site/ }).getAttribute('href'), 'https://harbour.example')
      assert.deepEqual(await groups(page), ['Not published on time', 'Your drafts', 'Scheduled', 'Unpublished changes'])
      const scheduled = page.getByRole('region', { name: 'Scheduled' }).getByRole('link')
      assert.match((await scheduled.allInnerTexts()).join(), /Tomorrow.*In two weeks/s)
      const activity = page.getByRole('region', { name: 'Recent activity' })
      await activity.getByText('Live with changes').first().waitFor()
      await activity.locator('[data-initials=E]').first().waitFor()
      await activity.getByText('created 5 entries').waitFor()
      const recent = page.getByRole('region', { name: 'Recently edited' }).getByRole('link')
      const changed = recent.filter({ hasText: /Live with changes\s*Live, changed/ })
      await changed.locator('img[src*="pier.png"]').waitFor()
      const schedule = page.getByRole('region', { name: 'Schedule', exact: true })
      await schedule.getByRole('button', { name: /, 1 scheduled item$/ }).click()
      await schedule.getByRole('link', { name: /By midnight/ }).waitFor()
      await schedule.getByRole('button', { name: 'Next month' }).click()
      await schedule.getByText('Nothing scheduled this month').waitFor()
      assert.equal(await page.getByText('Get started').count(), 0)
      await look(visit, 'cms-dashboard')
      await isLargeEnough(page)
      await onPhoneInTheDark(visit, () => fits(visit, 'cms-dashboard-dark-390'))
      await page.getByRole('link', { name: 'New article' }).waitFor()
      await page
        .getByRole('region', { name: 'Not published on time' })
        .getByRole('link', { name: /Too early/ })
        .click()
      await page.waitForURL(new RegExp(`content/article/${failing.id}`))
    },

    'the command palette finds screens, entries by any word and acts; what was opened last comes first': async (
      visit,
    ) => {
      const { page } = visit
      const data = { summary: 'rusty iron', cover }
      const { id } = await ok(editor.client.post('/api/entries', { type: 'article', title: 'Anchors', data }))
      await goTo(page, '/')
      await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
      await page.keyboard.press('ControlOrMeta+k')
      const input = page.getByRole('combobox')
      await input.fill('rusty')
      await page.getByRole('option', { name: /Anchors/, selected: true }).waitFor()
      await look(visit, 'cms-palette', 'dialog')
      await page.keyboard.press('Enter')
      await page.waitForURL(new RegExp(`content/article/${id}`))
      const title = page.getByLabel('Title', { exact: true })
      await title.waitFor()
      await isAcross(page.locator('main figure img'), title)
      await page.keyboard.press('ControlOrMeta+k')
      const here = page.getByRole('group', { name: '“Anchors”' })
      await here.getByRole('option', { name: 'Schedule…' }).waitFor()
      const acts = (await here.getByRole('option').allInnerTexts()).map((text) => text.split('\n')[0])
      assert.deepEqual(acts, ['Publish…', 'Schedule…', 'Preview', 'Duplicate', 'Show history', 'Move to trash'])
      await visit.shot('cms-palette-entry')
      await input.fill('schedule')
      await page.keyboard.press('Enter')
      await dialogOf(page).getByRole('radio', { name: 'Schedule for later' }).waitFor()
      assert.ok(await dialogOf(page).getByRole('radio', { name: 'Schedule for later' }).isChecked())
      await page.keyboard.press('Escape')
      await goTo(page, '/activity')
      await page.getByRole('heading', { name: 'Activity' }).waitFor()
      await page.getByText('created 6 entries').waitFor()
      await page.getByText('Show all 6').click()
      await page.getByRole('link', { name: '“Half written”' }).first().waitFor()
      await look(visit, 'cms-activity')
      await page.keyboard.press('ControlOrMeta+k')
      await page.getByRole('option').first().waitFor()
      assert.match(await page.getByRole('option').first().innerText(), /Anchors/)
      await input.fill('articles')
      await page.getByRole('option', { name: 'Articles', exact: true }).waitFor()
      await input.fill('new art')
      await page.getByRole('option', { name: 'New article', selected: true }).waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL(/content\/article\/new/)
    },
  })

  browserTest('an author sees own drafts and not more', {}, async (visit) => {
    const { page } = visit
    await ok(author.client.post('/api/entries', { type: 'article', title: 'A voyage' }))
    await enterAs(visit, service, author, '/')
    await page.getByRole('region', { name: 'Your drafts' }).waitFor()
    assert.deepEqual(await groups(page), ['Your drafts'])
    assert.equal(await page.getByRole('region', { name: 'Your drafts' }).getByRole('link').count(), 1)
    const mine = await navigationOf(page)
    assert.deepEqual(mine.slice(0, 6), ['Dashboard', 'Articles', 'Media', 'Social', 'Visitor assistant', 'Trash'])
    assert.ok(!mine.includes('Content types') && !mine.includes('Menus'))
  })

  browserTest('a viewer sees only what there is; a failed request offers to try again', {}, async (visit) => {
    const { page } = visit
    let broken = true
    await page.route('**/api/types?*', (route) =>
      broken ? route.fulfill({ status: 403, json: { error: 'not now', code: 'FORBIDDEN' } }) : route.continue(),
    )
    await enterAs(visit, service, viewer, '/')
    // Their signs need the types, too: they are asked for once more
    await page.getByRole('region', { name: 'Recently edited' }).getByRole('link').first().waitFor()
    await page.getByText("Couldn't load this").waitFor()
    broken = false
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByRole('region', { name: 'Content', exact: true }).getByText('Articles').waitFor()
    visit.expectProblem(/403/)
    assert.equal(await page.getByRole('region', { name: 'Needs attention' }).count(), 0)
    assert.equal(await page.getByRole('link', { name: 'New article' }).count(), 0)
    assert.equal(await page.getByText(/Website/).count(), 0)
  })
})
