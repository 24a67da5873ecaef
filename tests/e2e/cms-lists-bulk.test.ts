import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { browserTest } from '../lib/browser.ts'
import { addArticle, confirmOnly, type ListSite, ok, showsRows, startListSite, titlesOf } from './cms-list-site.ts'
import { enterAs, goTo } from './cms-page.ts'
import { journey } from './journey.ts'
import { chooseFor, confirm, dialogOf, fits, look } from './page.ts'

let site: ListSite
before(async () => {
  site = await startListSite()
})
after(() => site.service.close())

let logs = 10
const addLog = (data: object) => addArticle(site.editor.client, { title: `Log ${logs++}`, data })

describe('many entries at once', () => {
  journey('of an editor', {
    'a range is chosen with shift; each result can be read, what failed stays chosen': async (visit) => {
      const { page } = visit
      for (const data of [{ summary: 's' }, {}, { summary: 's' }]) await addLog(data)
      await enterAs(visit, site.service, site.editor, '/content/article?q=Log&sort=title&limit=50')
      await showsRows(page, 3)
      await page.getByRole('checkbox', { name: 'Select Log 10' }).click()
      await page.getByRole('checkbox', { name: 'Select Log 12' }).click({ modifiers: ['Shift'] })
      await page.getByText('3 selected').waitFor()
      await page.getByRole('button', { name: 'Publish', exact: true }).click()
      await page.getByText('Publish 3 entries?').waitFor()
      await confirmOnly(page, 'Publish')
      await page.getByText('2 entries published, 1 entry failed.').waitFor()
      await dialogOf(page).getByRole('link', { name: 'Log 11' }).waitFor()
      await look(visit, 'cms-list-bulk', 'dialog')
      await dialogOf(page).getByRole('button', { name: 'Close' }).last().click()
      await page.getByText('1 selected').waitFor()
      assert.deepEqual(await titlesOf(site.editor, '&status=published&q=Log'), ['Log 10', 'Log 12'])
      await page.getByRole('button', { name: 'View details' }).click()
      await dialogOf(page).getByRole('link', { name: 'Log 11' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Clear selection' }).click()

      await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
      await page.getByRole('button', { name: 'Set terms' }).click()
      await dialogOf(page).getByLabel('Boats').check()
      await dialogOf(page).getByRole('button', { name: 'Set terms' }).click()
      await page.getByText('3 entries updated').waitFor()
      const { meta } = await ok(site.editor.client.get('/api/entries?type=article&term=topics:boats'))
      assert.equal(meta.total, 3)

      await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
      await page.getByRole('button', { name: 'Trash', exact: true }).click()
      await confirmOnly(page, 'Move to trash')
      await page.getByText('3 entries moved to the trash').waitFor()
      await page.getByText('No results').waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('3 entries restored').waitFor()
      await showsRows(page, 3)
    },

    'a cancel takes effect between two requests': async ({ page }) => {
      // More than one request takes
      await Promise.all(Array.from({ length: 18 }, () => addLog({})))
      await showsRows(page, 21)
      let requests = 0
      await page.route('**/api/entries/bulk', async (route) => {
        requests += 1
        if (requests === 1) await dialogOf(page).getByRole('button', { name: 'Cancel' }).click()
        await route.continue()
      })
      await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
      await page.getByRole('button', { name: 'Trash', exact: true }).click()
      await confirmOnly(page, 'Move to trash')
      await page.getByText('20 entries moved to the trash, 1 entry not tried.').waitFor()
      assert.equal(requests, 1)
      await page.unroute('**/api/entries/bulk')
      const { meta } = await ok(site.editor.client.get('/api/entries?type=article&q=Log'))
      assert.equal(meta.total, 1)
    },

    'the trash lists all types with who and when; restoring asks for another slug if need be': async (visit) => {
      const { page } = visit
      const { editor, admin } = site
      await ok(admin.client.put('/api/settings', { trashDays: 30 }))
      const old = await addArticle(editor.client, { title: 'Old harbour', data: { summary: 's' } })
      await ok(editor.client.delete(`/api/entries/${old.id}`))
      await addArticle(editor.client, { title: 'Old harbour' })
      await goTo(page, '/trash')
      await page.getByRole('searchbox', { name: 'Search trash' }).fill('old harb')
      await showsRows(page, 1)
      await page.getByText('kept for 30 days').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Empty trash' }).count(), 0)
      await look(visit, 'cms-trash')
      await chooseFor(page, 'Old harbour', 'Restore')
      await page.getByText('Another entry now uses the slug “old-harbour”.').waitFor()
      await dialogOf(page).getByLabel('Slug').fill('fish-market')
      await dialogOf(page).getByRole('button', { name: 'Restore' }).click()
      await page.getByText('This slug is also taken.').waitFor()
      await dialogOf(page).getByLabel('Slug').fill('older-harbour')
      await confirm(page, 'Restore')
      await page.getByText('“Old harbour” restored as a draft').waitFor()
      assert.equal((await ok(editor.client.get(`/api/entries/${old.id}`))).slug, 'older-harbour')
      await page.getByText('No results').waitFor()
      visit.expectProblem(/409/)
    },
  })
})

describe('the trash', () => {
  browserTest('many are restored; some are permanently deleted, and all by typing a word', {}, async (visit) => {
    const { page } = visit
    const { editor, admin } = site
    for (const title of ['Gone one', 'Gone two', 'Gone three']) {
      const { id } = await addArticle(editor.client, { title })
      await ok(editor.client.delete(`/api/entries/${id}`))
    }
    const left = async () => (await ok(admin.client.get('/api/trash'))).meta.total
    await enterAs(visit, site.service, admin, '/trash?q=gone')
    await showsRows(page, 3)
    await chooseFor(page, 'Gone one', 'Delete permanently')
    await page.getByText('The entry and its history are permanently deleted.').waitFor()
    await confirm(page, 'Delete permanently')
    await showsRows(page, 2)
    await page.getByRole('checkbox', { name: 'Select Gone two' }).click()
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await page.getByText('1 entry restored').waitFor()
    assert.deepEqual(await titlesOf(admin, '&q=gone'), ['Gone two'])
    await page.getByRole('checkbox', { name: 'Select Gone three' }).click()
    await page.getByRole('button', { name: 'Delete permanently' }).click()
    await confirmOnly(page, 'Delete permanently')
    await page.getByText('1 entry permanently deleted').waitFor()
    assert.equal(await left(), 20)
    await page.getByRole('button', { name: 'Empty trash' }).click()
    const empty = dialogOf(page).getByRole('button', { name: 'Empty trash' })
    assert.equal(await empty.getAttribute('aria-disabled'), 'true')
    await dialogOf(page).getByRole('textbox').fill('empty')
    await confirm(page, 'Empty trash')
    await page.getByText('No results').waitFor()
    assert.equal(await left(), 0)
    await page.getByRole('button', { name: 'Clear search and filters' }).click()
    await page.getByText('The trash is empty').first().waitFor()
  })

  browserTest(
    'an author finds own drafts only; it fits a phone in the dark',
    { theme: 'dark', phone: true },
    async (visit) => {
      const { page } = visit
      const { author, editor } = site
      for (const [client, title] of [
        [author.client, 'A draft of mine'],
        [editor.client, 'Not mine'],
      ] as const) {
        const { id } = await addArticle(client, { title })
        await ok(client.delete(`/api/entries/${id}`))
      }
      await enterAs(visit, site.service, author, '/trash')
      await page.getByText('A draft of mine').waitFor()
      assert.equal(await page.getByText('Not mine').count(), 0)
      await fits(visit, 'cms-trash-dark-390')
      await page.getByRole('button', { name: 'Actions for A draft of mine' }).click()
      await page.getByRole('menuitem').first().waitFor()
      assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), ['Restore'])
      await page.getByRole('menuitem', { name: 'Restore' }).click()
      await page.getByText('“A draft of mine” restored as a draft').waitFor()
    },
  )
})
