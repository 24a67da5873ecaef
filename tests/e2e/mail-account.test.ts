import assert from 'node:assert/strict'
import { after, before, beforeEach, describe } from 'node:test'
import { decodeBase32, totpCode } from '@stoa/kit/crypto/totp.ts'
import { plantAddress } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { tokenFor } from '@stoa/mail/hosting/system-mail/testing/sent.ts'
import type { Page } from 'playwright-core'
import { browserTest } from '../lib/browser.ts'
import { type MailService, PASSWORD, startMail } from '../lib/mail.ts'
import { enterPanel } from './mail-page.ts'
import { confirm, dialogOf, fits, look } from './page.ts'

let service: MailService
before(async () => {
  service = await startMail()
})
after(() => service.close())
// The clock stands still, and sign-ins are limited per second
beforeEach(() => service.clock.advance(1000))

const TOTP_STEP_MS = 30_000

const signIn = async (page: Page, email: string, password = PASSWORD) => {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

describe('the account in the panel', () => {
  browserTest('profile, address and notifications are changed and stay', {}, async (visit) => {
    const person = await service.signUp('profile@example.test')
    const { page } = visit
    await enterPanel(visit, service, person, '/account')
    await page.getByLabel('Name').fill('Ada Lovelace')
    await page.getByLabel('Time zone').selectOption('Europe/Athens')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Profile saved').waitFor()
    await page.getByRole('button', { name: 'Change email address' }).click()
    await dialogOf(page).getByLabel('New email address').fill('ada@elsewhere.test')
    await dialogOf(page).getByLabel('Your password').fill('not my password at all')
    await dialogOf(page).getByRole('button', { name: 'Send link' }).click()
    await dialogOf(page)
      .getByText(/wrong password/i)
      .first()
      .waitFor()
    await dialogOf(page).getByLabel('Your password').fill(PASSWORD)
    await confirm(page, 'Send link')
    await page.getByText('Confirm ada@elsewhere.test to finish the change').waitFor()
    await look(visit, 'mail-account-profile')
    await page.getByRole('tab', { name: 'Notifications' }).click()
    await page.getByLabel('Weekly summary').check()
    await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'))
    const me = (await person.client.get('/api/auth/me')).body
    assert.deepEqual([me.name, me.timezone, me.pending_email], ['Ada Lovelace', 'Europe/Athens', 'ada@elsewhere.test'])
    // The link of the mail confirms by a press, and only by that
    const token = await tokenFor(service, 'ada@elsewhere.test', 'verify')
    await page.goto(`${service.url}/verify#token=${token}`)
    await page.getByRole('button', { name: 'Confirm email address' }).click()
    await page.getByText('ada@elsewhere.test is confirmed').waitFor()
    await page.waitForURL(({ hash }) => hash === '')
    const after = (await person.client.get('/api/auth/me')).body
    assert.deepEqual(
      [after.email, after.email_verified, after.notifications.weekly_summary],
      ['ada@elsewhere.test', true, true],
    )
    visit.expectProblem(/400/)
  })

  browserTest('what is typed while it is saved, or when the session has ended, is not lost', {}, async (visit) => {
    const person = await service.signUp('typing@example.test')
    const { page } = visit
    await enterPanel(visit, service, person, '/account')
    await page.getByLabel('Name').fill('Ada')
    await page.route('**/api/account', async (route) => {
      await page.getByLabel('Name').fill('Ada Lovelace')
      await route.continue()
    })
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Profile saved').waitFor()
    assert.equal(await page.getByLabel('Name').inputValue(), 'Ada Lovelace')
    await page.unroute('**/api/account')

    await visit.context.clearCookies()
    service.clock.advance(1000)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await dialogOf(page).getByText(person.email).waitFor()
    await visit.shot('mail-sign-in-again')
    await dialogOf(page).getByLabel('Password', { exact: true }).fill(PASSWORD)
    await confirm(page, 'Sign in')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Profile saved').last().waitFor()
    await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'))
    assert.equal((await person.client.get('/api/auth/me')).body.name, 'Ada Lovelace')
    visit.expectProblem(/401/)
  })

  browserTest(
    'two-factor authentication is set up, asked for after the password, and switched off',
    {},
    async (visit) => {
      const person = await service.signUp('two-factor@example.test')
      const { page } = visit
      await enterPanel(visit, service, person, '/account?tab=security')
      await page.getByRole('button', { name: 'Set up two-factor authentication' }).click()
      await dialogOf(page).getByLabel('Your password').fill(PASSWORD)
      await dialogOf(page).getByRole('button', { name: 'Continue' }).click()
      await dialogOf(page)
        .getByRole('img', { name: /QR code/ })
        .waitFor()
      await visit.shot('mail-two-factor')
      const secret = (await dialogOf(page).locator('pre').first().innerText()).replaceAll(/\s/g, '')
      const codeNow = () => totpCode(decodeBase32(secret), Math.floor(service.clock.now().getTime() / TOTP_STEP_MS))
      await dialogOf(page).getByLabel('Code from the app').fill(codeNow())
      await dialogOf(page).getByRole('button', { name: 'Turn on' }).click()
      await dialogOf(page).getByText('Recovery codes').waitFor()
      const codes = (await dialogOf(page).locator('pre').innerText()).trim().split('\n')
      assert.equal(codes.length, 10)
      await dialogOf(page)
        .getByLabel(/stored/)
        .check()
      await confirm(page, 'Done')
      assert.equal((await person.client.get('/api/auth/me')).body.totp_enabled, true)

      service.clock.advance(TOTP_STEP_MS)
      await visit.context.clearCookies()
      await page.goto(`${service.url}/sign-in`)
      await signIn(page, person.email)
      // A step of its own: no error, the focus in the code field, and a way back that keeps what was typed
      await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor()
      const code = page.getByLabel('Code', { exact: true })
      assert.ok(await code.evaluate((input) => input === document.activeElement))
      assert.equal(await page.getByRole('alert').count(), 0)
      await look(visit, 'mail-sign-in-code')
      await page.getByRole('button', { name: 'Back' }).click()
      service.clock.advance(1000)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await code.fill('000000')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText("That code isn't right.").waitFor()
      service.clock.advance(1000)
      await page.getByRole('button', { name: 'Use a recovery code' }).click()
      await page.getByLabel('Recovery code').fill(codes[0] ?? '')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'Overview' }).waitFor()

      await page.getByRole('link', { name: 'Account' }).click()
      await page.getByRole('tab', { name: 'Security' }).click()
      await page.getByRole('button', { name: 'Turn off' }).click()
      await dialogOf(page).getByLabel('Your password').fill(PASSWORD)
      await dialogOf(page)
        .getByLabel('Code')
        .fill(codes[1] ?? '')
      await confirm(page, 'Turn off')
      await page.getByRole('button', { name: 'Set up two-factor authentication' }).waitFor()
      visit.expectProblem(/4(01|22)/)
    },
  )

  browserTest('forgotten passwords: of an account and of a mailbox, with links that work once', {}, async (visit) => {
    const person = await service.signUp('forgetful@example.test')
    const { page } = visit
    await page.goto(`${service.url}/forgot`)
    await page.getByLabel('Email address').fill(person.email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByText('Check your email').waitFor()
    const token = await tokenFor(service, person.email, 'reset')
    for (const isFirst of [true, false]) {
      await page.goto('about:blank')
      await page.goto(`${service.url}/reset#token=${token}`)
      await page.getByLabel('New password').fill('seven lanterns in the harbour')
      await page.getByRole('button', { name: 'Set password' }).click()
      await page
        .getByText(isFirst ? 'Password changed' : /expired|wrong|used/i)
        .first()
        .waitFor()
    }
    await look(visit, 'mail-reset')
    service.clock.advance(1000)
    await page.getByRole('link', { name: 'Back to sign in' }).click()
    await signIn(page, person.email, 'seven lanterns in the harbour')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()

    const recovery = 'other-place@elsewhere.test'
    const box = await plantAddress(service.database, 'bob@recover.test', { accountId: person.id })
    const cookie = await service.openSession(person.id)
    const path = `/api/addresses/${box.id}/recovery`
    await service.client({ cookie }).post(path, { recovery_email: recovery })
    await page.goto(`${service.url}/recover`)
    await page.getByLabel('Mailbox address').fill('somebody@unknown.test')
    await page.getByRole('button', { name: 'Send link' }).click()
    await page
      .getByText(/Recovery isn't available for unknown.test/)
      .first()
      .waitFor()
    await page.getByLabel('Mailbox address').fill(box.email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByText('Check your recovery address').waitFor()
    await page.goto('about:blank')
    await page.goto(`${service.url}/recover#token=${await tokenFor(service, recovery, 'recover')}`)
    await page.getByLabel('New password').fill('nine lanterns in the harbour')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('Password changed').waitFor()
    const signedIn = await service
      .client()
      .post('/api/mail/login', { email: box.email, password: 'nine lanterns in the harbour' })
    assert.equal(signedIn.status, 200)
    visit.expectProblem(/40[01]/)
  })

  browserTest(
    'usage and invitations speak of no money without billing, in the dark on a phone',
    { theme: 'dark', phone: true },
    async (visit) => {
      const person = await service.signUp('billing@example.test')
      const { page } = visit
      await enterPanel(visit, service, person, '/billing/plans')
      await page.getByRole('heading', { name: 'Everything is included' }).waitFor()
      const headings = await page.getByRole('main').getByRole('heading').allInnerTexts()
      assert.deepEqual(headings, ['Plan and usage', 'Everything is included'])
      assert.equal(await page.getByRole('meter').count(), 0, 'where there is no limit there is nothing to be near to')
      await look(visit, 'mail-usage-dark-390')
      await page.getByRole('button', { name: 'Open navigation' }).click()
      await page.getByRole('link', { name: 'Account' }).click()
      await page.getByRole('tab', { name: 'Invitations' }).click()
      await page.getByText(/referral_code=/).waitFor()
      assert.equal(await page.getByText('Your credit').count(), 0)
      await look(visit, 'mail-referrals-dark-390')
      await page.getByRole('tab', { name: 'Profile' }).click()
      await page.getByRole('button', { name: 'Delete account' }).click()
      await dialogOf(page)
        .getByLabel(/to confirm/)
        .fill(person.email)
      await dialogOf(page).getByLabel('Your password').fill(PASSWORD)
      await fits(visit, 'mail-delete-account-dark-390')
      await dialogOf(page).getByRole('button', { name: 'Delete account' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      assert.equal((await person.client.get('/api/auth/me')).status, 401)
      visit.expectProblem(/401/)
    },
  )
})
