import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { type CmsService, type Person, startCms } from '../lib/cms.ts'
import { enterAs, goTo } from './cms-page.ts'
import { makeEntry, makeType, openField, readType } from './cms-type-page.ts'
import { journey } from './journey.ts'
import { chooseFor, dialogOf, look } from './page.ts'

let service: CmsService
let admin: Person
before(async () => {
  service = await startCms({ background: true })
  await service.claim()
  admin = await service.person('admin', { name: 'Ada Admin' })
})
after(() => service.close())

describe('changing a type', () => {
  journey('its fields and its address', {
    'mistakes are shown at their input, also inside of lists; leaving asks first': async (visit) => {
      const { page } = visit
      await makeType(admin, 'recipe', [{ key: 'steps', type: 'list', fields: [{ key: 'text', type: 'text' }] }])
      await enterAs(visit, service, admin, '/types/recipe')
      await openField(page, 'Steps')
      await page.getByRole('button', { name: /^Text Text/ }).click()
      const inner = page.getByRole('region', { name: 'Field Text' })
      await inner.getByLabel('Key').fill('step_text')
      await inner.getByText('Must be camelCase: stepText instead of step_text.').waitFor()
      await inner.getByText('Renames text. Its values move to the new key').waitFor()
      await inner.getByLabel('Key').fill('stepText')
      await inner.getByLabel('Maximum characters').fill('a lot')
      await inner.getByRole('button', { name: 'Close field' }).click()
      await page.keyboard.press('ControlOrMeta+s')
      await inner.getByText('Enter a number, or leave it empty.').waitFor()
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
      assert.equal(
        await inner.getByLabel('Maximum characters').evaluate((input) => input === document.activeElement),
        true,
      )
      await visit.shot('cms-type-problem')
      await page.getByRole('link', { name: 'Content types' }).first().click()
      await page.getByRole('heading', { name: 'Leave without saving?' }).waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await inner.getByLabel('Maximum characters').fill('')
      await page.getByRole('button', { name: 'Discard' }).click()
      await page.getByText('Unsaved changes').waitFor({ state: 'detached' })
      assert.equal((await readType(admin, 'recipe')).version, 1)
    },

    'what a change does to entries is read before it is saved': async (visit) => {
      const { page } = visit
      await makeType(admin, 'tool', [
        { key: 'price', type: 'text', label: 'Price' },
        { key: 'note', type: 'text', label: 'Note' },
        { key: 'code', type: 'text', label: 'Code' },
      ])
      await makeEntry(admin, 'tool', 'Hammer', { price: '12', note: 'Heavy', code: 'A-1' })
      await makeEntry(admin, 'tool', 'Saw', { price: 'a lot', code: 'A-1' })
      await goTo(page, '/types/tool')
      const price = await openField(page, 'Price')
      await price.getByLabel('Type').selectOption('number')
      await chooseFor(page, 'Note', 'Remove')
      await page.getByText('Note will be removed when you save').waitFor()
      await page.keyboard.press('ControlOrMeta+s')
      const review = page.getByRole('alertdialog')
      await review.getByText('“Note” is removed').waitFor()
      await review.getByText('1 entry has a value for it. Its values are kept').waitFor()
      await review.getByText('“Price” changes from text to number').waitFor()
      await review.getByText("The value in 2 entries isn't valid").waitFor()
      await look(visit, 'cms-type-review', 'dialog')
      await review.getByRole('button', { name: 'Keep editing' }).click()
      assert.equal((await readType(admin, 'tool')).version, 1)
      await page.getByRole('button', { name: 'Restore' }).click()
      await page.keyboard.press('ControlOrMeta+s')
      await review.getByRole('button', { name: 'Save changes' }).click()
      await page.getByText('“Tool” saved').waitFor()
      const { version, fields } = await readType(admin, 'tool')
      assert.deepEqual([version, fields[0].type, fields.length], [2, 'number', 3])

      const code = await openField(page, 'Code')
      await code.getByLabel('Unique').check()
      await page.getByRole('button', { name: 'Save changes' }).first().click()
      await review.getByText("“Code” can't be made unique yet").waitFor()
      await review.getByRole('button', { name: 'Save changes' }).click()
      await code.getByText('Some entries share a value. Change them first.').waitFor()
      const shared = page.getByRole('list', { name: 'Shared values' })
      await shared.getByRole('link', { name: 'Hammer' }).waitFor()
      await shared.getByRole('link', { name: 'Saw' }).waitFor()
      await visit.shot('cms-type-shared')
      assert.equal((await readType(admin, 'tool')).version, 2)
      visit.expectProblem(/409/)
      await page.getByRole('button', { name: 'Discard' }).click()
      await page.getByText('Unsaved changes').waitFor({ state: 'detached' })
    },

    'a field gets another key and another type with its values': async ({ page }) => {
      await makeType(admin, 'book', [
        { key: 'pages', type: 'number', label: 'Pages' },
        { key: 'author', type: 'text', label: 'Author' },
      ])
      const book = await makeEntry(admin, 'book', 'Emma', { pages: 474, author: 'Jane Austen' })
      await goTo(page, '/types/book')
      const pages = await openField(page, 'Pages')
      await pages.getByLabel('Key').fill('length')
      await pages.getByLabel('Type').selectOption('text')
      await page.keyboard.press('ControlOrMeta+s')
      const review = page.getByRole('alertdialog')
      await review.getByText('“Pages” is renamed to length').waitFor()
      await review.getByText('1 entry keeps its value. Websites that read pages need to read length instead.').waitFor()
      await review.getByText('1 entry keeps its value in the new form. No values are lost.').waitFor()
      await review.getByRole('button', { name: 'Save changes' }).click()
      await page.getByText('“Book” saved').waitFor()
      const { data } = (await admin.client.get(`/api/entries/${book.id}`)).body
      assert.deepEqual(data, { length: '474', author: 'Jane Austen' })
    },
    'the address template shows what comes out of it; another version asks': async (visit) => {
      const { page } = visit
      await makeType(admin, 'story', [{ key: 'text', type: 'text' }])
      await makeEntry(admin, 'story', 'The long way', {})
      await goTo(page, '/types/story?tab=settings')
      const template = page.getByLabel('Preview URL')
      await template.fill('/stories/')
      await page.getByRole('button', { name: '{slug}' }).click()
      await page.getByLabel('Example URL').getByText('/stories/the-long-way').waitFor()
      assert.equal(await template.inputValue(), '/stories/{slug}')
      await look(visit, 'cms-type-settings')
      await page.getByLabel('Label', { exact: true }).fill('')
      await page.getByRole('tab', { name: 'Fields' }).click()
      await page.keyboard.press('ControlOrMeta+s')
      await page.getByText('Enter a label.').waitFor()
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
      await page.keyboard.insertText('Story')
      await admin.client.put('/api/types/story', { description: 'Theirs' })
      await page.getByRole('button', { name: 'Save changes' }).first().click()
      await page.getByRole('heading', { name: 'Ada Admin saved first' }).waitFor()
      await page.getByRole('button', { name: 'Overwrite with mine' }).click()
      await page.getByText('“Story” saved').waitFor()
      const { previewUrl, description } = await readType(admin, 'story')
      assert.deepEqual([previewUrl, description], ['/stories/{slug}', 'Theirs'])
      await page.getByRole('tab', { name: 'API' }).click()
      await page.getByText('export type StoryData').waitFor()
      await page.getByText(`GET ${service.url}/content/story/<slug>`).waitFor()
      await visit.shot('cms-type-api')
      visit.expectProblem(/409/)
    },

    'a type goes away when its name is typed, and stays while it has entries': async (visit) => {
      const { page } = visit
      const { body } = await admin.client.get('/api/entries?type=story')
      const ask = async () => {
        await page.getByRole('button', { name: 'More actions' }).click()
        await page.getByRole('menuitem', { name: 'Delete type' }).click()
        await page.getByLabel(/^Type story to confirm/).fill('story')
      }
      await ask()
      await page.getByText('It still has 1 entry').waitFor()
      await dialogOf(page).getByRole('button', { name: 'Delete type' }).click()
      await page.getByText(/There is 1 entry of this type/).waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await admin.client.delete(`/api/entries/${body.items[0].id}`)
      await admin.client.delete(`/api/trash/${body.items[0].id}`)
      await ask()
      await dialogOf(page).getByRole('button', { name: 'Delete type' }).click()
      await page.waitForURL(/\/types$/)
      await page.getByText('“Story” deleted').waitFor()
      assert.equal((await admin.client.get('/api/types/story')).status, 404)
      visit.expectProblem(/409/)
    },
  })
})
