import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { until } from '@stoa/tests/lib/waiting.ts'
import type { Page } from 'playwright-core'
import { type CmsService, type Person, startCms } from '../lib/cms.ts'
import { enterAs, goTo } from './cms-page.ts'
import { makeEntry, makeType } from './cms-type-page.ts'
import { journey } from './journey.ts'
import { chooseFor, confirm, dialogOf, fits, look } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

type Item = { label: string; children: Item[] }

let service: CmsService
let editor: Person
before(async () => {
  service = await startCms()
  await service.claim()
  editor = await service.person('editor', { name: 'Edda Editor' })
  const admin = await service.person('admin')
  await makeType(admin, 'page', [], { previewUrl: '/{slug}' })
  const about = await makeEntry(admin, 'page', 'About the harbour')
  await admin.client.post(`/api/entries/${about.id}/status`, { action: 'publish' })
  await makeEntry(admin, 'page', 'Secret plans')
})
after(() => service.close())

const link = (label: string, children: unknown[] = []) => ({ label, url: `/${label.toLowerCase()}`, children })
const makeMenu = async (name: string, items: unknown[]) => {
  const { status, text } = await editor.client.post('/api/menus', { name, label: `Menu ${name}`, items })
  assert.equal(status, 201, text)
}
const readMenu = async (name: string) => (await editor.client.get(`/api/menus/${name}`)).body
const outline = async (name: string): Promise<string> => write((await readMenu(name)).items)
const write = (items: Item[]): string =>
  items.map(({ label, children }) => (children.length > 0 ? `${label}(${write(children)})` : label)).join(' ')

const save = async (page: Page, label: string) => {
  await page.keyboard.press('ControlOrMeta+s')
  await page.getByText(`“${label}” saved`).last().waitFor()
  await page.getByRole('button', { name: 'Save changes' }).waitFor({ state: 'detached' })
}
const said = (page: Page, text: string) =>
  page.getByRole('status').filter({ hasText: text }).waitFor({ state: 'attached' })

