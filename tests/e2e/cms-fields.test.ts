import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { until } from '@stoa/tests/lib/waiting.ts'
import type { Page } from 'playwright-core'
import { at, type FieldGround, save, startFieldGround } from './cms-fields-page.ts'
import { enterAs, goTo } from './cms-page.ts'
import { journey } from './journey.ts'
import { dialogOf, look } from './page.ts'

let ground: FieldGround
before(async () => {
  ground = await startFieldGround()
})
after(() => ground.close())

const fillSimpleFields = async (page: Page) => {
  await page.getByLabel('Headline').fill('The harbour')
  await at(page, 'code').getByLabel('Code').fill('ABC')
  await page.getByLabel('Intro').fill('One\nTwo')
  await page.getByLabel('Price').fill('12,5')
  await page.getByLabel('Price').press('ArrowUp')
  await page.getByRole('switch', { name: 'Is new' }).check()
  await page.getByLabel('Day', { exact: true }).fill('2026-03-01')
  await page.getByLabel('Starts at', { exact: true }).fill('2026-07-01T09:30')
  await page.getByRole('radio', { name: 'Calm' }).check()
  await page.getByLabel('Month').fill('7')
  await page.getByRole('option', { name: 'Month 7' }).waitFor()
  await page.getByLabel('Month').press('Enter')
  await at(page, 'tags').getByLabel('land').check()
  await at(page, 'tags').getByLabel('sea').check()
  await page.getByLabel('Colour', { exact: true }).fill('FFAA00')
  await page.getByLabel('Site').fill('example.com/a')
  await page.getByLabel('Contact').fill('ada@example.com')
}

const fillLongFields = async (page: Page) => {
  for (const [key, text] of [
    ['body', 'Rich words'],
    ['notes', '# Plain *words*'],
    ['options', '{"a": [1]}'],
  ] as const) {
    await at(page, key).locator('[contenteditable=true]').click()
    await page.keyboard.insertText(text)
  }
}

