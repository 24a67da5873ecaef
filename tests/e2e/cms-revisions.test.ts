import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { picture } from '@stoa/cms/content/media/testing/fixtures.ts'
import { visualDefinitions } from '@stoa/cms-model/visual.ts'
import { createTestClock } from '@stoa/kit/clock.ts'
import type { Locator, Page } from 'playwright-core'
import { type CmsService, type Person, startCms } from '../lib/cms.ts'
import { enterAs, goTo } from './cms-page.ts'
import { journey } from './journey.ts'
import { chooseFor, dialogOf, fits, look } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

const visual = visualDefinitions.parse({
  page: {
    sections: [
      { id: 'hero', label: 'Welcome', selector: '#hero', movable: false },
      { id: 'hours', label: 'Opening hours', selector: '#hours' },
      { id: 'news', label: 'Latest news', selector: '#news' },
      { id: 'team', label: 'Our team', selector: '#team' },
    ],
  },
})

let service: CmsService
let ana: Person
let viewer: Person
/** An entry with a value of every kind, and two states of it. */
let id: string

const upload = async (filename: string, blue: number): Promise<string> => {
  const form = new FormData()
  const bytes = await picture('png', 60, 60, { r: 200, g: 120, b: blue })
  form.set('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), filename)
  const answer = await fetch(`${service.url}/api/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ana.token}` },
    body: form,
  })
  assert.equal(answer.status, 201)
  const { id: made }: { id: string } = await answer.json()
  return made
}

const read = async (entryId = id) => (await ana.client.get(`/api/entries/${entryId}`)).body
const save = async (entryId: string, body: object): Promise<void> => {
  const { status, text } = await ana.client.put(`/api/entries/${entryId}`, body)
  assert.equal(status, 200, text)
}
const add = async (title: string, data: object = {}): Promise<string> => {
  const { status, body, text } = await ana.client.post('/api/entries', { type: 'page', title, data })
  assert.equal(status, 201, text)
  return body.id
}

const fields = [
  { key: 'body', type: 'richtext' },
  { key: 'notes', type: 'markdown' },
  {
    key: 'hours',
    type: 'list',
    fields: [
      { key: 'day', type: 'text' },
      { key: 'from', type: 'text' },
    ],
  },
  { key: 'hero', type: 'media' },
  { key: 'pictures', type: 'gallery' },
  { key: 'related', type: 'reference', to: 'page' },
  { key: 'price', type: 'number' },
  { key: 'accent', type: 'color' },
  { key: 'open', type: 'boolean' },
  { key: 'extra', type: 'json' },
  {
    key: 'season',
    type: 'select',
    options: [
      { value: 'su', label: 'Summer' },
      { value: 'wi', label: 'Winter' },
    ],
  },
]

before(async () => {
  service = await startCms({ clock: createTestClock(new Date()), visual })
  const owner = await service.claim()
  ana = await service.person('editor', { name: 'Ana Editor' })
  viewer = await service.person('viewer', { name: 'Vera Viewer' })
  const made = await owner.client.post('/api/types', { name: 'page', label: 'Page', fields })
  assert.equal(made.status, 201, made.text)
  const [first, second, third] = [
    await upload('harbour.png', 40),
    await upload('ferry.png', 160),
    await upload('pier.png', 250),
  ]
  const [north, south] = [await add('North pier'), await add('South pier')]
  id = await add('Opening hours', {
    body: '<h2>When we are open</h2><p>The harbour is open every day from six to nine.</p><p>Tickets are sold at the gate.</p><p>Dogs are welcome.</p><ul><li>Bring a coat</li></ul>',
    notes: '# Notes\n\nAsk the captain\nabout the tide',
    hours: [
      { day: 'Monday', from: '6:00' },
      { day: 'Sunday', from: '8:00' },
    ],
    hero: first,
    pictures: [first, second],
    related: [north],
    price: 4,
    accent: '#336699',
    open: false,
    extra: { gates: 2, lights: true },
    season: 'su',
  })
  service.clock.advance(60_000)
  await save(id, {
    title: 'Opening hours and tickets',
    data: {
      body: '<h2>When we are open</h2><p>The harbour is open every day from <strong>seven</strong> to nine.</p><p>Tickets are sold at the gate.</p><p>Dogs are welcome.</p><ul><li>Bring a coat</li><li>And a hat</li></ul>',
      notes: '# Notes\n\nAsk the captain\nabout the wind',
      hours: [
        { day: 'Sunday', from: '8:00' },
        { day: 'Monday', from: '7:00' },
        { day: 'Holidays', from: '9:00' },
      ],
      hero: second,
      pictures: [second, third],
      related: [north, south],
      price: 5,
      accent: '#993366',
      open: true,
      extra: { gates: 3, lights: true },
      season: 'wi',
      __layout: { order: ['team', 'hours', 'news'], hidden: ['news'] },
    },
  })
})
after(() => service.close())

