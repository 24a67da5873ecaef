import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { openPluginDir, type PluginDir } from '@stoa/cms/plugins/folder/testing/plugin-dir.ts'
import { moduleSandboxes } from '@stoa/cms/plugins/running/testing/module-sandbox.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import type { Locator, Page } from 'playwright-core'
import { browserTest } from '../lib/browser.ts'
import { type CmsService, type Person, startCms } from '../lib/cms.ts'
import { connectOllama, type FakeOllama, MODEL, scriptModel, startFakeOllama } from '../lib/fake-ollama.ts'
import { logo, putFile } from './cms-media-files.ts'
import { enterAs, goTo } from './cms-page.ts'
import { journey } from './journey.ts'
import { confirm, fits, look, takeSecret } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

let service: CmsService
let ollama: FakeOllama
let admin: Person
let author: Person
let dir: PluginDir
before(async () => {
  ollama = await startFakeOllama()
  dir = await openPluginDir()
  await dir.write('plan', { label: 'Plan', permissions: ['content.read'] })
  service = await startCms({
    background: true,
    env: { PLUGIN_DIR: dir.path },
    createSandbox: moduleSandboxes().create,
  })
  await service.claim()
  admin = await service.person('admin', { name: 'Ada Admin' })
  author = await service.person('author', { name: 'Aria Author' })
  await admin.client.post('/api/types', {
    name: 'article',
    label: 'Article',
    labelPlural: 'Articles',
    fields: [{ key: 'summary', type: 'textarea', label: 'Summary' }],
  })
})
after(async () => {
  await service.close()
  await ollama.close()
  await dir.close()
})

const LONG =
  'The harbour was built in 1890 by people who came from far away, and it has been busy on every day since then.'

const articleOf = async (person: Person, title: string, summary = LONG): Promise<string> => {
  const answer = await person.client.post('/api/entries', { type: 'article', title, data: { summary } })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id
}

const pictureOf = async (filename: string): Promise<string> =>
  (await putFile(service, admin, { filename, bytes: await logo(200) })).id

const altsOf = (...filenames: string[]): Promise<string[]> =>
  Promise.all(
    filenames.map(async (name) => (await admin.client.get(`/api/media?q=${name}`)).body.items.at(0)?.alt ?? ''),
  )

const summaryOf = async (id: string): Promise<string> =>
  (await admin.client.get(`/api/entries/${id}`)).body.data.summary

const shorten = (entryId: string, summary: string) => ({
  name: 'propose_entry_update',
  args: { entryId, data: { summary }, reason: 'It is longer than it needs to be' },
})

const panelOf = (page: Page): Locator =>
  page.getByRole('complementary', { name: 'Assistant' }).or(page.getByRole('dialog', { name: 'Assistant' }))
const cardOf = (page: Page, title: string): Locator => panelOf(page).getByRole('article', { name: title }).last()
const ask = async (page: Page, text: string): Promise<void> => {
  await panelOf(page).getByRole('button', { name: 'Send' }).waitFor()
  await panelOf(page).getByLabel('Message', { exact: true }).fill(text)
  await page.keyboard.press('Enter')
}
const open = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Assistant' }).waitFor()
  await page.keyboard.press('ControlOrMeta+j')
  await panelOf(page).getByLabel('Message', { exact: true }).waitFor()
}

