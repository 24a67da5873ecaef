import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { codeOf, STEP_MS, wrongCode } from '@stoa/cms/people/two-factor/testing/two-factor.ts'
import { createTestClock } from '@stoa/kit/clock.ts'
import { type CmsService, PASSWORD, type Person, startCms } from '../lib/cms.ts'
import { enterAs, fits, goTo } from './cms-page.ts'
import { journey } from './journey.ts'
import { chooseFor, dialogOf, look, takeSecret } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

let service: CmsService
let owner: Person
let admin: Person
let author: Person
before(async () => {
  // The browser tells by its own clock what has expired
  service = await startCms({ clock: createTestClock(new Date()) })
  owner = await service.claim()
  admin = await service.person('admin', { name: 'Ada Admin', email: 'ada@example.test' })
  author = await service.person('author', { name: 'Aida Writer' })
  await service.person('viewer', { name: 'Vera Viewer', email: 'vera@example.test' })
})
after(() => service.close())

describe('people', () => {
  journey('as an admin has them', {
    'someone is added, changed by two at once, and deactivated': async (visit) => {
      const { page } = visit
      const find = async (q: string) => (await owner.client.get(`/api/users?q=${q}`)).body.items[0]
      await enterAs(visit, service, admin, '/people')
      await page.getByRole('button', { name: 'Add person' }).click()
      await page.getByLabel('Name', { exact: true }).fill('Nora New')
      await page.getByLabel('Email').fill('ADA@example.test')
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      assert.equal(await page.getByLabel('Owner').count(), 0)
      await page.getByRole('button', { name: 'Add person' }).last().click()
      await page.getByText('Someone already uses this email.').waitFor()
      await page.getByLabel('Email').fill('nora@example.test')
      await page.getByLabel('Editor').check()
      await page.getByRole('button', { name: 'Add person' }).last().click()
      await page.getByRole('button', { name: 'Actions for Nora New' }).waitFor()
      const nora = await find('nora')
      assert.equal(nora.role, 'editor')

      await chooseFor(page, 'Nora New', 'Edit')
      await page.getByLabel('Name', { exact: true }).waitFor()
      await owner.client.put(`/api/users/${nora.id}`, { name: 'Nora Newer' })
      await page.getByLabel('Author').check()
      await page.getByText('will be signed out everywhere').waitFor()
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByRole('heading', { name: 'Olive Owner saved first' }).waitFor()
      assert.equal((await find('nora')).role, 'editor')
      await page.getByRole('button', { name: 'Overwrite with mine' }).click()
      await page.getByRole('button', { name: 'Actions for Nora Newer' }).waitFor()
      assert.deepEqual([(await find('nora')).role, (await find('nora')).name], ['author', 'Nora Newer'])

      await page.getByRole('searchbox', { name: 'Search people' }).fill('nora')
      await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1)
      await page.waitForURL(/q=nora/)
      await chooseFor(page, 'Nora Newer', 'Deactivate')
      await dialogOf(page).getByLabel(/Type/).fill('Nora Newer')
      await dialogOf(page).getByRole('button', { name: 'Deactivate' }).click()
      await page.getByText('No results').waitFor()
      assert.equal((await find('nora')) ?? null, null)
      visit.expectProblem(/409/)
    },

    'what the rank forbids is not offered': async (visit) => {
      const { page } = visit
      await goTo(page, '/people')
      await page.getByRole('button', { name: 'Actions for Vera Viewer' }).waitFor()
      await look(visit, 'cms-people')
      assert.equal(await page.getByRole('button', { name: 'Actions for Olive Owner' }).count(), 0)
      await page.getByRole('button', { name: 'Actions for Ada Admin' }).click()
      await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
      assert.equal(await page.getByRole('menuitem', { name: 'Deactivate' }).count(), 0)
      await page.keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })
    },

    'people and account fit a phone in the dark': (visit) =>
      onPhoneInTheDark(visit, async () => {
        const { page } = visit
        await page.getByText('vera@example.test').waitFor()
        await look(visit, 'cms-people-dark-390')
        await goTo(page, '/account?new=agent-key')
        await page.getByLabel('Your password').waitFor()
        await fits(visit, 'cms-agent-key-dark-390')
        await page.keyboard.press('Escape')
        await dialogOf(page).waitFor({ state: 'detached' })
      }),

    'those who manage people change their own name, too': async ({ page }) => {
      await page.getByRole('button', { name: 'Edit profile' }).click()
      await page.getByLabel('Name', { exact: true }).fill('Ada A.')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByRole('button', { name: /Ada A\./ }).waitFor()
      assert.equal((await admin.client.get('/api/auth/me')).body.name, 'Ada A.')
    },
  })
})

