import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import type { Page } from 'playwright-core'
import { browserTest } from '../lib/browser.ts'
import { at, type FieldGround, save, startFieldGround } from './cms-fields-page.ts'
import { enterAs, goTo } from './cms-page.ts'
import { journey } from './journey.ts'
import { dialogOf, fits, look } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

let ground: FieldGround
before(async () => {
  ground = await startFieldGround()
})
after(() => ground.close())

const chapter = (name: string, scenes: object[] = []) => ({ name, cover: null, scenes })
const scene = (place: string, links: object[] = []) => ({ place, links })
const namesIn = async (id: string): Promise<string[]> => {
  const { chapters } = await ground.dataOf(id)
  return Array.isArray(chapters) ? chapters.map((row: { name: string }) => row.name) : []
}
const untilFocused = (page: Page, path: string) =>
  page.waitForFunction(
    (wanted) => document.activeElement?.closest('[data-path]')?.getAttribute('data-path') === wanted,
    path,
  )

describe('a list', () => {
  journey('is edited', {
    'it is written, nested and ordered with the keyboard alone': async (visit) => {
      const { page } = visit
      const id = await ground.draft({}, 'lists')
      await enterAs(visit, ground, ground.editor, `/content/lists/${id}`)
      await page.getByRole('button', { name: 'Add item to Chapters' }).press('Enter')
      await untilFocused(page, 'chapters.0.name')
      await page.keyboard.type('One')
      await page.keyboard.press('ControlOrMeta+Enter')
      await untilFocused(page, 'chapters.1.name')
      await page.keyboard.type('Two')
      await page.keyboard.press('Alt+ArrowUp')
      await page.getByText('Item 2 moved to position 1 of 2.').waitFor({ state: 'attached' })
      await untilFocused(page, 'chapters.0.name')
      await page.keyboard.type('!')
      await at(page, 'chapters.0').getByRole('button', { name: 'Add item to Scenes' }).press('Enter')
      await untilFocused(page, 'chapters.0.scenes.0.place')
      await page.keyboard.type('Harbour')
      await page.keyboard.press('ControlOrMeta+Enter')
      await untilFocused(page, 'chapters.0.scenes.1.place')
      await page.keyboard.type('Sea')
      await page.keyboard.press('Alt+ArrowUp')
      await at(page, 'chapters.0.scenes.0').getByRole('button', { name: 'Add item to Links' }).press('Enter')
      await untilFocused(page, 'chapters.0.scenes.0.links.0.label')
      await page.keyboard.type('Chart')
      await page.keyboard.press('Tab')
      await page.keyboard.type('/chart')
      await save(page)
      const empty = { label: 'Chart', url: '/chart' }
      assert.deepEqual((await ground.dataOf(id)).chapters, [
        chapter('Two!', [scene('Sea', [empty]), scene('Harbour')]),
        chapter('One'),
      ])
      await look(visit, 'cms-fields-lists')
    },

    'it has rows that are doubled, deleted, brought back, dragged and folded': async ({ page }) => {
      const id = await ground.draft({ chapters: ['One', 'Two', 'Three'].map((name) => chapter(name)) }, 'lists')
      await goTo(page, `/content/lists/${id}`)
      await at(page, 'chapters').getByText('Three').waitFor()
      const chapters = at(page, 'chapters')
      const act = async (row: number, item: string) => {
        await chapters.getByRole('button', { name: `Actions for item ${row}` }).click()
        await page.getByRole('menuitem', { name: item }).click()
        await page.getByRole('menu').waitFor({ state: 'detached' })
      }
      await act(1, 'Duplicate')
      await chapters.getByText('4 of 4').waitFor()
      assert.equal(
        await chapters.getByRole('button', { name: 'Add item to Chapters' }).getAttribute('aria-disabled'),
        'true',
      )
      await act(4, 'Delete')
      await page.getByText('Item 4 deleted').waitFor()
      await untilFocused(page, 'chapters.2')
      await act(2, 'Delete')
      await page.getByText('Item 2 deleted').waitFor()
      await untilFocused(page, 'chapters.1')
      await page.getByRole('button', { name: 'Undo' }).last().click()
      await chapters.getByText('3 of 4').waitFor()
      await save(page)
      assert.deepEqual(await namesIn(id), ['One', 'One', 'Two'])
      const handle = await chapters.getByRole('button', { name: 'Move item 3' }).boundingBox()
      const first = await at(page, 'chapters.0').boundingBox()
      assert.ok(handle && first)
      await page.mouse.move(handle.x + 5, handle.y + 10)
      await page.mouse.down()
      await page.mouse.move(handle.x + 5, handle.y - 20, { steps: 4 })
      await page.mouse.move(first.x + 10, first.y + 2, { steps: 4 })
      await page.mouse.up()
      await at(page, 'chapters.0').getByText('Two').waitFor()
      await save(page)
      assert.deepEqual(await namesIn(id), ['Two', 'One', 'One'])
      await chapters.getByRole('button', { name: 'Expand all' }).click()
      await at(page, 'chapters.2.name').waitFor()
      await chapters.getByRole('button', { name: 'Collapse all' }).click()
      await at(page, 'chapters.2.name').waitFor({ state: 'detached' })
    },

    'it takes rows out of a spreadsheet': async ({ page }) => {
      const id = await ground.draft({ words: [{ word: 'sea' }] }, 'lists')
      await goTo(page, `/content/lists/${id}`)
      await page.waitForFunction(() => [...document.querySelectorAll('input')].some(({ value }) => value === 'sea'))
      await page.getByRole('button', { name: 'Paste items into Words' }).click()
      await dialogOf(page).getByLabel('Cells').fill('Word\nboat\n"a, b"\n')
      await dialogOf(page).getByText('2 items found').waitFor()
      await dialogOf(page).getByRole('button', { name: 'Add 2 items' }).click()
      await at(page, 'words').getByLabel('Word').nth(2).waitFor()
      await save(page)
      assert.deepEqual((await ground.dataOf(id)).words, [{ word: 'sea' }, { word: 'boat' }, { word: 'a, b' }])
    },

    'it shows a refusal at the exact nested input, which opens for it': async (visit) => {
      const { page } = visit
      const links = [
        { label: 'Right', url: '/right' },
        { label: 'Wrong', url: '' },
      ]
      const chapters = [chapter('One'), chapter('Two', [scene('Sea'), scene('Land', links)])]
      const id = await ground.draft({ chapters }, 'lists')
      await goTo(page, `/content/lists/${id}`)
      await at(page, 'chapters').getByText('Two').first().waitFor()
      const path = 'chapters.1.scenes.1.links.1.url'
      for (const row of ['chapters.1', 'chapters.1.scenes.1', 'chapters.1.scenes.1.links.1'])
        await at(page, row).getByRole('button', { expanded: false }).first().click()
      await at(page, path).getByLabel('Url').fill('nowhere')
      // It is refused without being asked for, and again when someone waits for it
      await page.getByText("Some fields couldn't be saved").waitFor()
      await at(page, 'chapters').getByRole('button', { name: 'Collapse all' }).last().click()
      await at(page, path).waitFor({ state: 'detached' })
      await page.keyboard.press('ControlOrMeta+s')
      await untilFocused(page, path)
      assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-invalid')), 'true')
      await at(page, path).getByText('Must be a full URL').waitFor()
      await at(page, 'chapters.1').getByText('1 problem').first().waitFor()
      await visit.shot('cms-fields-nested-problem')
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type('/mended')
      await save(page)
      assert.match(JSON.stringify((await ground.dataOf(id)).chapters), /mended/)
      visit.expectProblem(/400/)
    },

    'every field and nested lists fit a phone in the dark, and can be used': (visit) =>
      onPhoneInTheDark(visit, async () => {
        const { page } = visit
        const [red, blue] = ground.media
        const links = [{ label: 'A link with a long label that does not fit', url: 'https://example.com' }]
        const id = await ground.draft({
          hero: red?.id,
          shots: [red?.id, blue?.id],
          writer: ground.writers[0]?.id,
          others: ground.writers.map((writer) => writer.id),
          startsAt: '2026-10-25T01:30:00.000Z',
          colour: '#2255cc80',
          words: [{ word: 'sea' }, { word: 'land' }],
          chapters: [
            { ...chapter('One', [scene('Sea', links)]), cover: red?.id },
            chapter('Incomprehensibilities'.repeat(6)),
          ],
        })
        await goTo(page, `/content/everything/${id}`)
        await at(page, 'chapters').getByText('Incomprehensibilities').waitFor()
        for (const row of ['chapters.0', 'chapters.0.scenes.0', 'chapters.0.scenes.0.links.0'])
          await at(page, row).getByRole('button', { expanded: false }).first().click()
        await at(page, 'chapters.0.scenes.0.links.0.url').getByLabel('Url').fill('/phone')
        await at(page, 'others').getByText('Jane Austen').waitFor()
        await at(page, 'shots').getByText('blue.jpg').waitFor()
        await at(page, 'body').locator('[contenteditable=true]').waitFor()
        await page.evaluate(() => scrollTo(0, 0))
        await fits(visit, 'cms-fields-dark-390')
        await save(page)
        assert.match(JSON.stringify((await ground.dataOf(id)).chapters), /\/phone/)
      }),
  })
})

describe('someone who may only read', () => {
  browserTest('sees everything and can change nothing', {}, async (visit) => {
    const { page } = visit
    const viewer = await ground.person('viewer')
    const id = await ground.draft({
      headline: 'Read me',
      hero: ground.media[0]?.id,
      shots: [ground.media[0]?.id],
      writer: ground.writers[0]?.id,
      chapters: [chapter('One'), chapter('Two')],
    })
    await enterAs(visit, ground, viewer, `/content/everything/${id}`)
    await page.getByText('Your role can view entries').waitFor()
    await at(page, 'chapters').getByRole('button', { name: 'Expand all' }).click()
    assert.equal(await at(page, 'chapters.1.name').getByLabel('Name').inputValue(), 'Two')
    await at(page, 'writer').getByText('Ada Byron').waitFor()
    await at(page, 'hero').getByText('red.png').waitFor()
    const form = page.locator('[data-path]')
    assert.equal(await form.locator('input:enabled, select:enabled, textarea:enabled').count(), 0)
    for (const name of [/Add item/, /Remove/, /Choose/, /Upload/, /Clear/, /Move/, /Paste/])
      assert.equal(await form.getByRole('button', { name }).count(), 0, String(name))
  })
})