describe('the assistant', () => {
  journey('helps a person', {
    'a model is connected and tested, and nothing of someone else is overwritten': async (visit) => {
      const { page } = visit
      await enterAs(visit, service, admin, '/')
      await page.getByRole('button', { name: 'Assistant' }).click()
      await panelOf(page).getByRole('link', { name: 'Connect a provider' }).click()
      await page.getByRole('radio', { name: /Ollama on your server/ }).check()
      await page.getByLabel('Model', { exact: true }).fill(MODEL)
      await page.getByLabel('Base URL').fill(ollama.url)
      ollama.model((messages) => {
        const transcript = messages.map(({ content }) => content).join('\n')
        const [, marker = ''] = /marker "([^"]+)"/.exec(transcript) ?? []
        const [, echo = ''] = /"echo":"([^"]+)"/.exec(transcript) ?? []
        return echo === '' ? { calls: [{ name: 'cms_connection_check', args: { marker, step: 1 } }] } : { text: echo }
      })
      await page.getByRole('button', { name: 'Test connection' }).click()
      await page.getByText('Works', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByText('Provider connected').waitFor()
      await panelOf(page).getByLabel('Message', { exact: true }).waitFor()
      await look(visit, 'cms-ai-settings')
      await onPhoneInTheDark(visit, () => fits(visit, 'cms-ai-settings-dark-390'))
      // Somebody else saves meanwhile
      await connectOllama(admin.client, ollama, { limits: { userTokensPerDay: 70_000 } })
      await page.getByLabel('Tokens per day, visitors').fill('5000')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByText(/saved first/).waitFor()
      visit.expectProblem(/409/)
      await page.getByRole('button', { name: 'Load theirs' }).click()
      await until(
        async () => (await page.getByLabel('Tokens per day, each person').inputValue()) === '70000',
        'what the other one saved',
      )
      assert.notEqual((await admin.client.get('/api/ai')).body.limits.visitorTokensPerDay, 5_000)
      // The way back from a sign-in at a provider
      await goTo(page, '/settings/ai?aiError=AI_CONSENT_DENIED&message=It+was+cancelled+there.')
      await page.getByText('It was cancelled there.').waitFor()
      await page.getByRole('main').getByRole('button', { name: 'Dismiss' }).click()
      await page.getByText('It was cancelled there.').waitFor({ state: 'detached' })
    },

    'what it proposes is applied by a person, in other words, or not': async (visit) => {
      const { page } = visit
      const entries = [
        await articleOf(admin, 'First'),
        await articleOf(admin, 'Second'),
        await articleOf(admin, 'Third'),
      ]
      const [first = '', second = '', third = ''] = entries
      const pictures = [await pictureOf('sea.png'), await pictureOf('boat.png')]
      await admin.client.post(`/api/entries/${second}/status`, { action: 'publish' })
      ollama.model(
        scriptModel([
          {
            text: 'I look at the newest articles. ',
            calls: [{ name: 'list_entries', args: { type: 'article', limit: 3 } }],
          },
          {
            text: 'Now I propose **shorter** summaries.',
            calls: [
              shorten(first, 'Built in 1890.'),
              shorten(second, 'Busy every day.'),
              shorten(third, 'A busy harbour.'),
              {
                name: 'propose_media_update',
                args: {
                  items: pictures.map((id, index) => ({ id, alt: index === 0 ? 'The sea' : 'A boat' })),
                  reason: 'They have no alt text',
                },
              },
            ],
          },
          {
            text: 'I proposed three summaries and two texts. See [all articles](/content/article), not ![x](https://evil.test/p.png).',
          },
        ]),
      )
      await ask(page, 'Shorten the summaries of the three newest articles and add alt text where it is missing')
      await panelOf(page).getByText('I proposed three summaries').waitFor()
      await panelOf(page).getByRole('list', { name: 'Steps' }).first().waitFor()
      assert.equal(await panelOf(page).locator('img').count(), 0)
      assert.deepEqual(
        await panelOf(page)
          .getByRole('log')
          .locator('p a')
          .evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
        ['/admin/content/article'],
      )
      await look(visit, 'cms-assistant-cards')
      await cardOf(page, 'Update “First”').getByRole('button', { name: 'Apply', exact: true }).click()
      await page.getByText('Applied: Update “First”').first().waitFor()
      assert.equal(await summaryOf(first), 'Built in 1890.')
      // A person may say it in other words
      await cardOf(page, 'Update “Second”').getByRole('button', { name: 'Edit Summary' }).click()
      await cardOf(page, 'Update “Second”').getByLabel('New Summary').fill('Never idle.')
      await cardOf(page, 'Update “Second”').getByRole('button', { name: 'Apply live' }).click()
      await page.getByText('Applied: Update “Second”').first().waitFor()
      const { body: live } = await admin.client.get(`/api/entries/${second}`)
      assert.deepEqual([live.data.summary, live.pending], ['Never idle.', false])
      await cardOf(page, 'Update “Third”').getByRole('button', { name: 'Dismiss' }).click()
      await cardOf(page, 'Update “Third”').getByText('Dismissed').waitFor()
      assert.equal(await summaryOf(third), LONG)
      const media = cardOf(page, 'Update 2 files')
      await media.getByRole('checkbox', { name: /boat\.png/ }).uncheck()
      await media.getByRole('button', { name: 'Apply selected' }).click()
      await media.getByText('Done').waitFor()
      const alts = await Promise.all(pictures.map(async (id) => (await admin.client.get(`/api/media/${id}`)).body.alt))
      assert.deepEqual(alts, ['The sea', ''])
    },

    'an answer goes on over a reload, is stopped or tried again': async ({ page }) => {
      const { promise: held, resolve: release } = Promise.withResolvers<void>()
      ollama.model(scriptModel([{ text: ['It begins ', held, 'and ends.'] }]))
      await ask(page, 'Tell me something')
      await panelOf(page).getByText('It begins').waitFor()
      await page.reload()
      await panelOf(page).getByText('It begins').waitFor()
      release()
      await panelOf(page).getByText('It begins and ends.').waitFor()

      ollama.model(scriptModel([{ text: ['A long ', new Promise(() => undefined)] }]))
      await ask(page, 'Tell me more')
      await panelOf(page).getByText('A long').waitFor()
      await panelOf(page).getByRole('button', { name: 'Stop' }).click()
      await panelOf(page).getByText('You stopped this answer.').waitFor()

      ollama.model(scriptModel([{ text: 'Half an answer', fault: 'cut' }, { text: 'A whole answer.' }]))
      await ask(page, 'Tell me all')
      await panelOf(page).getByText('Incomplete answer').waitFor()
      await panelOf(page).getByText('Half an answer').waitFor()
      await panelOf(page).getByRole('button', { name: 'Retry' }).last().click()
      await panelOf(page).getByText('A whole answer.').waitFor()
      assert.equal(await panelOf(page).getByText('Tell me all', { exact: true }).count(), 1)
    },

    'a proposal out of date is rebased': async (visit) => {
      const { page } = visit
      const id = await articleOf(admin, 'Tides', 'High and low')
      await goTo(page, `/content/article/${id}`)
      await page.getByRole('textbox', { name: 'Summary', exact: true }).waitFor()
      ollama.model(scriptModel([{ calls: [shorten(id, 'Tides.')] }, { text: 'Proposed.' }]))
      await ask(page, 'Shorten it')
      const card = cardOf(page, 'Update “Tides”')
      await card.getByRole('button', { name: 'Apply', exact: true }).waitFor()
      await page.getByRole('textbox', { name: 'Summary', exact: true }).fill('High, low, and between')
      await card.getByText('You have unsaved changes to this entry').waitFor()
      await card.getByRole('button', { name: 'Save', exact: true }).click()
      await card.getByText('This entry has changed since').waitFor()
      await visit.shot('cms-assistant-stale')
      await card.getByRole('button', { name: 'Compare' }).click()
      await card.getByLabel('Use the proposed value').check()
      await onPhoneInTheDark(visit, async () => {
        await page.getByRole('button', { name: 'Assistant' }).click()
        await card.getByText('Use the proposed value').scrollIntoViewIfNeeded()
        await visit.shot('cms-assistant-dark-390')
        await page.keyboard.press('Escape')
      })
      await card.getByRole('button', { name: 'Apply', exact: true }).click()
      await page.getByText('Applied: Update “Tides”').first().waitFor()
      assert.equal(await summaryOf(id), 'Tides.')
      // The open editor goes on with it
      await page.waitForFunction(() =>
        [...document.querySelectorAll('textarea')].some(({ value }) => value === 'Tides.'),
      )
    },

    'a secret and what a plugin may do are for the person alone': async (visit) => {
      const { page } = visit
      const because = { reason: 'Wanted' }
      const altOf = async (filename: string, alt: string) => ({
        name: 'propose_media_update',
        args: { items: [{ id: await pictureOf(filename), alt }], ...because },
      })
      ollama.model(
        scriptModel([
          {
            calls: [
              { name: 'propose_delivery_key', args: { name: 'Website', types: ['article'], ...because } },
              { name: 'propose_social_app', args: { network: 'linkedin', clientId: 'client-1', ...because } },
              { name: 'propose_plugin_state', args: { plugin: 'plan', enabled: true, ...because } },
              await altOf('pier.png', 'A pier'),
              await altOf('gull.png', 'A gull'),
            ],
          },
          { text: 'Proposed.' },
        ]),
      )
      await ask(page, 'Create a delivery key called Website for articles')
      await panelOf(page)
        .getByRole('button', { name: /Create/ })
        .click()
      assert.match(await takeSecret(page), /^cms_/)
      assert.equal((await admin.client.get('/api/delivery-keys')).body.items.length, 1)

      // What the assistant never sees: a secret, and what a plugin may do
      const app = cardOf(page, 'Save the LinkedIn app')
      assert.equal(await app.getByLabel('Client secret').getAttribute('type'), 'password')
      await app.getByLabel('Client secret').fill('hush-0123456789')
      await app.getByRole('button', { name: 'Save app' }).click()
      await page.getByText('Applied: Save the LinkedIn app').first().waitFor()
      assert.doesNotMatch(await panelOf(page).innerText(), /hush-0123456789/)
      const plugin = cardOf(page, 'Turn on the plugin “Plan”')
      const switchOn = plugin.getByRole('button', { name: 'Turn on' })
      assert.equal(await switchOn.getAttribute('aria-disabled'), 'true')
      await plugin.getByLabel('Allow this for Plan').check()
      await visit.shot('cms-assistant-plugin-card')
      await switchOn.click()
      await page.getByText('Applied: Turn on the plugin “Plan”').first().waitFor()
      assert.equal((await admin.client.get('/api/plugins/plan')).body.enabled, true)
    },

    'all proposals of a kind are applied at once': async ({ page }) => {
      await panelOf(page)
        .getByRole('button', { name: /^Open proposals/ })
        .click()
      await panelOf(page).getByRole('button', { name: 'Apply all alt texts' }).click()
      await page.getByText('A gull').last().waitFor()
      await confirm(page, 'Apply all')
      await until(async () => (await altsOf('pier.png', 'gull.png')).join() === 'A pier,A gull', 'both alt texts')
    },

    'a conversation is renamed and deleted': async ({ page }) => {
      await panelOf(page).getByRole('button', { name: 'Conversations' }).click()
      await panelOf(page)
        .getByRole('button', { name: /^Actions for Shorten the summaries/ })
        .click()
      await page.getByRole('menuitem', { name: 'Rename' }).click()
      await page.getByRole('dialog').getByLabel('Title').fill('About tides')
      await confirm(page, 'Rename')
      await panelOf(page).getByRole('button', { name: 'Actions for About tides' }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await confirm(page, 'Delete conversation')
      await until(
        async () => !(await admin.client.get('/api/assistant/conversations')).text.includes('About tides'),
        'the conversation gone',
      )
    },
  })

  browserTest('an author sees a card that needs an editor, greyed', {}, async (visit) => {
    const { page } = visit
    await connectOllama(admin.client, ollama)
    const id = await articleOf(author, 'My draft')
    ollama.model(
      scriptModel([
        {
          calls: [
            { name: 'propose_entry_status', args: { entryId: id, action: 'publish', reason: 'You asked for it' } },
          ],
        },
        { text: 'Someone who may publish has to apply this.' },
      ]),
    )
    await enterAs(visit, service, author, `/content/article/${id}`)
    await open(page)
    await ask(page, 'Publish this')
    const card = cardOf(page, 'Publish “My draft”')
    await card.getByText('Needs an editor').waitFor()
    assert.equal(await card.getByRole('button', { name: 'Publish', exact: true }).getAttribute('aria-disabled'), 'true')
    await card.getByRole('button', { name: 'Publish', exact: true }).click({ force: true })
    assert.equal((await author.client.get(`/api/entries/${id}`)).body.status, 'draft')
    await visit.shot('cms-assistant-greyed')
  })
})
