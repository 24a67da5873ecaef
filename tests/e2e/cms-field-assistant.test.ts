import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { until } from '@stoa/tests/lib/waiting.ts'
import type { Page } from 'playwright-core'
import { type CmsService, type Person, startCms } from '../lib/cms.ts'
import { connectOllama, type FakeOllama, type ScriptStep, scriptModel, startFakeOllama } from '../lib/fake-ollama.ts'
import { photo, putFile } from './cms-media-files.ts'
import { enterAs, goTo } from './cms-page.ts'
import { journey } from './journey.ts'
import { chooseFor, dialogOf, fits, look } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

let service: CmsService
let ollama: FakeOllama
let editor: Person
before(async () => {
  service = await startCms()
  ollama = await startFakeOllama()
  await service.claim()
  editor = await service.person('editor', { name: 'Edda Editor' })
  const admin = await service.person('admin')
  await connectOllama(admin.client, ollama)
  await admin.client.put('/api/settings', { locales: ['en', 'de'] })
  await admin.client.post('/api/types', {
    name: 'article',
    label: 'Article',
    fields: [
      { key: 'summary', type: 'textarea', label: 'Summary', maxLength: 60 },
      { key: 'body', type: 'richtext', label: 'Body' },
      { key: 'count', type: 'number', label: 'Count' },
    ],
  })
})
after(async () => {
  await service.close()
  await ollama.close()
})

const SUMMARY = 'The harbour have 12 boats.'
const BODY = '<p>We live by the <strong>wide</strong> sea.</p>'

const newEntry = async (...steps: ScriptStep[]): Promise<string> => {
  ollama.model(scriptModel(steps))
  const data = { summary: SUMMARY, body: BODY, count: 3 }
  const { body } = await editor.client.post('/api/entries', { type: 'article', title: 'The harbour', data })
  return `/content/article/${body.id}`
}

const press = (page: Page, name: string) => dialogOf(page).getByRole('button', { name, exact: true }).click()
const summaryIn = (page: Page) => page.getByLabel('Summary', { exact: true })

describe('writing with AI', () => {
  journey('in an entry and at a file', {
    'a suggestion streams, shows its changes, replaces the text and is undone in one step': async (visit) => {
      const { page } = visit
      const held = Promise.withResolvers<void>()
      const path = await newEntry(
        { text: ['The harbour has ', held.promise, '14 boats and a lighthouse that is seen from afar.'] },
        { text: 'The harbour has 12 boats.' },
        { text: 'Harbour' },
      )
      await enterAs(visit, service, editor, path)
      await page.getByRole('button', { name: 'Actions for Summary' }).waitFor()
      assert.equal(await page.getByRole('button', { name: 'Actions for Count' }).count(), 0)
      await chooseFor(page, 'Summary', 'Write with AI')
      await press(page, 'Fix spelling')
      await dialogOf(page).getByText('The harbour has').waitFor()
      await dialogOf(page).getByRole('button', { name: 'Stop' }).waitFor()
      held.resolve()
      await dialogOf(page).getByText('Numbers are different').waitFor()
      await dialogOf(page).getByText('Longer than 60 characters').waitFor()
      await dialogOf(page).getByLabel('Show changes').check()
      await dialogOf(page).locator('ins', { hasText: '14' }).waitFor()
      await look(visit, 'cms-field-assistant', 'dialog')
      await press(page, 'Try again')
      await dialogOf(page).locator('ins', { hasText: /^has$/ }).waitFor()
      await press(page, 'Replace')
      await dialogOf(page).waitFor({ state: 'detached' })
      assert.equal(await summaryIn(page).inputValue(), 'The harbour has 12 boats.')
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Actions for Summary')
      await page.locator('header').getByRole('button', { name: 'Undo' }).click()
      assert.equal(await summaryIn(page).inputValue(), SUMMARY)

      await chooseFor(page, 'Title', 'Write with AI')
      await press(page, 'Shorten')
      await visit.shot('cms-field-assistant-title')
      await press(page, 'Replace')
      await dialogOf(page).waitFor({ state: 'detached' })
      assert.equal(await page.getByLabel('Title', { exact: true }).inputValue(), 'Harbour')
      await page.locator('[data-indicator=saved]').waitFor()
    },

    'alternative texts are suggested for a file, and used only when someone says so': async (visit) => {
      const { page } = visit
      const { id } = await putFile(service, editor, { filename: 'harbour.jpg', bytes: await photo(200, 1200, 600) })
      ollama.model(scriptModel([{ text: 'Image of boats in a harbour' }]))
      await goTo(page, `/media?id=${id}`)
      await page.getByRole('button', { name: 'Suggest alt text for harbour.jpg' }).click()
      await page.getByText('Boats in a harbour').waitFor()
      await visit.shot('cms-alt-suggestion')
      await page.getByRole('button', { name: 'Use this text' }).click()
      assert.equal(await page.getByLabel(/^Alt text/).inputValue(), 'Boats in a harbour')
      assert.equal((await editor.client.get(`/api/media/${id}`)).body.alt, '')
    },

    'what is selected in rich text is what changes; what was cut stays in sight and can be tried again, on a phone in the dark':
      (visit) =>
        onPhoneInTheDark(visit, async () => {
          const { page } = visit
          await goTo(
            page,
            await newEntry({ text: '<p><strong>bl', fault: 'cut' }, { text: '<p><strong>blue</strong></p>' }),
          )
          const word = page.locator('.rich-text strong')
          await until(async () => {
            // On a slow machine two presses may be just that
            await word.dblclick()
            return (await page.evaluate(() => getSelection()?.toString())) === 'wide'
          }, 'the word is selected')
          await chooseFor(page, 'Body', 'Write with AI')
          assert.ok(await dialogOf(page).getByLabel('Selected text').isChecked())
          await dialogOf(page).getByLabel('Instruction').fill('Another word')
          await page.keyboard.press('Enter')
          await dialogOf(page).getByText('Incomplete').waitFor()
          await fits(visit, 'cms-field-assistant-cut-dark-390', 'dialog')
          await press(page, 'Retry')
          await press(page, 'Replace selection')
          await dialogOf(page).waitFor({ state: 'detached' })
          await page.locator('.rich-text strong', { hasText: 'blue' }).waitFor()
          assert.equal(await page.locator('.rich-text').innerText(), 'We live by the blue sea.')
        }),
  })
})
