import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { SESSION_COOKIE } from '@stoa/cms/credentials.ts'
import type { FrameLocator, Page } from 'playwright-core'
import { browserTest, type Visit } from '../lib/browser.ts'
import { type ExampleSite, startExampleSite } from './example-site.ts'
import { until } from './page.ts'

describe('the site mode of the page editor', () => {
  let site: ExampleSite
  before(async () => {
    site = await startExampleSite()
  })
  after(() => site.close())

  const enter = async ({ context, page }: Visit, token = site.token): Promise<FrameLocator> => {
    await context.addCookies([{ name: SESSION_COOKIE, value: token, url: site.url }])
    await page.goto(`${site.url}/admin/edit/site`)
    const canvas = page.frameLocator('iframe:not([aria-hidden=true])')
    await page.getByRole('button', { name: 'Main menu' }).waitFor()
    return canvas
  }
  const publicPage = async (): Promise<string> => (await fetch(`${site.url}/`)).text()
  const api = async (path: string, method = 'GET', body?: object) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${site.token}` }
    const answer = await fetch(site.url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    assert.ok(answer.ok, `${method} ${path}: ${answer.status}`)
    return answer.status === 204 ? undefined : answer.json()
  }
  const panel = (page: Page) => page.getByRole('complementary', { name: 'Selection' })

  browserTest('a click on the name opens its settings, and a save shows on every page', {}, async (visit) => {
    const { page } = visit
    const canvas = await enter(visit)
    await canvas.locator('[data-cms-part=brand]').first().click()
    await panel(page).getByRole('heading', { name: 'Name and logo' }).waitFor()
    await panel(page).getByText('Appears on every page').waitFor()
    await panel(page).getByLabel('Title').fill('The Tide Bookshop')
    await visit.axe()
    await visit.shot('site-settings-part')
    await page.keyboard.press('ControlOrMeta+S')
    await page.getByText('Changes saved').waitFor()
    assert.match(await publicPage(), /The Tide Bookshop/)
    await canvas.locator('.site-name', { hasText: 'The Tide Bookshop' }).first().waitFor()
  })

  browserTest('a link is added to a menu, undone and redone', {}, async (visit) => {
    const { page } = visit
    await enter(visit)
    await page.getByRole('button', { name: 'Footer menu' }).click()
    await panel(page).getByRole('button', { name: 'Add link' }).click()
    await panel(page).getByLabel('Label').fill('Opening hours')
    await panel(page).getByLabel('Address').fill('/hours')
    await visit.shot('site-menu-part')
    await page.getByRole('button', { name: /^Undo/ }).click()
    await until(async () => (await panel(page).getByLabel('Address').inputValue()) === '', 'no address')
    await page.getByRole('button', { name: /^Redo/ }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Changes saved').waitFor()
    assert.match(await publicPage(), /href="\/hours"/)
  })

  browserTest('a change of an entry is seen as a draft, and public when it is published', {}, async (visit) => {
    const { page } = visit
    const canvas = await enter(visit)
    await page.getByRole('button', { name: 'Footer text' }).click()
    const note = panel(page).locator('[data-path=note]').locator('input, textarea')
    await note.fill('Open until the last tram')
    await canvas.locator('.footer-text', { hasText: 'Open until the last tram' }).waitFor()
    await visit.shot('site-entry-part')
    await panel(page).getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Changes saved').waitFor()
    await panel(page).getByText('Unpublished changes').waitFor()
    assert.doesNotMatch(await publicPage(), /last tram/)
    await panel(page).getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('Entry published').waitFor()
    assert.match(await publicPage(), /last tram/)
  })

  browserTest('the design is seen while it is typed, warned about, restored and saved', {}, async (visit) => {
    const { page } = visit
    const canvas = await enter(visit)
    await page.getByRole('button', { name: 'Colours' }).click()
    const ink = panel(page).getByLabel('Text', { exact: true })
    await ink.fill('#dddddd')
    await panel(page).getByText('Hard to read').waitFor()
    const shown = () => canvas.locator(':root').evaluate((root) => getComputedStyle(root).getPropertyValue('--ink'))
    await until(async () => (await shown()).trim() === '#dddddd', 'the colour on the page')
    await visit.axe()
    await visit.shot('site-design')
    await panel(page).getByRole('button', { name: 'Restore original: Text' }).click()
    await until(async () => (await shown()).trim() === '#13262e', 'the colour of the website')
    await panel(page).getByLabel('Accent', { exact: true }).fill('#0a5c5c')
    await panel(page).getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Changes saved').waitFor()
    assert.match(await (await fetch(`${site.url}/design.css`)).text(), /--accent: #0a5c5c/)
  })

  browserTest('what was not saved is offered after a reload, and gone once it is saved', {}, async (visit) => {
    const { page } = visit
    const canvas = await enter(visit)
    await page.getByRole('button', { name: 'Name and tagline' }).click()
    await panel(page).getByLabel('Tagline').fill('Nearly lost')
    await page.getByRole('button', { name: 'Colours' }).click()
    await panel(page).getByLabel('Accent', { exact: true }).fill('#123456')
    await until(async () => (await keptCopies(page)).includes('#123456'), 'both changes are kept in the browser')
    page.once('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await page.getByText('Something you changed here was not saved').waitFor()
    await page.getByText('Name and tagline and Colours').waitFor()
    await visit.axe()
    await visit.shot('site-recovery')
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await canvas.locator('.footer-tagline', { hasText: 'Nearly lost' }).waitFor()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Changes saved').waitFor()
    assert.equal((await api('/api/settings')).tagline, 'Nearly lost')
    assert.match(await (await fetch(`${site.url}/design.css`)).text(), /--accent: #123456/)
    await until(async () => (await keptCopies(page)) === '[]', 'nothing kept in the browser')
  })

  browserTest('a restored property stays restored until the website has rendered again', {}, async (visit) => {
    const { page } = visit
    await api('/api/design/colours', 'PUT', { set: { ink: '#333333' } })
    const [{ id: pattern }] = (await api('/api/media')).items
    await api('/api/design/hero', 'PUT', { set: { pattern } })
    const canvas = await enter(visit)
    const ink = async () =>
      (await canvas.locator(':root').evaluate((root) => getComputedStyle(root).getPropertyValue('--ink'))).trim()
    await until(async () => (await ink()) === '#333333', 'the saved colour')
    await page.getByRole('button', { name: 'Colours' }).click()
    await panel(page).getByRole('button', { name: 'Restore original: Text' }).click()
    await until(async () => (await ink()) === '#13262e', 'the colour of the website')
    const picture = () => canvas.locator('.hero').evaluate((hero) => getComputedStyle(hero).backgroundImage)
    assert.match(await picture(), new RegExp(pattern))
    await page.getByRole('button', { name: 'Welcome', exact: true }).click()
    await panel(page).getByRole('button', { name: 'Restore original: Picture behind the text' }).click()
    await until(async () => (await picture()) === 'none', 'what the website has behind the text')
    const rendered = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    await page.route(`${site.url}/`, async (route) => {
      asked.resolve()
      await rendered.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Save changes' }).click()
    await asked.promise
    assert.equal(await ink(), '#13262e', 'after the save, on the page from before it')
    assert.equal(await picture(), 'none')
    const old = await page.locator('iframe:visible').elementHandle()
    rendered.resolve()
    await until(async () => !(await old?.evaluate((frame) => frame.isConnected)), 'the next page')
    assert.equal(await ink(), '#13262e')
  })

  browserTest('what someone else saved is shown, and either side can be kept', {}, async (visit) => {
    const { page } = visit
    await enter(visit)
    await page.getByRole('button', { name: 'Name and tagline' }).click()
    await panel(page).getByLabel('Tagline').fill('Mine')
    await api('/api/settings', 'PUT', { tagline: 'Theirs' })
    await page.getByRole('button', { name: 'Save changes' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('Theirs', { exact: true }).waitFor()
    visit.expectProblem(/409/)
    await visit.shot('site-conflict')
    await dialog.getByRole('button', { name: 'Use mine' }).click()
    await page.getByText('Changes saved').waitFor()
    assert.equal((await api('/api/settings')).tagline, 'Mine')
  })

  browserTest('a menu with links below links is edited on the menus screen', {}, async (visit) => {
    const { page } = visit
    await enter(visit)
    await page.getByRole('button', { name: 'Main menu' }).click()
    await panel(page).getByRole('link', { name: 'Edit menu' }).click()
    await page.waitForURL(/\/admin\/menus\?menu=main$/)
    await page.getByRole('heading', { name: 'Main menu' }).waitFor()
  })

  browserTest('parts that a role may not edit are locked, with the reason', {}, async (visit) => {
    const { page, context } = visit
    const author = { email: 'author@example.test', password: 'nine lamps along the quay' }
    await api('/api/users', 'POST', { ...author, name: 'Ada', role: 'author' })
    await enter(visit, (await api('/api/auth/login', 'POST', author)).token)
    for (const [name, reason] of [
      ['Footer menu', 'can’t edit menus'],
      ['Name and logo', 'can’t change the site settings'],
      ['Footer text', 'Authors change drafts of their own'],
      ['Colours', 'can’t change the design'],
    ] as const) {
      await page.getByRole('button', { name }).click()
      await panel(page).getByText(reason).waitFor()
      assert.equal(await panel(page).getByRole('button', { name: 'Save', exact: true }).count(), 0, name)
    }
    assert.equal(await panel(page).getByLabel('Accent', { exact: true }).isEnabled(), false)
    await visit.axe()
    await visit.shot('site-locked')
    await context.clearCookies()
  })

  browserTest('the first save of a menu that nobody made makes it', {}, async (visit) => {
    const { page } = visit
    await api('/api/menus/footer', 'DELETE', {})
    await enter(visit)
    await page.getByRole('button', { name: 'Footer menu' }).click()
    await panel(page).getByText('These are the website’s own links').waitFor()
    await panel(page).getByRole('button', { name: 'Add link' }).click()
    await panel(page).getByLabel('Label').fill('Imprint')
    await panel(page).getByRole('button', { name: 'Save', exact: true }).click()
    await panel(page).getByText('Enter an address, or choose an entry.').waitFor()
    await panel(page).getByLabel('Address').fill('/imprint')
    await panel(page).getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Changes saved').waitFor()
    const { items } = await api('/api/menus/footer')
    assert.deepEqual(
      items.map(({ label, url }: { label: string; url: string }) => [label, url]),
      [
        ['Search', '/search'],
        ['Imprint', '/imprint'],
      ],
    )
    await panel(page).getByText('These are the website’s own links').waitFor({ state: 'detached' })
  })

  browserTest('nobody leaves with unsaved changes unasked', {}, async (visit) => {
    const { page } = visit
    await enter(visit)
    await page.getByRole('button', { name: 'Name and tagline' }).click()
    await panel(page).getByLabel('Tagline').fill('Not saved')
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    assert.equal(await panel(page).getByLabel('Tagline').inputValue(), 'Not saved')
    await page.keyboard.press('ControlOrMeta+Z')
    await page.getByText('Saved', { exact: true }).waitFor()
  })

  browserTest('a website of another origin is shown through the service', {}, async (visit) => {
    const { page } = visit
    await api('/api/settings', 'PUT', { url: site.url.replace('127.0.0.1', 'localhost') })
    const canvas = await enter(visit)
    await canvas.locator('[data-cms-part=footer-text]').click()
    await panel(page).locator('[data-path=note]').locator('input, textarea').fill('Seen from elsewhere')
    await canvas.locator('.footer-text', { hasText: 'Seen from elsewhere' }).waitFor()
    await page.getByRole('button', { name: /^Undo/ }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await api('/api/settings', 'PUT', { url: null })
  })

  browserTest('a part whose entry is missing says what to do', {}, async (visit) => {
    const { page } = visit
    const { items } = await api('/api/entries?type=footer')
    await api(`/api/entries/${items[0].id}`, 'DELETE', {})
    await enter(visit)
    await page.getByRole('button', { name: 'Footer text' }).click()
    await panel(page).getByText('Nothing to show yet').waitFor()
    await visit.shot('site-missing')
    await panel(page)
      .getByRole('link', { name: /^Create/ })
      .click()
    await page.waitForURL(/\/admin\/content\/footer/)
  })

  browserTest('on a phone parts are edited without the page', { phone: true, theme: 'dark' }, async (visit) => {
    const { page } = visit
    await enter(visit)
    await page.getByRole('button', { name: 'Name and logo' }).click()
    await panel(page).getByLabel('Title').waitFor()
    await visit.shot('site-phone')
  })
})

/** What unsaved work this browser keeps. */
const keptCopies = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      new Promise<string>((resolve, reject) => {
        const opening = indexedDB.open('stoa-cms')
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const kept = opening.result.transaction('unsaved').objectStore('unsaved').getAll()
          kept.onsuccess = () => {
            opening.result.close()
            resolve(JSON.stringify(kept.result))
          }
        }
      }),
  )
