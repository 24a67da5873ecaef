import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { fits } from './cms-page.ts'
import { type ExampleSite, startExampleSite } from './example-site.ts'
import { journey } from './journey.ts'
import { look } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

const PAGES = [
  ['home', '/'],
  ['book', '/books/a-history-of-fog'],
  ['article', '/articles/a-morning-with-the-tide-charts'],
  ['event', '/events/bookbinding-for-beginners'],
  ['about', '/about'],
  ['search', '/search?q=sea'],
] as const

describe('the example site in a browser', () => {
  let site: ExampleSite
  before(async () => {
    site = await startExampleSite()
  })
  after(() => site.close())

  journey('every kind of page', {
    'is accessible and fits a desk by day and a phone at night': async (visit) => {
      for (const [name, path] of PAGES) {
        await visit.page.goto(site.url + path, { waitUntil: 'load' })
        assert.equal(await visit.page.locator('h1').count(), 1, path)
        await look(visit, `site-${name}-light`)
        // Its colours are few, and these pages have them all
        const isDark = name === 'home' || name === 'article'
        await onPhoneInTheDark(visit, () => (isDark ? look : fits)(visit, `site-${name}-phone-dark`))
      }
    },

    'links below another are reached by keyboard, and nothing on the page needs a script': async ({ page }) => {
      await page.goto(site.url)
      assert.equal(await page.locator('script').count(), 0)
      await page.keyboard.press('Tab')
      await page.getByRole('link', { name: 'Skip to content' }).press('Enter')
      assert.match(page.url(), /#content$/)
      await page.locator('.site-nav').getByRole('link', { name: 'About' }).focus()
      await page.locator('.site-nav').getByRole('link', { name: 'Book repairs' }).waitFor({ state: 'visible' })
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Book repairs' }).waitFor()
    },
  })
})
