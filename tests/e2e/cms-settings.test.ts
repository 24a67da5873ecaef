import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { browserTest } from '../lib/browser.ts'
import { type CmsService, type Person, startCms } from '../lib/cms.ts'
import { enterAs, goTo } from './cms-page.ts'
import { journey } from './journey.ts'
import { chooseFor, confirm, fits, look } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

let service: CmsService
let owner: Person
let admin: Person
let editor: Person
before(async () => {
  service = await startCms()
  owner = await service.claim()
  admin = await service.person('admin', { name: 'Ada Admin' })
  editor = await service.person('editor', { name: 'Edda Editor' })
})
after(() => service.close())

describe('taxonomies', () => {
  browserTest('a set is made, its terms are nested, moved with the keyboard and deleted', {}, async (visit) => {
    const { page } = visit
    const tree = async () => {
      const { terms } = (await editor.client.get('/api/taxonomies/topics')).body
      const nameOf = (id: string | null) => terms.find((term: { id: string }) => term.id === id)?.name ?? ''
      return terms.map((term: { name: string; parentId: string | null }) => `${nameOf(term.parentId)}/${term.name}`)
    }
    const addTerm = async (name: string) => {
      await page.getByRole('button', { name: 'New term' }).first().click()
      await page.getByLabel('Name', { exact: true }).fill(name)
      await page.getByRole('button', { name: 'Add term' }).click()
      await page.getByRole('button', { name: `Actions for ${name}` }).waitFor()
    }
    await enterAs(visit, service, editor, '/taxonomies')
    await page.getByText('No taxonomies yet').waitFor()
    await page.getByRole('button', { name: 'New taxonomy' }).first().click()
    await page.getByLabel('Label').fill('Topics')
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'topics')
    await page.getByRole('button', { name: 'Create taxonomy' }).click()
    await page.getByText('No terms yet').waitFor()
    for (const name of ['Sea', 'Harbour', 'Boats']) await addTerm(name)
    await page.getByRole('button', { name: 'Move Boats up' }).press('Enter')
    await page.waitForFunction(() => /Sea.*Boats.*Harbour/s.test(document.querySelector('main ul')?.textContent ?? ''))
    assert.deepEqual(await tree(), ['/Sea', '/Boats', '/Harbour'])
    await chooseFor(page, 'Boats', 'Nest under previous')
    await page.getByText('Level 2:').waitFor({ state: 'attached' })
    await chooseFor(page, 'Boats', 'Add sub-term')
    await page.getByLabel('Name', { exact: true }).fill('Sailing boats')
    await page.getByRole('button', { name: 'Add term' }).click()
    await page.getByRole('button', { name: 'Actions for Sailing boats' }).waitFor()
    assert.deepEqual(await tree(), ['/Sea', 'Sea/Boats', 'Boats/Sailing boats', '/Harbour'])
    await look(visit, 'cms-taxonomy')
    await chooseFor(page, 'Harbour', 'Edit')
    await page.getByLabel('Slug').fill('sea')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
    await page.getByLabel('Slug').fill('port')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('port', { exact: true }).waitFor()
    await chooseFor(page, 'Boats', 'Delete')
    await page.getByText('1 child term moves up one level.').waitFor()
    await confirm(page, 'Delete term')
    await page.getByRole('button', { name: 'Actions for Boats' }).waitFor({ state: 'detached' })
    assert.deepEqual(await tree(), ['/Sea', 'Sea/Sailing boats', '/Harbour'])
    visit.expectProblem(/409/)
  })
})

