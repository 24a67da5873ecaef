import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { picture } from '@stoa/cms/content/media/testing/fixtures.ts'
import { codeOf, STEP_MS } from '@stoa/cms/people/two-factor/testing/two-factor.ts'
import { createTestClock } from '@stoa/kit/clock.ts'
import { type CmsService, PASSWORD, type Person, startCms } from '../lib/cms.ts'
import { type FakeSmtp, startFakeSmtp } from '../lib/fake-smtp.ts'
import { until } from '../lib/waiting.ts'
import { enterAs, goTo } from './cms-page.ts'
import { journey } from './journey.ts'
import { chooseFor, dialogOf, fits, hasCopied, look, takeSecret } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

let smtp: FakeSmtp
let service: CmsService
let owner: Person
let admin: Person
let author: Person
before(async () => {
  // The browser uses its own clock for what has expired
  smtp = await startFakeSmtp()
  service = await startCms({
    clock: createTestClock(new Date()),
    env: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}` },
    background: true,
  })
  owner = await service.claim()
  admin = await service.person('admin', { name: 'Ada Admin', email: 'ada@example.test' })
  author = await service.person('author', { name: 'Aida Writer' })
  await service.person('viewer', { name: 'Vera Viewer', email: 'vera@example.test' })
})
after(async () => {
  await service.close()
  await smtp.close()
})

/** The link in the last mail to this address, at the address where the service really is. */
const mailedLink = async (email: string, screen: string): Promise<string> => {
  const link = new RegExp(`/admin/${screen}#token=[\\w-]{43}`)
  const textOf = (raw: Buffer) => raw.toString().replaceAll('=\r\n', '').replaceAll('=3D', '=')
  const found = await until(() => {
    const mails = smtp.messages.filter(({ to }) => to.includes(email)).map(({ raw }) => textOf(raw))
    return mails.flatMap((text) => link.exec(text) ?? []).at(-1)
  }, `a link to ${screen}`)
  return service.url + found
}

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
        await fits(visit, 'cms-people-dark-390')
        await page.getByRole('button', { name: 'Invite', exact: true }).click()
        await dialogOf(page).getByLabel('Email').fill('ida@example.test')
        await dialogOf(page).getByRole('button', { name: 'Create invitation' }).click()
        await page.getByRole('heading', { name: 'Invitation sent to ida@example.test' }).waitFor()
        await fits(visit, 'cms-invitation-link-dark-390')
        await dialogOf(page).getByRole('button', { name: 'Done' }).click()
        await page.getByRole('tab', { name: 'Invitations' }).click()
        await chooseFor(page, 'ida@example.test', 'Withdraw')
        await dialogOf(page).getByRole('button', { name: 'Withdraw invitation' }).click()
        await page.getByText('No open invitations').waitFor()
        await fits(visit, 'cms-invitations-dark-390')
        assert.equal((await admin.client.get('/api/invitations')).body.meta.total, 0)
        await goTo(page, '/account?new=agent-key')
        await page.getByLabel('Your password').waitFor()
        await fits(visit, 'cms-agent-key-dark-390')
        await page.keyboard.press('Escape')
        await dialogOf(page).waitFor({ state: 'detached' })
      }),

    'a picture is chosen, shown beside the name, and taken away': async (visit) => {
      const { page } = visit
      const form = new FormData()
      form.set('file', new Blob([new Uint8Array(await picture('png', 80, 80))]), 'face.png')
      const sent = await fetch(`${service.url}/api/media`, {
        method: 'POST',
        body: form,
        headers: { authorization: `Bearer ${admin.token}` },
      })
      assert.equal(sent.status, 201)
      await page.getByRole('button', { name: 'Add picture' }).click()
      await dialogOf(page)
        .getByRole('button', { name: /face\.png/ })
        .first()
        .click()
      await page.getByRole('button', { name: 'Change picture' }).waitFor()
      await page.waitForFunction(() => document.querySelectorAll('img[src*="face.png"]').length >= 2)
      await look(visit, 'cms-account-picture')
      assert.match((await admin.client.get('/api/auth/me')).body.avatarUrl, /face\.png$/)
      await page.getByRole('button', { name: 'Remove picture' }).click()
      await page.getByRole('button', { name: 'Add picture' }).waitFor()
      assert.equal((await admin.client.get('/api/auth/me')).body.avatarUrl, null)
    },

    'those who manage people change their own name, too': async ({ page }) => {
      await page.getByRole('button', { name: 'Edit profile' }).click()
      await page.getByLabel('Name', { exact: true }).fill('Ada A.')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByRole('button', { name: /Ada A\./ }).waitFor()
      assert.equal((await admin.client.get('/api/auth/me')).body.name, 'Ada A.')
    },

    'someone is invited, joins by the mailed link, and replaces a forgotten password': async (visit) => {
      const { page } = visit
      await goTo(page, '/people')
      await page.getByRole('button', { name: 'Invite', exact: true }).click()
      await dialogOf(page).getByLabel('Email').fill('ada@example.test')
      await dialogOf(page).getByRole('button', { name: 'Create invitation' }).click()
      await page.getByText('already has an account or an open invitation').waitFor()
      await dialogOf(page).getByLabel('Email').fill('ivy@example.test')
      await dialogOf(page).getByLabel('Editor').check()
      await look(visit, 'cms-invite', 'dialog')
      await dialogOf(page).getByRole('button', { name: 'Create invitation' }).click()
      await page.getByRole('heading', { name: 'Invitation sent to ivy@example.test' }).waitFor()
      const shown = await dialogOf(page).locator('code').innerText()
      await fits(visit, 'cms-invitation-link', 'dialog')
      await dialogOf(page).getByRole('button', { name: 'Copy link' }).click()
      assert.ok(await hasCopied(page, shown))
      await dialogOf(page).getByRole('button', { name: 'Done' }).click()
      await page.getByRole('tab', { name: 'Invitations' }).click()
      await page.getByText('Email sent').waitFor()
      await look(visit, 'cms-invitations')

      await visit.context.clearCookies()
      await page.goto(await mailedLink('ivy@example.test', 'invitation'))
      await page.getByLabel('Your name').fill('Ivy Gast')
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await look(visit, 'cms-invitation')
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.getByRole('button', { name: /Ivy Gast/ }).waitFor()

      await visit.context.clearCookies()
      await page.goto(`${service.url}/admin/sign-in`)
      await page.getByRole('link', { name: 'Forgot password?' }).click()
      await page.getByLabel('Email').fill('ivy@example.test')
      await look(visit, 'cms-forgot')
      await page.getByRole('button', { name: 'Send link' }).click()
      await page.getByText('Check your email').waitFor()
      await page.goto(await mailedLink('ivy@example.test', 'reset-password'))
      await page.getByLabel('New password').fill('another one of many words')
      await page.getByRole('button', { name: 'Set password' }).click()
      await page.getByText('Password changed.').waitFor()
      const body = { email: 'ivy@example.test', password: 'another one of many words' }
      assert.equal((await service.client().post('/api/auth/login', body)).status, 200)
      visit.expectProblem(/40[019]/)
    },
  })
})