const card = (page: Page, label: string) => page.getByRole('article', { name: label, exact: true })
const openHistory = (page: Page) => page.getByRole('list', { name: 'Versions' }).waitFor()

describe('the history of an entry', () => {
  journey('of an editor', {
    'shows what changed in the way of each field, and restores what is ticked': async (visit) => {
      const { page } = visit
      await enterAs(visit, service, ana, `/content/page/${id}?tab=history`)
      await openHistory(page)
      const changedText = async (label: string, kind: 'ins' | 'del') =>
        (await card(page, label).locator(kind).allInnerTexts()).join('|')
      await card(page, 'Title').waitFor()
      assert.equal((await changedText('Title', 'ins')).trim(), 'and tickets')
      assert.equal(await changedText('Body', 'del'), 'six')
      assert.match(await changedText('Body', 'ins'), /^seven\|And a hat$/)
      assert.equal(await card(page, 'Body').locator('ins strong').innerText(), 'seven')
      assert.deepEqual([await changedText('Notes', 'del'), await changedText('Notes', 'ins')], ['tide', 'wind'])
      await card(page, 'Hours').getByText('Row 3 added').waitFor()
      await card(page, 'Hours')
        .getByText(/moved to/)
        .waitFor()
      await card(page, 'Hero').getByText('ferry.png').waitFor()
      await card(page, 'Pictures').getByText('pier.png').waitFor()
      await card(page, 'Related').getByRole('link', { name: 'South pier' }).waitFor()
      assert.deepEqual([await changedText('Season', 'del'), await changedText('Season', 'ins')], ['Summer', 'Winter'])
      assert.deepEqual([await changedText('Open', 'del'), await changedText('Open', 'ins')], ['No', 'Yes'])
      const layouts = card(page, 'Layout').getByRole('list')
      const sectionsIn = async (layout: Locator) =>
        (await layout.getByRole('listitem').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim())
      await layouts.nth(1).waitFor()
      assert.deepEqual(await sectionsIn(layouts.nth(0)), ['Welcome', 'Opening hours', 'Latest news', 'Our team'])
      assert.deepEqual(await sectionsIn(layouts.nth(1)), [
        'Welcome',
        'Our team moved from 4',
        'Opening hours',
        'Latest news now hidden',
      ])
      await look(visit, 'cms-revisions')

      await card(page, 'Price').getByRole('checkbox', { name: 'Restore Price' }).check()
      await card(page, 'Season').getByRole('checkbox', { name: 'Restore Season' }).check()
      await page.getByText('2 fields selected').waitFor()
      await page.getByRole('button', { name: 'Restore selected' }).click()
      await dialogOf(page).getByRole('button', { name: 'Restore 2 fields' }).click()
      await page.getByText('Version 1 restored').waitFor()
      const { title, data } = await read()
      assert.deepEqual([title, data.price, data.season, data.open], ['Opening hours and tickets', 4, 'su', true])
      await page.getByText('Restored', { exact: true }).waitFor()
      await card(page, 'Price').waitFor({ state: 'detached' })
    },

    'fits a phone in the dark': (visit) =>
      onPhoneInTheDark(visit, async () => {
        const { page } = visit
        await page.getByRole('button', { name: /Version 1/ }).click()
        await card(page, 'Body').waitFor()
        await card(page, 'Hero').getByText('ferry.png').waitFor()
        await fits(visit, 'cms-revisions-dark-390')
      }),

    'of a live entry is restored, and waits to be published': async (visit) => {
      const { page } = visit
      const entryId = await add('Was', { price: 1 })
      await save(entryId, { title: 'Is', data: { price: 2 } })
      await ana.client.post(`/api/entries/${entryId}/status`, { action: 'publish' })
      await goTo(page, `/content/page/${entryId}?tab=history`)
      await page.getByRole('button', { name: /Version 3/ }).waitFor()
      await page.getByRole('button', { name: /Version 1/ }).click()
      await card(page, 'Price').waitFor()
      await page.getByRole('button', { name: 'Restore whole version' }).click()
      await dialogOf(page).getByLabel('Publish now').waitFor()
      await dialogOf(page).getByLabel('Keep as unpublished changes').check()
      await look(visit, 'cms-revisions-restore', 'dialog')
      await dialogOf(page).getByRole('button', { name: 'Restore version' }).click()
      await dialogOf(page).waitFor({ state: 'detached' })
      const waiting = await read(entryId)
      assert.deepEqual([waiting.pending, waiting.title, waiting.live.title], [true, 'Was', 'Is'])
    },

    'is not restored over what someone else saved meanwhile without a word': async (visit) => {
      const { page } = visit
      const entryId = await add('Mine')
      await save(entryId, { title: 'Mine, too' })
      await goTo(page, `/content/page/${entryId}?tab=history`)
      await card(page, 'Title').locator('ins').getByText(', too').waitFor()
      await page.getByRole('button', { name: 'Restore whole version' }).click()
      await dialogOf(page).getByRole('button', { name: 'Restore version' }).waitFor()
      const { version } = await read(entryId)
      await service
        .person('editor', { name: 'Ben Editor' })
        .then(({ client }) => client.put(`/api/entries/${entryId}`, { title: 'Ben’s' }))
      // Even when the page was notified: the person was asked about the state before
      await page.getByText('Ben Editor').first().waitFor()
      await dialogOf(page).getByRole('button', { name: 'Restore version' }).click()
      await page.getByRole('heading', { name: 'Ben Editor saved first' }).waitFor()
      assert.equal((await read(entryId)).title, 'Ben’s')
      await page.getByRole('button', { name: 'Load theirs' }).click()
      await dialogOf(page).waitFor({ state: 'detached' })
      assert.equal((await read(entryId)).version, version + 1)
      visit.expectProblem(/409/)
    },

    'any two versions are compared, by an address that is shared with someone who only reads': async (visit) => {
      const { page } = visit
      const entryId = await add('One')
      for (const title of ['Two', 'Three', 'Four']) await save(entryId, { title })
      await goTo(page, `/content/page/${entryId}?tab=history`)
      await page.getByRole('button', { name: /Version 4/ }).waitFor()
      await page.getByRole('button', { name: /Version 2/ }).click()
      await page.getByText('From version 2 to the current draft').waitFor()
      const versions = page.getByLabel('Compare with')
      await versions.selectOption({
        label: (await versions.getByRole('option', { name: /Version 1 / }).innerText()).trim(),
      })
      await page.getByText('From version 1 to version 2').waitFor()
      const { pathname, search } = new URL(page.url())
      await enterAs(visit, service, viewer, `${pathname.replace('/admin', '')}${search}`)
      await page.getByText('From version 1 to version 2').waitFor()
      await card(page, 'Title').locator('ins').getByText('Two').waitFor()
      assert.equal(await card(page, 'Title').locator('del').innerText(), 'One')
      assert.equal(await page.getByRole('button', { name: /^Restore/ }).count(), 0)
      assert.equal(await page.getByRole('checkbox', { name: 'Restore Title' }).count(), 0)
      await page.getByText('You can view this history').waitFor()
    },
  })
})