describe('my account', () => {
  journey('of an author', {
    'two-factor sign-in is switched on with recovery codes, and off again': async (visit) => {
      const { page } = visit
      const isOn = async () => (await author.client.get('/api/auth/me')).body.totp
      await enterAs(visit, service, author, '/account')
      await page.getByRole('button', { name: 'Set up two-factor authentication' }).click()
      const dialog = dialogOf(page)
      await dialog.getByText('Link for the app').waitFor()
      await look(visit, 'cms-two-factor', 'dialog')
      const secret = (await dialog.locator('code').first().innerText()).replaceAll(' ', '')
      await dialog.getByLabel('Code from the app').fill(wrongCode(service, secret))
      await dialog.getByRole('button', { name: 'Turn on' }).click()
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
      assert.equal(await isOn(), false)
      await dialog.getByLabel('Code from the app').fill(codeOf(service, secret))
      await dialog.getByRole('button', { name: 'Turn on' }).click()
      await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
      const codes = (await takeSecret(page)).split('\n')
      assert.equal(codes.length, 10)
      assert.equal(await isOn(), true)
      service.clock.advance(2 * STEP_MS)
      await page.getByRole('button', { name: 'Turn off' }).click()
      await dialogOf(page).getByLabel('Your password').fill('a wrong password')
      await dialogOf(page)
        .getByLabel('Code', { exact: true })
        .fill(codes[0] ?? '')
      await dialogOf(page).getByRole('button', { name: 'Turn off' }).click()
      await page.getByText('Wrong password. Try again.').waitFor()
      await dialogOf(page).getByLabel('Your password').fill(PASSWORD)
      await dialogOf(page).getByRole('button', { name: 'Turn off' }).click()
      await page.getByRole('button', { name: 'Set up two-factor authentication' }).waitFor()
      assert.equal(await isOn(), false)
      visit.expectProblem(/40[03]/)
    },

    'an agent key holds what was ticked, works, and is revoked': async (visit) => {
      const { page } = visit
      await page.getByText('No agent keys yet').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Edit profile' }).count(), 0)
      await page.getByRole('button', { name: 'New agent key' }).click()
      await page.getByLabel('Name', { exact: true }).fill('Import script')
      await page.getByLabel('Write entries').check()
      assert.equal(await page.getByLabel('Edit settings').count(), 0)
      await page.getByLabel('Your password').fill('a wrong password')
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByText('Wrong password. Try again.').waitFor()
      await page.getByLabel('Your password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByText("You won't see this again").waitFor()
      const key = await takeSecret(page)
      const agent = service.client({ token: key })
      assert.deepEqual((await agent.get('/api/auth/me')).body.permissions, ['content.read', 'content.write'])
      await page.getByRole('button', { name: 'Actions for Import script' }).waitFor()
      await look(visit, 'cms-account-agent')
      await chooseFor(page, 'Import script', 'Revoke')
      await dialogOf(page).getByRole('button', { name: 'Revoke key' }).click()
      await page.getByText('Revoked', { exact: true }).waitFor()
      assert.equal((await agent.get('/api/auth/me')).status, 401)
      visit.expectProblem(/403/)
    },
  })
})