describe('settings and activity', () => {
  journey('of an admin', {
    'only what was changed is saved; mistakes are shown at the input': async (visit) => {
      const { page } = visit
      const read = async () => (await admin.client.get('/api/settings')).body
      await enterAs(visit, service, admin, '/settings')
      await page.getByLabel('Title').fill('The harbour')
      await page.getByLabel('Website URL').fill('harbour')
      await page.getByLabel('Add language').fill('DE-at')
      await page.getByLabel('Add language').press('Enter')
      await page.getByText('Austrian German').first().waitFor()
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByText(/Must be a URL/).waitFor()
      await look(visit, 'cms-settings')
      assert.equal((await read()).title, '')
      await page.getByLabel('Website URL').fill('https://www.example.com')
      await page.keyboard.press('ControlOrMeta+s')
      await page.getByText('Settings saved').waitFor()
      const saved = await read()
      assert.deepEqual(
        [saved.title, saved.url, saved.locales],
        ['The harbour', 'https://www.example.com', ['en', 'de-AT']],
      )

      await page.getByLabel('Days in the trash').fill('soon')
      await admin.client.put('/api/settings', { tagline: 'By the sea' })
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByText('Enter a whole number, or leave it empty.').waitFor()
      await page.getByLabel('Days in the trash').fill('30')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByRole('heading', { name: 'Ada Admin saved first' }).waitFor()
      await page.getByRole('button', { name: 'Overwrite with mine' }).click()
      await page.getByRole('button', { name: 'Save changes' }).waitFor({ state: 'detached' })
      assert.deepEqual([(await read()).trashDays, (await read()).tagline], [30, 'By the sea'])
      assert.equal(await page.getByLabel('Tagline').inputValue(), 'By the sea')
      visit.expectProblem(/40[09]/)
    },

    'a search finds settings by other words, too, and is in the address': async ({ page }) => {
      await page.getByRole('searchbox', { name: 'Search settings' }).fill('rate limit')
      await page.getByLabel('Title').waitFor({ state: 'detached' })
      await page.getByLabel('Requests per minute, per key').waitFor()
      await page.waitForURL(/q=rate/)
      await page.getByRole('searchbox', { name: 'Search settings' }).fill('zebra')
      await page.getByText('No settings found for “zebra”').waitFor()
      await page.getByRole('button', { name: 'Show all settings' }).click()
      await page.getByLabel('Title').waitFor()
    },

    'filters of the activity are in the address; things lead to their screens': async (visit) => {
      const { page } = visit
      await goTo(page, '/activity')
      await page.getByText('updated the settings').first().waitFor()
      await fits(visit, 'cms-activity')
      await page.getByLabel('All items').selectOption('term')
      await page.getByText('updated the settings').first().waitFor({ state: 'detached' })
      await page.waitForURL(/kind=term/)
      await page.getByText('deleted the term').waitFor()
      await page.getByLabel('Everyone').selectOption({ label: 'Me' })
      await page.getByText('No results').waitFor()
      await page.getByRole('button', { name: 'Clear search and filters' }).click()
      await page.getByRole('link', { name: '“Topics”' }).first().click()
      await page.getByRole('heading', { name: 'Taxonomies' }).waitFor()
    },

    'settings, terms and activity fit a phone in the dark': (visit) =>
      onPhoneInTheDark(visit, async () => {
        const { page } = visit
        await goTo(page, '/taxonomies/topics')
        await page.getByRole('button', { name: 'Actions for Sea', exact: true }).waitFor()
        await fits(visit, 'cms-taxonomy-dark-390')
        await goTo(page, '/activity')
        await page.getByText('updated the settings').first().waitFor()
        await fits(visit, 'cms-activity-dark-390')
        await goTo(page, '/settings')
        await page.getByLabel('Title').waitFor()
        await fits(visit, 'cms-settings-dark-390')
        await goTo(page, '/health')
        await page.getByText('Only an owner can open this page').waitFor()
      }),
  })

  browserTest('an owner sees how the server does and what to do, and checks again', {}, async (visit) => {
    const { page } = visit
    await enterAs(visit, service, owner, '/')
    await page.getByRole('link', { name: 'Health' }).click()
    await page.getByText('No backup yet.').waitFor()
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByText('Check finished').waitFor()
    await look(visit, 'cms-health')
    await onPhoneInTheDark(visit, () => fits(visit, 'cms-health-dark-390'))
  })

  browserTest('an author sees what happened to the content, and nothing of people', {}, async (visit) => {
    const { page } = visit
    const author = await service.person('author')
    await enterAs(visit, service, author, '/activity')
    await page.getByText('updated the settings').first().waitFor()
    const kinds = await page.getByLabel('All items').locator('option').allInnerTexts()
    assert.ok(kinds.includes('Entry') && !kinds.includes('Person'))
  })
})
