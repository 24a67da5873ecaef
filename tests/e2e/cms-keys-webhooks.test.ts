import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import { promisify } from 'node:util'
import { ALLOW_PRIVATE, addHook, publish, sendDue } from '@stoa/cms/site/webhooks/testing/ground.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { browserTest } from '../lib/browser.ts'
import { type CmsService, type Person, startCms } from '../lib/cms.ts'
import { type FakeWebhook, startFakeWebhook } from '../lib/fake-webhook.ts'
import { enterAs, goTo, navigationOf } from './cms-page.ts'
import { journey } from './journey.ts'
import { chooseFor, confirm, dialogOf, fits, hasCopied, look, takeSecret } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

const run = promisify(execFile)

let service: CmsService
let admin: Person
let receiver: FakeWebhook
/** A key that somebody else makes meanwhile. */
let builder: { id: string; key: string }
before(async () => {
  service = await startCms({ env: ALLOW_PRIVATE })
  await service.claim()
  admin = await service.person('admin', { name: 'Ada Admin' })
  receiver = await startFakeWebhook({ now: () => service.clock.now() })
  for (const [name, label] of [
    ['article', 'Articles'],
    ['page', 'Pages'],
  ])
    await admin.client.post('/api/types', { name, label, fields: [{ key: 'body', type: 'markdown' }] })
  const entry = await admin.client.post('/api/entries', { type: 'page', title: 'About us', data: { body: 'Hello' } })
  await admin.client.post(`/api/entries/${entry.body.id}/status`, { action: 'publish' })
})
after(async () => {
  await receiver.close()
  await service.close()
})

