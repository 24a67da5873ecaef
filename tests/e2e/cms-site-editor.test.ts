import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { SESSION_COOKIE } from '@stoa/cms/credentials.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import type { FrameLocator, Page } from 'playwright-core'
import { browserTest, type Visit } from '../lib/browser.ts'
import { keptCopies } from './cms-page.ts'
import { type ExampleSite, startExampleSite } from './example-site.ts'
import { journey } from './journey.ts'
import { onPhoneInTheDark } from './small-screen.ts'

describe('the site mode of the page editor', () => {
  let site: ExampleSite
  before(async () => {
    site = await startExampleSite()
  })
  after(() => site.close())

  const enter = async ({ context, page }: Visit, token = site.token): Promise<void> => {
    await context.addCookies([{ name: SESSION_COOKIE, value: token, url: site.url }])
    await page.goto(`${site.url}/admin/edit/site`)
    await part(page, 'Main menu').waitFor()
  }
  const publicPage = async (): Promise<string> => (await fetch(`${site.url}/`)).text()
  const api = async (path: string, method = 'GET', body?: object) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${site.token}` }
    const answer = await fetch(site.url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    assert.ok(answer.ok, `${method} ${path}: ${answer.status}`)
    return answer.status === 204 ? undefined : answer.json()
  }
  /** Comes back once everyone sees it. */
  const isPublic = (words: RegExp, path = '/') =>
    until(async () => words.test(await (await fetch(site.url + path)).text()), `${words} at ${path}`)
  const canvasOf = (page: Page): FrameLocator => page.frameLocator('iframe:not([aria-hidden=true])')
  /** A property of the design, as the page has it. */
  const property = (page: Page, name: string) =>
    canvasOf(page)
      .locator(':root')
      .evaluate((root, wanted) => getComputedStyle(root).getPropertyValue(wanted).trim(), `--${name}`)
  const isShown = (page: Page, name: string, value: string) =>
    until(async () => (await property(page, name)) === value, `${name} is ${value} on the page`)
  /** A part in the list of them; what is undone or locked has its name, too. */
  const part = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) })
  const panel = (page: Page) => page.getByRole('complementary', { name: 'Selection' })

  browserTest('parts that a role may not edit are locked, with the reason', {}, async (visit) => {
    const { page } = visit
    const author = { email: 'author@example.test', password: 'nine lamps along the quay' }
    await api('/api/users', 'POST', { ...author, name: 'Ada', role: 'author' })
    await enter(visit, (await api('/api/auth/login', 'POST', author)).token)
    for (const [name, reason] of [
      ['Footer menu', "can't edit menus"],
      ['Name and logo', "can't change the site settings"],
      ['Footer text', 'Authors can only edit their own drafts'],
      ['Colors', "can't change the design"],
    ] as const) {
      await part(page, name).click()
      await panel(page).getByText(reason).waitFor()
      assert.equal(await panel(page).getByRole('button', { name: 'Save', exact: true }).count(), 0, name)
    }
    assert.equal(await panel(page).getByLabel('Accent', { exact: true }).isEnabled(), false)
    await visit.shot('site-locked')
  })

  journey('changes the site', {
    'the design is seen while it is typed, warned about, and restored until the website has rendered again': async (
      visit,
    ) => {
      const { page } = visit
      await api('/api/design/colours', 'PUT', { set: { ink: '#333333' } })
      await enter(visit)
      await isShown(page, 'ink', '#333333')
      await part(page, 'Colors').click()
      await panel(page).getByLabel('Text', { exact: true }).fill('#dddddd')
      await panel(page).getByText('Hard to read').waitFor()
      await isShown(page, 'ink', '#dddddd')
      await visit.axe()
      await visit.shot('site-design')
      await panel(page).getByRole('button', { name: 'Restore original: Text' }).click()
      await isShown(page, 'ink', '#13262e')
      await panel(page).getByLabel('Accent', { exact: true }).fill('#0a5c5c')
      const rendered = Promise.withResolvers<void>()
      const asked = Promise.withResolvers<void>()
      await page.route(`${site.url}/`, async (route) => {
        asked.resolve()
        await rendered.promise
        await route.continue()
      })
      await page.getByRole('button', { name: 'Save changes' }).click()
      await asked.promise
      assert.equal(await property(page, 'ink'), '#13262e', 'after the save, on the page from before it')
      await isPublic(/--accent: #0a5c5c/, '/design.css')
      const old = await page.locator('iframe:visible').elementHandle()
      rendered.resolve()
      await until(async () => !(await old?.evaluate((frame) => frame.isConnected)), 'the next page')
      assert.equal(await property(page, 'ink'), '#13262e')
      await page.unroute(`${site.url}/`)
    },

    'a click on the name opens its settings, and a save shows on every page': async (visit) => {
      const { page } = visit
      await canvasOf(page).locator('[data-cms-part=brand]').first().click()
      await panel(page).getByRole('heading', { name: 'Name and logo' }).waitFor()
      await panel(page).getByText('Appears on every page').waitFor()
      await panel(page).getByLabel('Title').fill('The Tide Bookshop')
      await page.keyboard.press('ControlOrMeta+S')
      await isPublic(/The Tide Bookshop/)
      await canvasOf(page).locator('.site-name', { hasText: 'The Tide Bookshop' }).first().waitFor()
    },

    'a link is added to a menu': async ({ page, shot }) => {
      await part(page, 'Footer menu').click()
      await panel(page).getByRole('button', { name: 'Add link' }).click()
      await panel(page).getByLabel('Label').fill('Opening hours')
      await panel(page).getByLabel('URL').fill('/hours')
      await shot('site-menu-part')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await isPublic(/href="\/hours"/)
    },

    'a change of an entry is seen as a draft, and public when it is published': async ({ page, shot }) => {
      await part(page, 'Footer text').click()
      await panel(page).locator('[data-path=note]').locator('input, textarea').fill('Open until the last tram')
      await canvasOf(page).locator('.footer-text', { hasText: 'Open until the last tram' }).waitFor()
      await shot('site-entry-part')
      await panel(page).getByRole('button', { name: 'Save', exact: true }).click()
      await panel(page).getByText('Unpublished changes').waitFor()
      assert.doesNotMatch(await publicPage(), /last tram/)
      await panel(page).getByRole('button', { name: 'Publish', exact: true }).click()
      await isPublic(/last tram/)
    },

    'what someone else saved is shown, and either side can be kept': async (visit) => {
      const { page } = visit
      await part(page, 'Name and tagline').click()
      await panel(page).getByLabel('Tagline').fill('Mine')
      await api('/api/settings', 'PUT', { tagline: 'Theirs' })
      await page.getByRole('button', { name: 'Save changes' }).click()
      const dialog = page.getByRole('alertdialog')
      await dialog.getByText('Theirs', { exact: true }).waitFor()
      visit.expectProblem(/409/)
      await visit.shot('site-conflict')
      await dialog.getByRole('button', { name: 'Use mine' }).click()
      await until(async () => (await api('/api/settings')).tagline === 'Mine', 'mine at the service')
      await page.getByText('Saved', { exact: true }).waitFor()
    },

    'nobody leaves with unsaved changes unasked': async ({ page }) => {
      await panel(page).getByLabel('Tagline').fill('Not saved')
      await page.getByRole('link', { name: 'Dashboard' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
      assert.equal(await panel(page).getByLabel('Tagline').inputValue(), 'Not saved')
      await page.keyboard.press('ControlOrMeta+Z')
      await page.getByText('Saved', { exact: true }).waitFor()
    },

    'on a phone parts are edited without the page': (visit) =>
      onPhoneInTheDark(visit, async () => {
        await part(visit.page, 'Name and logo').click()
        await panel(visit.page).getByLabel('Title').waitFor()
        assert.equal(await visit.page.locator('iframe').count(), 0)
        await visit.shot('site-phone')
      }),

    'what was not saved is offered after a reload, and gone once it is saved': async (visit) => {
      const { page } = visit
      await part(page, 'Name and tagline').click()
      await panel(page).getByLabel('Tagline').fill('Nearly lost')
      await part(page, 'Colors').click()
      await panel(page).getByLabel('Accent', { exact: true }).fill('#123456')
      await until(async () => (await keptCopies(page)).includes('#123456'), 'both changes are kept in the browser')
      page.once('dialog', (dialog) => void dialog.accept())
      await page.reload()
      await page.getByText('You have unsaved changes from earlier').waitFor()
      await page.getByText('Name and tagline and Colors').waitFor()
      await visit.shot('site-recovery')
      await page.getByRole('button', { name: 'Restore', exact: true }).click()
      await canvasOf(page).locator('.footer-tagline', { hasText: 'Nearly lost' }).waitFor()
      await page.getByRole('button', { name: 'Save changes' }).click()
      await isPublic(/--accent: #123456/, '/design.css')
      await until(async () => (await api('/api/settings')).tagline === 'Nearly lost', 'the tagline at the service')
      await until(async () => (await keptCopies(page)) === '[]', 'nothing kept in the browser')
    },

    'a menu with links below links is edited on the menus screen': async ({ page }) => {
      await part(page, 'Main menu').click()
      const link = panel(page).getByRole('link', { name: 'Edit menu' })
      assert.match((await link.getAttribute('href')) ?? '', /\/admin\/menus\?menu=main$/)
    },
  })

  journey('of a website of another origin', {
    'it is shown through the service': async (visit) => {
      const { page } = visit
      await api('/api/settings', 'PUT', { url: site.url.replace('127.0.0.1', 'localhost') })
      await api('/api/menus/footer', 'DELETE', {})
      const [footer] = (await api('/api/entries?type=footer')).items
      await api(`/api/entries/${footer.id}`, 'DELETE', {})
      await enter(visit)
      await part(page, 'Name and tagline').click()
      await panel(page).getByLabel('Tagline').fill('Seen from elsewhere')
      await canvasOf(page).locator('.footer-tagline', { hasText: 'Seen from elsewhere' }).waitFor()
      await page.getByRole('button', { name: /^Undo/ }).click()
      await page.getByText('Saved', { exact: true }).waitFor()
    },

    'the first save of a menu that nobody made makes it': async ({ page }) => {
      await part(page, 'Footer menu').click()
      await panel(page).getByText("These are the website's own links").waitFor()
      await panel(page).getByRole('button', { name: 'Add link' }).click()
      await panel(page).getByLabel('Label').fill('Imprint')
      await panel(page).getByRole('button', { name: 'Save', exact: true }).click()
      await panel(page).getByText('Enter a URL, or choose an entry.').waitFor()
      await panel(page).getByLabel('URL').fill('/imprint')
      await panel(page).getByRole('button', { name: 'Save', exact: true }).click()
      await panel(page).getByText("These are the website's own links").waitFor({ state: 'detached' })
      const { items } = await api('/api/menus/footer')
      assert.deepEqual(
        items.map(({ label, url }: { label: string; url: string }) => [label, url]),
        [
          ['Search', '/search'],
          ['Imprint', '/imprint'],
        ],
      )
    },

    'a part whose entry is missing says what to do': async ({ page, shot }) => {
      await part(page, 'Footer text').click()
      await panel(page).getByText('Nothing to show yet').waitFor()
      await shot('site-missing')
      const create = panel(page).getByRole('link', { name: /^Create/ })
      assert.match((await create.getAttribute('href')) ?? '', /\/admin\/content\/footer/)
    },
  })
})