describe('menus', () => {
  journey('of a site', {
    'a menu is made, with links and entries, and nested with the keyboard': async (visit) => {
      const { page } = visit
      await enterAs(visit, service, editor, '/menus')
      await page.getByText('No menus yet').waitFor()
      await page.getByRole('button', { name: 'New menu' }).first().click()
      await page.getByLabel('Label', { exact: true }).fill('Main menu')
      assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'main-menu')
      await page.getByRole('button', { name: 'Create menu' }).click()
      await page.getByText('No links yet').waitFor()
      await page.waitForURL(/menu=main-menu/)

      await page.getByRole('button', { name: 'Add link' }).click()
      await page.getByLabel('Label', { exact: true }).fill('Home')
      await page.getByLabel('URL').fill('nowhere')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: /^Home/ }).waitFor()
      await page.keyboard.press('ControlOrMeta+s')
      await page.getByText(/Must be an http/).waitFor()
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type('/')
      await page.getByText(/Must be an http/).waitFor({ state: 'detached' })

      await page.getByRole('button', { name: 'Add entry' }).click()
      await dialogOf(page).getByText('Secret plans').waitFor()
      await page.keyboard.type('harbour')
      await dialogOf(page).getByText('Secret plans').waitFor({ state: 'detached' })
      await dialogOf(page).getByText('About the harbour').waitFor()
      await page.keyboard.press('ArrowDown')
      await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('About the harbour'))
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: /^About the harbour/ }).waitFor()
      await page.getByRole('button', { name: 'Add entry' }).click()
      await dialogOf(page)
        .getByRole('button', { name: /Secret plans/ })
        .click()
      await page.getByText('Draft', { exact: true }).waitFor()

      await page.getByRole('button', { name: 'Move Secret plans', exact: true }).focus()
      await page.keyboard.press('Alt+ArrowRight')
      await said(page, 'Secret plans: level 2, position 1 of 1 below About the harbour.')
      await page.keyboard.press('Alt+ArrowRight')
      await said(page, "Secret plans can't move deeper.")
      await page.getByRole('button', { name: 'Move About the harbour', exact: true }).focus()
      await page.keyboard.press('Alt+ArrowUp')
      await said(page, 'About the harbour: level 1, position 1 of 2.')
      await look(visit, 'cms-menus')
      await save(page, 'Main menu')
      assert.equal(await outline('main-menu'), 'About the harbour(Secret plans) Home')
      const { items } = await readMenu('main-menu')
      assert.ok(items[0].entryId && items[0].url === undefined && items[1].url === '/')
    },

    'a drag changes the place and the depth; a removal can be undone': async ({ page }) => {
      await makeMenu('footer', [link('One'), link('Two', [link('Inner')]), link('Three')])
      await goTo(page, '/menus?menu=footer')
      const handle = page.getByRole('button', { name: 'Move Three', exact: true })
      const target = page.getByRole('button', { name: 'Move Two', exact: true })
      await handle.waitFor()
      const from = await handle.boundingBox()
      const to = await target.boundingBox()
      assert.ok(from && to)
      await page.mouse.move(from.x + 5, from.y + 5)
      await page.mouse.down()
      await page.mouse.move(from.x + 15, from.y, { steps: 4 })
      await page.mouse.move(from.x + 35, to.y, { steps: 8 })
      await page.getByText('Level 2: Three').waitFor({ state: 'attached' })
      await page.mouse.up()
      await said(page, 'Three: level 2, position 1 of 1 below One.')
      await chooseFor(page, 'Two', 'Remove')
      await page.getByText('With 1 item below it.').waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByRole('button', { name: 'Move Inner', exact: true }).waitFor()
      await chooseFor(page, 'Inner', 'Un-nest')
      await said(page, 'Inner: level 1, position 3 of 3.')
      await save(page, 'Menu footer')
      assert.equal(await outline('footer'), 'One(Three) Two Inner')
    },

    'another version asks, another menu too; what the service refuses is shown at its item': async (visit) => {
      const { page } = visit
      await makeMenu('side', [link('One', [link('Two')])])
      await goTo(page, '/menus?menu=side')
      await page.getByRole('button', { name: 'Actions for the menu Menu side' }).waitFor()
      await page.getByRole('button', { name: /Two/ }).and(page.locator('[data-part=name]')).click()
      await page.getByLabel('Open in a new tab').check()
      await visit.shot('cms-menus-item')
      await page.getByRole('button', { name: /^Menu footer/ }).click()
      await page.getByText('Your changes in this menu will be lost.').waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await editor.client.put('/api/menus/side', { label: 'Their side' })
      await page.keyboard.press('ControlOrMeta+s')
      await page.getByRole('heading', { name: 'Edda Editor saved first' }).waitFor()
      await page.getByRole('button', { name: 'Overwrite with mine' }).click()
      await page.getByText('“Their side” saved').waitFor()
      const saved = await readMenu('side')
      assert.deepEqual([saved.label, saved.items[0].children[0].target], ['Their side', '_blank'])

      const gone = await makeEntry(editor, 'page', 'Soon gone')
      await page.getByRole('button', { name: 'Link to an entry instead' }).click()
      await dialogOf(page)
        .getByRole('button', { name: /Soon gone/ })
        .click()
      await editor.client.delete(`/api/entries/${gone.id}`)
      await page.keyboard.press('ControlOrMeta+s')
      await page.getByText("Must be an entry that isn't in the trash.").waitFor()
      await page.waitForFunction(() => document.activeElement?.textContent === 'Choose another')
      assert.equal((await readMenu('side')).version, saved.version)
      await page.getByRole('button', { name: 'Discard' }).click()
      visit.expectProblem(/40[09]/)
    },

    'a menu goes away when its name is typed': async ({ page }) => {
      await page.getByRole('button', { name: 'Actions for the menu Their side' }).click()
      await page.getByRole('menuitem', { name: 'Delete menu' }).click()
      await page.getByLabel(/^Type side to confirm/).fill('side')
      await confirm(page, 'Delete menu')
      await page.getByText('“Their side” deleted').waitFor()
      assert.equal((await editor.client.get('/api/menus/side')).status, 404)
    },

    'menus are edited on a phone in the dark': (visit) =>
      onPhoneInTheDark(visit, async () => {
        const { page } = visit
        await goTo(page, '/menus?menu=main-menu')
        await page
          .getByRole('button', { name: /Secret plans/ })
          .and(page.locator('[data-part=name]'))
          .click()
        await page.getByLabel('Label', { exact: true }).fill('Plans')
        await fits(visit, 'cms-menus-dark-390')
        await page.getByRole('button', { name: 'Done' }).click()
        await chooseFor(page, 'Plans', 'Un-nest')
        await page.getByRole('button', { name: 'Save changes' }).click()
        await until(
          async () => (await outline('main-menu')) === 'About the harbour Plans Home',
          'the menu at the service',
        )
      }),
  })
})