describe('keys, webhooks and the reference', () => {
  journey('of a site', {
    'a key is made for some types, and its examples work as they are': async (visit) => {
      const { page } = visit
      await enterAs(visit, service, admin, '/keys')
      await page.getByText('No delivery keys yet').waitFor()
      await page.getByRole('button', { name: 'New key' }).first().click()
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByText('Enter a name.').waitFor()
      await page.getByLabel('Name').fill('Website of the harbour')
      await page.getByLabel('Only some types').check()
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByText('Choose at least one type.').waitFor()
      await page.getByLabel('Pages', { exact: true }).check()
      const addKey = async (name: string) =>
        (await admin.client.post('/api/delivery-keys', { name, types: ['*'] })).body
      await addKey('A key that goes on and on '.repeat(4))
      builder = await addKey('Build server')
      await page.getByRole('button', { name: 'Create key' }).click()
      const dialog = dialogOf(page)
      await dialog.getByText("You won't see this again").waitFor()
      await look(visit, 'cms-keys-minted', 'dialog')
      const curl = await dialog.getByRole('tabpanel').locator('code').innerText()
      const { stdout } = await run('sh', ['-c', `${curl} -s`])
      assert.equal(JSON.parse(stdout).items[0].title, 'About us')
      await dialog.getByRole('tab', { name: 'JavaScript' }).click()
      const code = await dialog.getByRole('tabpanel').locator('code').innerText()
      const key = await takeSecret(page)
      const made = await run(process.execPath, ['--input-type=module', '--eval', code], {
        cwd: join(import.meta.dirname, '..', '..'),
        env: { ...process.env, CMS_API_KEY: key },
      })
      assert.match(made.stdout, /About us/)
      await page.getByRole('cell', { name: 'Website of the harbour', exact: true }).waitFor()
      const { items } = (await admin.client.get('/api/delivery-keys')).body
      assert.deepEqual(items.find(({ name }: { name: string }) => name.startsWith('Website')).types, ['page'])
    },

    'a change by someone else is asked about, not overwritten; revoking ends the key': async (visit) => {
      const { page } = visit
      const read = async () => (await admin.client.get(`/api/delivery-keys/${builder.id}`)).body
      await page.getByRole('cell', { name: 'Build server', exact: true }).waitFor()
      await look(visit, 'cms-keys')
      await chooseFor(page, 'Build server', 'Edit')
      await admin.client.put(`/api/delivery-keys/${builder.id}`, { types: ['article'] })
      await page.getByLabel('Name').fill('Builder')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByText('changed the key “Build server” after you opened it').waitFor()
      assert.equal((await read()).name, 'Build server')
      await page.getByRole('button', { name: 'Keep editing' }).click()
      await page.getByText('Not saved:').waitFor()
      assert.equal(await page.getByLabel('Name').inputValue(), 'Builder')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByRole('button', { name: 'Load theirs' }).click()
      await page.getByLabel('Articles', { exact: true }).waitFor()
      assert.equal(await page.getByLabel('Name').inputValue(), 'Build server')
      await page.getByLabel('Name').fill('Builder')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByRole('cell', { name: 'Builder', exact: true }).waitFor()
      assert.deepEqual([(await read()).name, (await read()).types], ['Builder', ['article']])
      await chooseFor(page, 'Builder', 'Revoke')
      await confirm(page, 'Revoke key')
      await page.getByRole('cell', { name: 'Builder', exact: true }).waitFor({ state: 'detached' })
      assert.equal((await service.client().get('/content/article', { 'x-api-key': builder.key })).status, 401)
      await page.getByLabel('Status').selectOption('revoked')
      await page.getByRole('cell', { name: 'Builder', exact: true }).waitFor()
      await page.waitForURL(/state=revoked/)
      visit.expectProblem(/409/)
    },

    'a webhook is made, tested, looked into, sent again and switched off': async (visit) => {
      const { page } = visit
      await goTo(page, '/webhooks?new=1')
      await page.getByLabel('Endpoint URL').fill('ftp://example.com')
      await page.getByRole('button', { name: 'Create webhook' }).click()
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
      visit.expectProblem(/400/)
      await page.getByLabel('Endpoint URL').fill(`${receiver.url}/hook`)
      await page.getByLabel(/^Name/).fill('Rebuild')
      await page.getByLabel('Only some events').check()
      await page.getByLabel('Entries', { exact: true }).check()
      await page.getByRole('button', { name: 'Create webhook' }).click()
      await dialogOf(page).getByText('Signing secret of “Rebuild”').waitFor()
      receiver.trust(await takeSecret(page))
      await page.getByRole('heading', { name: 'Rebuild' }).waitFor()
      await page.getByText('No deliveries yet').waitFor()
      receiver.script([{ status: 500, body: 'The cellar is flooded' }])
      await page.getByRole('button', { name: 'Send test' }).click()
      await page.getByText('Test failed: server returned 500').waitFor()
      await page.getByRole('button', { name: 'Send test' }).click()
      await page.getByText(/Test delivered: 204/).waitFor()
      await publish(service)
      await sendDue(service)
      await page.getByRole('button', { name: 'Actions for entry.published' }).waitFor()
      await look(visit, 'cms-webhook')
      await chooseFor(page, 'entry.published', 'View')
      await dialogOf(page).getByText('"slug": "hello"').waitFor()
      await dialogOf(page).getByText('Response 204').waitFor()
      await look(visit, 'cms-webhook-delivery', 'dialog')
      const before = receiver.received.length
      await dialogOf(page).getByRole('button', { name: 'Resend' }).click()
      await page.getByText('Resent').waitFor()
      await sendDue(service)
      await receiver.waitFor(before + 1)
      await page.keyboard.press('Escape')
      await page.getByLabel('Send events').click()
      await page.getByText('This webhook is off').waitFor()
      const [hook] = (await admin.client.get('/api/webhooks')).body.items
      assert.deepEqual([hook.enabled, hook.disabledReason, hook.events.length], [false, 'owner', 7])
      assert.deepEqual(receiver.problems, [])
    },

    'a secret is replaced, a webhook edited and deleted': async ({ page }) => {
      const hook = await addHook(admin.client, { url: `${receiver.url}/other`, name: 'Chat' })
      await goTo(page, '/webhooks')
      await page.getByRole('link', { name: /Chat/ }).click()
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Replace secret' }).click()
      await dialogOf(page).getByRole('button', { name: 'Replace secret' }).click()
      await dialogOf(page).getByText("You won't see this again").waitFor()
      assert.notEqual(await takeSecret(page), hook.secret)
      await page.getByRole('button', { name: 'Edit' }).click()
      await page.getByLabel(/^Name/).fill('Team chat')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByRole('heading', { name: 'Team chat' }).waitFor()
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Delete webhook' }).click()
      await dialogOf(page).getByRole('button', { name: 'Delete webhook' }).click()
      await page.getByRole('heading', { name: 'Webhooks' }).waitFor()
      assert.equal((await admin.client.get(`/api/webhooks/${hook.id}`)).status, 404)
    },

    'keys and webhooks fit a phone in the dark': (visit) =>
      onPhoneInTheDark(visit, async () => {
        const { page } = visit
        await goTo(page, '/keys')
        await page.getByText('A key that goes on').waitFor()
        await fits(visit, 'cms-keys-dark-390')
        await goTo(page, '/webhooks')
        await page.getByRole('link', { name: /Rebuild/ }).waitFor()
        await fits(visit, 'cms-webhooks-dark-390')
        await page.getByRole('link', { name: /Rebuild/ }).click()
        await page.getByText('entry.published').first().waitFor()
        await fits(visit, 'cms-webhook-dark-390')
      }),

    'the API reference finds an endpoint, and keeps the language of its samples': async (visit) => {
      const { page } = visit
      await page.goto(`${service.url}/reference`)
      await page.keyboard.press('/')
      await page.keyboard.type('webhooks redeliver')
      const found = page.getByRole('navigation').locator('li li a:visible')
      await until(async () => (await found.count()) === 1)
      await page.keyboard.press('Enter')
      const endpoint = page.locator('article:target')
      await endpoint.getByText('curl -X POST').waitFor()
      await endpoint.getByRole('button', { name: 'Python' }).click()
      await endpoint.getByText('requests.post(').waitFor()
      await endpoint.getByRole('button', { name: 'Copy' }).first().click()
      await endpoint.getByRole('button', { name: 'Copied' }).waitFor()
      assert.ok(await hasCopied(page, await endpoint.locator('pre:visible').first().innerText()))
      // One endpoint is like the other, and axe would walk through hundreds
      await page.evaluate(() => {
        for (const other of document.querySelectorAll('article:not(:target), nav li li:not(:first-child)'))
          other.remove()
      })
      await visit.axe('nav, article')
      await page.reload()
      await endpoint.getByText('requests.post(').waitFor()
      await onPhoneInTheDark(visit, () => fits(visit, 'cms-reference-phone'))
    },
  })
})

describe('roles', () => {
  browserTest('an author is not offered what is for others, and informed at its address', {}, async (visit) => {
    const { page } = visit
    const author = await service.person('author')
    await enterAs(visit, service, author, '/keys')
    await page.getByText("You don't have access to this page").waitFor()
    for (const path of ['/people', '/types/article']) {
      await goTo(page, path)
      await until(async () => new URL(page.url()).pathname === `/admin${path}`, path)
      await page.getByText("You don't have access to this page").waitFor()
    }
    const links = await navigationOf(page)
    assert.deepEqual(
      links.filter((label) => /keys|Webhooks|People|Settings|Taxonomies/.test(label)),
      [],
    )
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByPlaceholder(/command/).fill('New delivery key')
    await page.getByRole('option', { name: /delivery/i }).waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('option', { name: 'New delivery key' }).count(), 0)
  })
})
