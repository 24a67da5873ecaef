import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { browserTest } from '../lib/browser.ts'
import { addArticle, confirmOnly, type ListSite, ok, showsRows, startListSite, titlesOf } from './cms-list-site.ts'
import { enterAs, navigationOf } from './cms-page.ts'
import { chooseFor, confirm, dialogOf, look } from './page.ts'

let site: ListSite
before(async () => {
  site = await startListSite()
})
after(() => site.service.close())

describe('the list of a type', () => {
  browserTest('is reached by the navigation and shows what each entry is', {}, async (visit) => {
    const { page } = visit
    await enterAs(visit, site.service, site.editor, '/')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Articles' }).click()
    await page.getByRole('link', { name: 'The lighthouse at night' }).waitFor()
    await showsRows(page, 5)
    await page.getByText('Unpublished changes', { exact: true }).last().waitFor()
    await page.getByText(/Goes live/).waitFor()
    await page.getByText('Calm sea').first().waitFor()
    assert.equal(await page.locator('nav[aria-label=Main] [aria-current=page]').innerText(), 'Articles')
    await look(visit, 'cms-list')
  })

  browserTest('filters, search and order are in the address and survive a reload', {}, async (visit) => {
    const { page } = visit
    await enterAs(visit, site.service, site.editor, '/content/article')
    await showsRows(page, 5)
    const views = page.getByRole('navigation', { name: 'Views' })
    await views.getByRole('link', { name: 'Unpublished changes' }).click()
    await showsRows(page, 1)
    await views.getByRole('link', { name: 'Scheduled' }).click()
    await page.getByRole('link', { name: 'High tide' }).waitFor()
    await showsRows(page, 1)
    await views.getByRole('link', { name: 'All', exact: true }).click()
    await showsRows(page, 5)
    await page.getByLabel('All terms').selectOption({ label: 'Sea' })
    await showsRows(page, 1)
    assert.match(decodeURIComponent(page.url()), /term=topics:sea/)
    await page.getByLabel('All terms').selectOption('')
    await page.getByLabel('All authors').selectOption({ label: 'Aron Author' })
    await showsRows(page, 1)
    await page.reload()
    await page.getByRole('link', { name: 'My first voyage' }).waitFor()
    await showsRows(page, 1)
    await page.getByLabel('All authors').selectOption('')
    await showsRows(page, 5)
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Articles' }).click()
    await page.keyboard.press('/')
    await page.keyboard.type('market')
    await showsRows(page, 1)
    await page.getByRole('button', { name: 'Clear search' }).click()
    await showsRows(page, 5)
    await page.getByRole('button', { name: 'Title' }).click()
    await page.waitForURL(/sort=title/)
    await page.waitForFunction(() => /Fish market/.test(document.querySelector('tbody tr')?.textContent ?? ''))
    await page.getByRole('searchbox').fill('nothing like this')
    await page.getByText('Nothing matches').waitFor()
    await page.getByRole('button', { name: 'Clear search and filters' }).click()
    await showsRows(page, 5)
  })

  browserTest('a filter is saved under a name, shared as an address, and deleted with undo', {}, async (visit) => {
    const { page } = visit
    await enterAs(visit, site.service, site.editor, '/content/article?author=me&status=draft&sort=title')
    await showsRows(page, 2)
    await page.getByRole('button', { name: 'Save view' }).click()
    await dialogOf(page).getByRole('button', { name: 'Save view' }).click()
    await page.getByText('Enter a name.').waitFor()
    await page.getByLabel('Name').fill('To finish')
    await confirm(page, 'Save view')
    const saved = page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'To finish' })
    assert.equal(await saved.getAttribute('aria-current'), 'page')
    await page.goto(`${site.service.url}/admin/content/article`)
    await showsRows(page, 5)
    await saved.click()
    await showsRows(page, 2)
    assert.match(page.url(), /author=me/)
    await page.getByRole('button', { name: 'This view' }).click()
    await page.getByRole('menuitem', { name: 'Delete the view “To finish”' }).click()
    await saved.waitFor({ state: 'detached' })
    await showsRows(page, 5)
    await page.getByRole('button', { name: 'Undo' }).click()
    await saved.waitFor()
  })

  browserTest('columns are chosen per type and kept', {}, async (visit) => {
    const { page } = visit
    await enterAs(visit, site.service, site.editor, '/content/article')
    await showsRows(page, 5)
    await page.getByRole('button', { name: 'Columns' }).click()
    for (const name of ['Accent', 'New', 'Related', 'Terms']) await page.getByRole('menuitemcheckbox', { name }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Mood' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader', { name: 'Mood' }).waitFor({ state: 'detached' })
    await page.getByText('#2244aa').first().waitFor()
    await page.getByRole('link', { name: 'The lighthouse at night' }).nth(1).waitFor()
    await look(visit, 'cms-list-columns')
    const { items } = await ok(site.editor.client.get('/api/entries?type=article&sort=title'))
    const [fish, tide, , , draft] = items.map(({ id }: { id: string }) => id)
    await ok(site.editor.client.put(`/api/entries/${draft}`, { data: { related: [fish, tide] } }))
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname + new URL(request.url()).search))
    await page.reload()
    await page.getByRole('columnheader', { name: 'Accent' }).waitFor()
    for (const name of ['Fish market', 'High tide', 'The lighthouse at night'])
      await page.getByRole('link', { name }).nth(1).waitFor()
    assert.equal(asked.filter((path) => path.startsWith('/api/entries?ids=')).length, 1)
    assert.deepEqual(
      asked.filter((path) => path.startsWith('/api/entries/')),
      [],
    )
    assert.equal(await page.getByRole('columnheader', { name: 'Mood' }).count(), 0)
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitem', { name: 'Back to the usual columns' }).click()
    await page.getByRole('columnheader', { name: 'Mood' }).waitFor()
  })

  browserTest('one entry is published, unpublished, copied and deleted from its row, with undo', {}, async (visit) => {
    const { page } = visit
    const made = await addArticle(site.editor.client, { title: 'Row work', data: { summary: 's' } })
    const read = async () => (await site.editor.client.get(`/api/entries/${made.id}`)).body
    const done = (text: string) => page.getByText(text).waitFor()
    await enterAs(visit, site.service, site.editor, '/content/article')
    await chooseFor(page, 'Row work', 'Publish')
    await done('“Row work” is live')
    assert.equal((await read()).status, 'published')
    await chooseFor(page, 'Row work', 'Unpublish')
    await done('“Row work” is a draft again')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.waitForFunction(() =>
      [...document.querySelectorAll('tbody tr')].some((row) => /Row work.*Published/.test(row.textContent ?? '')),
    )
    await chooseFor(page, 'Row work', 'Move to trash')
    await done('“Row work” is in the trash')
    assert.deepEqual(await titlesOf(site.editor, '&q=row'), [])
    await page.getByRole('link', { name: 'Row work' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'Row work' }).waitFor()
    await page.waitForFunction(() =>
      [...document.querySelectorAll('tbody tr')].some((row) => /Row work.*Published/.test(row.textContent ?? '')),
    )
    await addArticle(site.editor.client, { title: 'Row guide', data: { related: [made.id] } })
    await chooseFor(page, 'Row work', 'Move to trash')
    await dialogOf(page)
      .getByText(/It goes off the website at once. It is used in 1 place: “Row guide”./)
      .waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    assert.equal((await read()).deletedAt, null)
    await chooseFor(page, 'Row work', 'Duplicate')
    await done('is a new draft of yours')
    assert.equal((await titlesOf(site.editor, '&q=row')).length, 3)
    await chooseFor(page, 'Without a summary', 'Publish')
    await done('“Without a summary” is not published')
    await page.getByText(/summary: /).waitFor()
    for (const { id } of (await ok(site.editor.client.get('/api/entries?type=article&q=row'))).items)
      await site.editor.client.delete(`/api/entries/${id}`)
    visit.expectProblem(/40[049]/)
  })
})