describe('activity and keys', () => {
  journey('of an admin', {
    'what happened leads to what it happened to': async (visit) => {
      const { page } = visit
      const admin = await service.person('admin', { name: 'Ada Admin' })
      await enterAs(visit, service, admin, '/activity')
      await page.getByRole('main').getByRole('row').nth(1).waitFor()
      for (const group of await page.getByText(/^Show all/).all()) await group.click()
      const file = page.getByRole('link', { name: '“harbour.png”' }).first()
      assert.match((await file.getAttribute('href')) ?? '', /\/media\?id=/)
      await page.getByRole('link', { name: '“North pier”' }).first().click()
      await page.waitForURL(/\/content\/page\/[0-9a-f-]{36}$/)
    },

    'those who manage people revoke agent keys of others': async (visit) => {
      const { page } = visit
      const minted = await ana.client.post('/api/agent-keys', {
        name: 'Nightly import',
        grants: ['content.write'],
        password: 'seven lanterns in the harbour',
      })
      assert.equal(minted.status, 201, minted.text)
      await goTo(page, '/people?tab=agent-keys')
      await page
        .getByRole('row', { name: /Nightly import/ })
        .getByText('Ana Editor')
        .waitFor()
      await look(visit, 'cms-people-agent-keys')
      await chooseFor(page, 'Nightly import', 'Revoke')
      await page.getByText('Revoke “Nightly import” of Ana Editor?').waitFor()
      await dialogOf(page).getByRole('button', { name: 'Revoke key' }).click()
      await page.getByText('Revoked', { exact: true }).waitFor()
      assert.equal((await service.client({ token: minted.body.key }).get('/api/auth/me')).status, 401)
    },
  })
})