describe('my account', () => {
  journey('of an author', {
    'two-factor authentication is switched on with recovery codes, and off again': async (visit) => {
      const { page } = visit
      const isOn = async () => (await author.client.get('/api/auth/me')).body.totp
      await enterAs(visit, service, author, '/account')
      await page.getByRole('button', { name: 'Set up two-factor authentication' }).click()
      const dialog = dialogOf(page)
      await dialog.getByText('Link for the app').waitFor()
      await look(visit, 'cms-two-factor', 'dialog')
      const secret = (await dialog.locator('code').first().innerText()).replaceAll(' ', '')
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
      visit.expectProblem(/403/)
    },

    'an agent key holds what was ticked, works, and is revoked': async (visit) => {
      const { page } = visit
      await page.getByText('No agent keys yet').waitFor()
      await page.getByRole('button', { name: 'Edit name' }).click()
      await dialogOf(page).getByLabel('Name', { exact: true }).fill('Aida W.')
      await dialogOf(page).getByRole('button', { name: 'Save changes' }).click()
      await page.getByRole('button', { name: /Aida W\./ }).waitFor()
      await page.getByRole('button', { name: 'New agent key' }).click()
      await page.getByLabel('Name', { exact: true }).fill('Import script')
      await page.getByLabel('Write entries').check()
      assert.equal(await page.getByLabel('Edit settings').count(), 0)
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
    },
  })
})