describe('every type of field', () => {
  journey('is filled in', {
    'it is saved, and read back through the API': async (visit) => {
      const { page } = visit
      const id = await ground.draft()
      await enterAs(visit, ground, ground.editor, `/content/everything/${id}`)
      await fillSimpleFields(page)
      await fillLongFields(page)
      await at(page, 'hero').getByRole('button', { name: 'Add hero' }).click()
      await dialogOf(page).getByText('red.png').click()
      await at(page, 'hero').getByText('120 × 80').waitFor()
      await at(page, 'writer').getByRole('combobox').fill('shel')
      await page.getByRole('option', { name: /Mary Shelley/ }).click()
      await at(page, 'writer').getByText('Mary Shelley').waitFor()
      await save(page)
      const data = await ground.dataOf(id)
      const [red] = ground.media
      assert.deepEqual(
        { ...data },
        {
          headline: 'The harbour',
          code: 'ABC',
          intro: 'One\nTwo',
          body: '<p>Rich words</p>',
          notes: '# Plain *words*',
          price: 13,
          isNew: true,
          day: '2026-03-01',
          startsAt: '2026-07-01T06:30:00.000Z',
          mood: 'calm',
          month: '7',
          tags: ['sea', 'land'],
          hero: red?.id,
          shots: [],
          writer: ground.writers[1]?.id,
          others: [],
          options: { a: [1] },
          colour: '#ffaa00',
          site: 'https://example.com/a',
          contact: 'ada@example.com',
          words: [],
          chapters: [],
        },
      )
      await page.evaluate(() => scrollTo(0, 0))
      await look(visit, 'cms-fields')

      const again = await ground.draft(data)
      await goTo(page, `/content/everything/${again}`)
      await until(async () => (await page.getByLabel('Price').inputValue()) === '13', 'what the service has')
      assert.equal(await page.getByLabel('Starts at', { exact: true }).inputValue(), '2026-07-01T09:30')
      await at(page, 'startsAt').getByText('2026-07-01 06:30').waitFor()
      await page.getByRole('button', { name: 'Clear Starts at' }).click()
      await page.getByRole('button', { name: 'Clear Day' }).click()
      await page.getByRole('button', { name: 'Clear Colour' }).click()
      await page.getByRole('button', { name: 'Clear Mood' }).click()
      await page.getByLabel('Month').click()
      await page.getByRole('option', { name: 'None' }).click()
      await page.getByLabel('Price').fill('')
      await page.getByRole('button', { name: 'Remove red.png' }).click()
      await page.getByRole('button', { name: 'Remove Mary Shelley' }).click()
      await save(page)
      const { price, day, startsAt, mood, month, hero, writer, colour } = await ground.dataOf(again)
      assert.deepEqual([price, day, startsAt, mood, month, hero, writer, colour], Array(8).fill(null))
    },

    'a night shows what it does to a time that comes twice, or never': async ({ page }) => {
      const id = await ground.draft()
      await goTo(page, `/content/everything/${id}`)
      await until(async () => (await page.getByLabel('Headline').inputValue()) === '', 'the other entry')
      const input = page.getByLabel('Starts at', { exact: true })
      await input.fill('2026-03-29T03:30')
      await at(page, 'startsAt').getByText('Clocks skip 03:30 that night: 04:30 is used.').waitFor()
      await input.fill('2026-10-25T03:30')
      await at(page, 'startsAt').getByRole('radio', { name: 'The second (GMT+2)' }).check()
      await save(page)
      assert.equal((await ground.dataOf(id)).startsAt, '2026-10-25T01:30:00.000Z')
    },

    'a gallery is uploaded into by a drop, ordered, and its files are replaced and removed': async (visit) => {
      const { page } = visit
      const [red, blue] = ground.media
      const id = await ground.draft({ shots: [blue?.id, red?.id, red?.id] })
      await goTo(page, `/content/everything/${id}`)
      const shots = at(page, 'shots')
      await shots.getByText('No alt text yet').waitFor()
      await shots.getByRole('button', { name: 'Move blue.jpg' }).press('Space')
      await page.getByText('file 1 is over position 1 of 3').waitFor({ state: 'attached' })
      await page.keyboard.press('ArrowRight')
      await page.getByText('file 1 is over position 2 of 3').waitFor({ state: 'attached' })
      await page.keyboard.press('Space')
      await page.getByText('file 1 moved to position 2 of 3').waitFor({ state: 'attached' })
      await drop(page, '[data-path=shots] ol', 'dropped.svg')
      await shots.getByRole('button', { name: 'Actions for dropped.svg' }).click()
      await page.getByRole('menuitem', { name: 'Remove' }).waitFor()
      await page.keyboard.press('Escape')
      await shots.getByRole('button', { name: 'Actions for red.png' }).first().click()
      await page.getByRole('menuitem', { name: 'Remove' }).click()
      await save(page)
      const after = (await ground.dataOf(id)).shots
      assert.ok(Array.isArray(after))
      assert.deepEqual(after.slice(0, 2), [blue?.id, red?.id])
      assert.equal(after.length, 3)
      await drop(page, '[data-path=hero]  > div > div', 'note.txt')
      await at(page, 'hero').getByText('File type not supported').waitFor()
      await visit.shot('cms-fields-gallery')
    },

    'references are found by typing, ordered with the keyboard, and removed when they are gone': async (visit) => {
      const { page } = visit
      const [ada, mary] = ground.writers
      const gone = (await ground.editor.client.post('/api/entries', { type: 'writer', title: 'Gone' })).body.id
      const id = await ground.draft({ others: [ada?.id, gone] })
      await ground.editor.client.delete(`/api/entries/${gone}`)
      await ground.admin.client.delete(`/api/trash/${gone}`)
      await goTo(page, `/content/everything/${id}`)
      const others = at(page, 'others')
      await others.getByText('Missing entry').waitFor()
      await others.getByRole('button', { name: 'Remove Missing entry' }).click()
      const search = others.getByRole('combobox')
      await search.fill('a')
      await page.getByRole('option', { name: /Jane/ }).waitFor()
      assert.equal(await page.getByRole('option', { name: /Ada/ }).count(), 0)
      await search.fill('mary')
      await page.getByRole('option', { name: /Jane/ }).waitFor({ state: 'detached' })
      await search.press('ArrowDown')
      await search.press('Enter')
      await others.getByText('Mary Shelley').waitFor()
      await others.getByRole('button', { name: 'Move Mary Shelley up' }).press('Enter')
      await save(page)
      assert.deepEqual((await ground.dataOf(id)).others, [mary?.id, ada?.id])
      assert.match(
        (await others.getByRole('link', { name: 'Open Ada Byron in a new tab' }).getAttribute('href')) ?? '',
        new RegExp(`/content/writer/${ada?.id}$`),
      )
      assert.match((await others.getByRole('link', { name: /New writer/ }).getAttribute('href')) ?? '', /writer\/new$/)
      visit.expectProblem(/404/)
    },

    'what cannot be read is kept, and said early and beside the input': async (visit) => {
      const { page } = visit
      const id = await ground.draft({ price: 5 })
      await goTo(page, `/content/everything/${id}`)
      await until(async () => (await page.getByLabel('Price').inputValue()) === '5', 'the other entry')
      const price = page.getByLabel('Price')
      await price.fill('12 pounds')
      assert.equal(await price.getAttribute('aria-invalid'), null)
      await price.press('Tab')
      await at(page, 'price').getByText('Must be a number.').waitFor()
      assert.equal(await price.inputValue(), '12 pounds')
      assert.equal(await price.getAttribute('aria-invalid'), 'true')
      const describedBy = (await price.getAttribute('aria-describedby'))?.split(' ') ?? []
      assert.match(await page.locator(`[id="${describedBy[0]}"]`).innerText(), /Must be a number/)
      await at(page, 'code').getByLabel('Code').fill('ab')
      await page.getByLabel('Site').fill('nowhere')
      await page.getByLabel('Contact').fill('ada')
      await page.getByLabel('Colour', { exact: true }).fill('reddish')
      await page.getByLabel('Headline').fill('A headline of more than twenty')
      await page.getByLabel('Intro').click()
      await at(page, 'headline').getByText('30 / 20').waitFor()
      for (const [key, words] of [
        ['headline', 'at most 20 characters'],
        ['code', 'required format'],
        ['site', 'full URL'],
        ['contact', 'email address'],
        ['colour', 'color like'],
      ] as const)
        await at(page, key).getByText(words).waitFor()
      await page.keyboard.press('ControlOrMeta+s')
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
      assert.equal((await ground.dataOf(id)).price, 5)
      await visit.shot('cms-fields-problems')
      await price.fill('12')
      await at(page, 'price').getByText('Must be a number.').waitFor({ state: 'detached' })
      visit.expectProblem(/400/)
    },
  })
})

const drop = (page: Page, selector: string, name: string) =>
  page.evaluate(
    ({ selector, name }) => {
      const transfer = new DataTransfer()
      const content =
        '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="9" height="9"/></svg>'
      transfer.items.add(new File([content], name, { type: name.endsWith('.svg') ? 'image/svg+xml' : 'text/plain' }))
      const target = document.querySelector(selector)
      for (const type of ['dragenter', 'dragover', 'drop'])
        target?.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: transfer }))
    },
    { selector, name },
  )
