import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { browserTest, type Visit, type VisitOptions } from '../lib/browser.ts'
import { type ExampleSite, startExampleSite } from './example-site.ts'

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

  const lookAt = async (visit: Visit, suffix: string): Promise<void> => {
    for (const [name, path] of PAGES) {
      await visit.page.goto(site.url + path, { waitUntil: 'load' })
      const width = await visit.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      assert.equal(width, 0, `${path} is wider than the window`)
      assert.equal(await visit.page.locator('h1').count(), 1, path)
      await visit.axe()
      await visit.shot(`site-${name}${suffix}`, { fullPage: true })
    }
  }
  const looks: [string, VisitOptions][] = [
    ['in the light', {}],
    ['in the dark', { theme: 'dark' }],
    ['on a phone', { phone: true }],
  ]
  for (const [look, options] of looks)
    browserTest(`every kind of page is accessible and fits ${look}`, options, (visit) =>
      lookAt(visit, `-${look.split(' ').at(-1)}`),
    )

  browserTest(
    'links below another are reached by keyboard, and nothing on the page needs a script',
    {},
    async (visit) => {
      const { page } = visit
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
  )
})
