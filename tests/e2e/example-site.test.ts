import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { until } from '@stoa/tests/lib/waiting.ts'
import { connectOllama, startFakeOllama } from '../lib/fake-ollama.ts'
import { type ExampleSite, startExampleSite } from './example-site.ts'
import { journey } from './journey.ts'
import { fits } from './page.ts'
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

  const put = async (path: string, body: unknown) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${site.token}` }
    const answer = await fetch(site.url + path, { method: 'PUT', headers, body: JSON.stringify(body) })
    return { status: answer.status, text: await answer.text() }
  }

  journey('every kind of page', {
    'is accessible and fits a desk by day and a phone at night': async (visit) => {
      for (const [name, path] of PAGES) {
        await visit.page.goto(site.url + path, { waitUntil: 'load' })
        assert.equal(await visit.page.locator('h1').count(), 1, path)
        await visit.axe()
        await fits(visit, `site-${name}-light`)
        await onPhoneInTheDark(visit, async () => {
          // Its colours are few, and these pages have them all
          if (name === 'home' || name === 'article') await visit.axe()
          await fits(visit, `site-${name}-phone-dark`)
        })
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

    'has the bubble of the visitor assistant once it is on, which answers from its pages': async (visit) => {
      const { page } = visit
      const ollama = await startFakeOllama()
      ollama.model(() => ({ text: 'Stand it up with its pages fanned, and change the paper every hour [1].' }))
      await connectOllama({ put }, ollama)
      const on = await put('/api/assistant/visitor', { enabled: true, origins: [site.url], types: ['article', 'page'] })
      assert.equal(on.status, 200, on.text)
      const bubble = page.locator('stoa-visitor-assistant')
      const isThere = async () => {
        await page.goto(`${site.url}/about`)
        return (await bubble.count()) > 0
      }
      await until(isThere, 'the site was notified that the assistant is on')
      await visit.shot('site-assistant-closed')
      await bubble.getByRole('button', { name: 'Ask a question' }).click()
      await page.keyboard.type('How do I dry a wet book?')
      await page.keyboard.press('Enter')
      const source = bubble.getByRole('link', { name: 'How to dry a wet book' })
      await source.waitFor()
      assert.equal(await source.getAttribute('href'), `${site.url}/articles/how-to-dry-a-wet-book`)
      await visit.shot('site-assistant')
      await ollama.close()
    },
  })
})