describe('who may do what', () => {
  browserTest('an author acts on own drafts only; a viewer reads', {}, async (visit) => {
    const { page } = visit
    const itemsFor = async (row: string) => {
      await page.getByRole('button', { name: `Actions for ${row}` }).click()
      await page.getByRole('menuitem').first().waitFor()
      const names = await page.getByRole('menuitem').allInnerTexts()
      await page.keyboard.press('Escape')
      await page.getByRole('menuitem').first().waitFor({ state: 'detached' })
      return names
    }
    await enterAs(visit, site.service, site.author, '/content/article?sort=title')
    await page.getByRole('link', { name: 'My first voyage' }).waitFor()
    assert.deepEqual(await itemsFor('My first voyage'), ['Edit', 'Duplicate', 'Move to trash'])
    assert.deepEqual(await itemsFor('Fish market'), ['Open', 'View on the website', 'Duplicate'])
    await page.getByRole('checkbox', { name: 'Select Fish market' }).click()
    assert.equal(await page.getByRole('button', { name: 'Publish', exact: true }).count(), 0)
    await page.getByRole('button', { name: 'Trash', exact: true }).click()
    await confirmOnly(page, 'Move to trash')
    await page.getByText('You can change drafts of your own only.').waitFor()
    assert.ok((await titlesOf(site.author)).includes('Fish market'))
    await page.context().clearCookies()
    await enterAs(visit, site.service, site.viewer, '/content/article?sort=title')
    await page.getByRole('link', { name: 'Fish market' }).waitFor()
    assert.deepEqual(await itemsFor('Fish market'), ['Open', 'View on the website'])
    assert.equal(await page.getByRole('checkbox').count(), 0)
    assert.equal(await page.getByRole('link', { name: 'New article' }).count(), 0)
    assert.ok(!(await navigationOf(page)).includes('Trash'))
  })

  browserTest('the list fits a phone in the dark', { theme: 'dark', phone: true }, async (visit) => {
    const { page } = visit
    await enterAs(visit, site.service, site.editor, '/content/article')
    await page.getByRole('link', { name: 'High tide' }).waitFor()
    await look(visit, 'cms-list-dark-390')
  })

  browserTest('keys walk over the rows and begin an entry; an empty type offers the first', {}, async (visit) => {
    const { page } = visit
    await ok(site.admin.client.post('/api/types', { name: 'boat', label: 'Boat', labelPlural: 'Boats' }))
    await enterAs(visit, site.service, site.editor, '/content/article?sort=title')
    await page.getByRole('link', { name: 'Fish market' }).waitFor()
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await page.keyboard.press('j')
    assert.equal(await focused(), 'Fish market')
    await page.keyboard.press('j')
    assert.equal(await focused(), 'High tide')
    await page.keyboard.press('k')
    await page.keyboard.press('x')
    await page.getByText('1 selected').waitFor()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Boats' }).click()
    await page.getByText('No boats yet').waitFor()
    await look(visit, 'cms-list-empty')
    await page.keyboard.press('n')
    await page.waitForURL(/content\/boat\/new/)
  })
})
