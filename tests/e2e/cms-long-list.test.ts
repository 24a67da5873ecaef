import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import type { Page } from 'playwright-core'
import { type CmsService, type Person, startCms } from '../lib/cms.ts'
import { ok, showsRows } from './cms-list-site.ts'
import { enterAs, goTo } from './cms-page.ts'
import { journey } from './journey.ts'
import { fits } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

const ROWS = 10_000
const ROWS_SHOWN = 25
/** Of the whole page with one page of the list: it does not grow with the list. */
const MAX_ELEMENTS = 1200

let service: CmsService
let editor: Person

/** As saving them one by one would: the entries, their words for the search, their terms, their count. */
const seed = async (author: Person): Promise<void> => {
  const id = `('00000000-0000-7000-8004-' || lpad(to_hex(n), 12, '0'))::uuid`
  const at = `timestamptz '2026-01-01' + n * interval '1 second'`
  await service.cms.database.tx(async (tx) => {
    await tx.query({
      text: `insert into entry (id, type, slug, title, data, status, locale, author_id, version, live_version,
          live_updated_at, published_at, created_at, updated_at)
        select ${id}, 'post', 'post-' || n, 'Post number ' || n,
          jsonb_build_object('summary', 'A summary of the post ' || n, 'price', (n * 7919) % 10007),
          case when n % 10 = 0 then 'draft' else 'published' end, 'en', $2, 1,
          case when n % 10 = 0 then null else 1 end, case when n % 10 = 0 then null else ${at} end,
          case when n % 10 = 0 then null else ${at} end, ${at}, ${at}
        from generate_series(1, $1::bigint) n`,
      values: [ROWS, author.id],
    })
    await tx.query({
      text: `insert into entry_search (entry_id, full_document, words)
        select id, to_tsvector('simple', title), lower(title) || ' ' || slug from entry`,
    })
    await tx.query({
      text: `insert into entry_term (entry_id, term_id) select e.id, t.id from entry e, term t
        where e.data -> 'price' < to_jsonb(300)`,
    })
  })
  await service.cms.database.db.query({ text: 'analyze' })
}

before(async () => {
  service = await startCms()
  await service.claim()
  editor = await service.person('editor', { name: 'Edda Editor' })
  const admin = await service.person('admin')
  const fields = [
    { key: 'summary', type: 'text' },
    { key: 'price', type: 'number' },
  ]
  await ok(admin.client.post('/api/types', { name: 'post', label: 'Post', labelPlural: 'Posts', fields }))
  await ok(admin.client.post('/api/taxonomies', { name: 'topics', label: 'Topics' }))
  await ok(admin.client.post('/api/taxonomies/topics/terms', { name: 'Cheap' }))
  await seed(editor)
})
after(() => service.close())

const elements = (page: Page): Promise<number> => page.evaluate(() => document.querySelectorAll('*').length)
const first = (page: Page, title: string) =>
  page.waitForFunction((text) => document.querySelector('tbody tr')?.textContent?.includes(text), title)

describe('a list of 10,000 entries', () => {
  journey('is used like a short one', {
    'pages, sorts, filters and searches; the page stays as small as that of a short list': async (visit) => {
      const { page } = visit
      await enterAs(visit, service, editor, '/content/post')
      await first(page, 'Post number 10000')
      await page.getByText('1–25 of 10,000').waitFor()
      const small = await elements(page)
      assert.ok(small < MAX_ELEMENTS, `${small} elements`)

      for (let turn = 2; turn <= 4; turn += 1) {
        await page.getByRole('button', { name: 'Next page' }).click()
        await first(page, `Post number ${ROWS - (turn - 1) * ROWS_SHOWN}`)
      }
      await page.getByText('76–100 of 10,000').waitFor()
      assert.ok(Math.abs((await elements(page)) - small) < 100, 'the page grew with the pages that were turned')
      await goTo(page, '/content/post?page=400')
      await first(page, 'Post number 25')
      assert.equal(await page.getByRole('button', { name: 'Next page' }).getAttribute('aria-disabled'), 'true')

      await page.getByRole('button', { name: 'Title' }).click()
      await first(page, 'Post number 1')
      await page.getByText('1–25 of 10,000').waitFor()
      await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Drafts' }).click()
      await page.getByText('1–25 of 1,000').waitFor()
      await page.getByLabel('All terms').selectOption({ label: 'Cheap' })
      await page.getByText(/^1–\d+ of \d\d$/).waitFor()
      await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'All', exact: true }).click()
      await page.getByText('1–25 of 10,000').waitFor()
      await page.getByRole('searchbox').fill('number 7777')
      await first(page, 'Post number 7777')
      await showsRows(page, 1)
      await page.waitForURL(/q=number/)
    },

    'chosen rows stay chosen over pages and a refresh; a page can have a hundred': async ({ page }) => {
      await goTo(page, '/content/post')
      await first(page, 'Post number 10000')
      await page.getByLabel('Rows per page').selectOption('100')
      await showsRows(page, 100)
      await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
      await page.getByText('100 selected').waitFor()
      await page.getByRole('button', { name: 'Next page' }).click()
      await first(page, 'Post number 9900')
      await page.getByRole('checkbox', { name: 'Select Post number 9900' }).click()
      await page.getByText('101 selected').waitFor()
      const { body } = await editor.client.get('/api/entries?type=post&q=number 9900&limit=1')
      await ok(editor.client.put(`/api/entries/${body.items[0].id}`, { title: 'Renamed elsewhere', mode: 'live' }))
      await page.getByRole('button', { name: 'Previous page' }).click()
      await page.getByRole('link', { name: 'Renamed elsewhere' }).waitFor()
      await page.getByText('101 selected').waitFor()
    },

    'fits a phone': (visit) =>
      onPhoneInTheDark(visit, async () => {
        await goTo(visit.page, '/content/post?limit=25')
        await visit.page.getByText('1–25 of 10,000').waitFor()
        assert.ok((await elements(visit.page)) < MAX_ELEMENTS)
        await fits(visit, 'cms-long-list-390')
      }),
  })
})
