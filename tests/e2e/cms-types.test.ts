import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import type { Page } from 'playwright-core'
import { type CmsService, type Person, startCms } from '../lib/cms.ts'
import { enterAs, goTo } from './cms-page.ts'
import { readType } from './cms-type-page.ts'
import { journey } from './journey.ts'
import { dialogOf, fits, look } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

let service: CmsService
let admin: Person
before(async () => {
  service = await startCms({ background: true })
  await service.claim()
  admin = await service.person('admin', { name: 'Ada Admin' })
})
after(() => service.close())

/** Adds a field by the picker, and types its label. */
const addField = async (page: Page, type: string, label: string) => {
  await page.getByRole('button', { name: 'Add field' }).first().click()
  await dialogOf(page).getByRole('button').getByText(type, { exact: true }).click()
  await dialogOf(page).waitFor({ state: 'detached' })
  const panel = page.getByRole('region', { name: /^Field / })
  await panel.getByRole('heading', { name: `New ${type.toLowerCase()}` }).waitFor()
  await page.waitForFunction(() => document.activeElement?.hasAttribute('data-field-label'))
  await page.keyboard.insertText(label)
  await panel.getByRole('heading', { name: label, exact: true }).waitFor()
  return panel
}

const fieldOrder = (page: Page) =>
  page
    .getByRole('list', { name: 'Fields', exact: true })
    .locator('[data-handle]')
    .evaluateAll((handles) => handles.map((handle) => handle.getAttribute('aria-label')?.replace('Move ', '')))

describe('content types', () => {
  journey('are made', {
    'a site without types offers starting points, which are saved as they are': async (visit) => {
      const { page } = visit
      await enterAs(visit, service, admin, '/types')
      await page.getByText('No content types yet').waitFor()
      await page.getByRole('list', { name: 'Fields of the template Article' }).getByText('Cover').waitFor()
      await look(visit, 'cms-types-empty')
      await page.getByRole('button', { name: /^Author/ }).click()
      await page.getByRole('heading', { name: 'Author', exact: true }).waitFor()
      assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'author')
      await page.keyboard.press('ControlOrMeta+s')
      await page.getByText('Author created').waitFor()
      await page.waitForURL(/\/types\/author$/)
      await page.getByRole('link', { name: 'Content types' }).first().click()
      await page.getByRole('link', { name: 'Author author' }).waitFor()
      await page.getByText('/authors/{slug}').waitFor()
    },

    'a type is made by clicking, of eighteen field types, and ordered with the keyboard': async (visit) => {
      const { page } = visit
      await goTo(page, '/types/new')
      await page.getByLabel('Label', { exact: true }).fill('Field guide')
      assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'field-guide')
      await page.getByRole('button', { name: 'Add field' }).click()
      assert.equal(await dialogOf(page).locator('section button').count(), 18)
      await look(visit, 'cms-type-picker', 'dialog')
      await page.keyboard.press('Escape')
      await dialogOf(page).waitFor({ state: 'detached' })
      await addField(page, 'Text', 'My Text')
      const choice = await addField(page, 'Choice', 'Size')
      await choice.getByRole('button', { name: 'Add choice' }).click()
      await page.keyboard.insertText('Very small')
      assert.equal(await choice.getByLabel('Value of choice 1').inputValue(), 'very-small')
      await page.keyboard.press('Enter')
      await page.keyboard.insertText('Large')
      await choice.getByLabel('Default value').selectOption('large')
      const reference = await addField(page, 'Reference', 'Written by')
      await reference.getByLabel('Content type').selectOption('author')
      const list = await addField(page, 'List', 'Steps')
      await list.getByRole('button', { name: 'Add field' }).click()
      await dialogOf(page).getByRole('button').getByText('Long text', { exact: true }).click()
      await page.getByRole('region', { name: 'Field New long text' }).waitFor()
      await page.waitForFunction(() => document.activeElement?.hasAttribute('data-field-label'))
      await page.keyboard.insertText('What to do')
      await look(visit, 'cms-type-builder')
      await page.getByRole('button', { name: 'Move Steps' }).focus()
      await page.keyboard.press('Alt+ArrowUp')
      await page.getByText('Steps moved to position 3 of 4.').waitFor()
      assert.deepEqual(await fieldOrder(page), ['My Text', 'Size', 'Steps', 'Written by'])
      await page.getByRole('button', { name: 'Move My Text' }).focus()
      await page.keyboard.press('Space')
      await page.locator('[data-handle][aria-pressed="true"]').waitFor()
      await page.keyboard.press('ArrowDown')
      await page.getByText('My Text is over position 2 of 4.').waitFor()
      await page.keyboard.press('Space')
      await page.getByText('My Text moved to position 2 of 4.').waitFor()
      await page.getByRole('button', { name: 'Create type' }).first().click()
      await page.waitForURL(/\/types\/field-guide$/)
      const { fields } = await readType(admin, 'field-guide')
      assert.deepEqual(
        fields.map(({ key, type }: { key: string; type: string }) => `${key} ${type}`),
        ['size select', 'myText text', 'steps list', 'writtenBy reference'],
      )
      const made = Object.fromEntries(fields.map((field: { key: string }) => [field.key, field]))
      assert.deepEqual(made.size.options, [
        { value: 'very-small', label: 'Very small' },
        { value: 'large', label: 'Large' },
      ])
      assert.equal(made.size.default, 'large')
      assert.deepEqual([made.writtenBy.to, made.steps.fields[0].key], ['author', 'whatToDo'])
    },

    'types are built on a phone in the dark': (visit) =>
      onPhoneInTheDark(visit, async () => {
        const { page } = visit
        await goTo(page, '/types')
        await page.getByText('Field guide').first().waitFor()
        await fits(visit, 'cms-types-dark-390')
        await goTo(page, '/types/field-guide')
        await page.getByRole('button', { name: /^Size / }).click()
        const field = page.getByRole('dialog', { name: 'Size' })
        await field.getByLabel('Label of choice 1').waitFor()
        await fits(visit, 'cms-type-field-dark-390', 'dialog')
        await field.getByLabel('Label', { exact: true }).fill('Extent')
        await page.getByRole('dialog', { name: 'Extent' }).getByRole('button', { name: 'Done' }).click()
        await page.getByRole('button', { name: /^Extent / }).waitFor()
        await fits(visit, 'cms-type-dark-390')
        await page.getByRole('button', { name: 'Save changes' }).first().click()
        await page.getByText('“Field guide” saved').waitFor()
        assert.ok(
          (await readType(admin, 'field-guide')).fields.some(({ label }: { label: string }) => label === 'Extent'),
        )
      }),
  })
})
