import assert from 'node:assert/strict'
import { after, before, beforeEach, describe } from 'node:test'
import { decodeBase32, totpCode } from '@stoa/kit/crypto/totp.ts'
import { plantAddress } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { tokenFor } from '@stoa/mail/hosting/system-mail/testing/sent.ts'
import { browserTest, type Visit } from '../lib/browser.ts'
import { type MailService, PASSWORD, startMail } from '../lib/mail.ts'
import { type Customer, enterPanel, lookAtTab } from './mail-page.ts'
import { confirm, dialogOf, fits, look } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

let service: MailService
before(async () => {
  service = await startMail()
  // The first account owns the instance, and stays
  await service.signUp('owner@example.test')
})
after(() => service.close())
// The clock stands still, and sign-ins are limited per second
beforeEach(() => service.clock.advance(1000))

const TOTP_STEP_MS = 30_000

describe('the account in the panel', () => {
  browserTest(
    'is changed without losing what is typed, asks for a second factor, and is deleted on a phone in the dark',
    {},
    async (visit) => {
      const person = await service.signUp('profile@example.test')
      await enterPanel(visit, service, person, '/account')
      await keepTyped(visit, person)
      await changeAddress(visit, person)
      await useSecondFactor(visit, person)
      await onPhoneInTheDark(visit, () => deleteAccount(visit))
      visit.expectProblem(/4(0[01]|22)/)
    },
  )

  browserTest('forgotten passwords: of an account and of a mailbox, with links of mails', {}, async (visit) => {
    const person = await service.signUp('forgetful@example.test')
    const { page } = visit
    await page.goto(`${service.url}/forgot`)
    await page.getByLabel('Email address').fill(person.email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByText('Check your email').waitFor()
    await page.goto(`${service.url}/reset#token=${await tokenFor(service, person.email, 'reset')}`)
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await look(visit, 'mail-reset')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('Password changed').waitFor()
    const back = await service.client().post('/api/auth/login', { email: person.email, password: NEW_PASSWORD })
    assert.equal(back.status, 200, back.text)

    const recovery = 'other-place@elsewhere.test'
    const box = await plantAddress(service.database, 'bob@recover.test', { accountId: person.id })
    const cookie = await service.openSession(person.id)
    const path = `/api/addresses/${box.id}/recovery`
    await service.client({ cookie }).post(path, { recovery_email: recovery })
    await page.goto(`${service.url}/recover`)
    await page.getByLabel('Mailbox address').fill(box.email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByText('Check your recovery address').waitFor()
    await page.goto('about:blank')
    await page.goto(`${service.url}/recover#token=${await tokenFor(service, recovery, 'recover')}`)
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('Password changed').waitFor()
    const signedIn = await service.client().post('/api/mail/login', { email: box.email, password: NEW_PASSWORD })
    assert.equal(signedIn.status, 200)
  })
})

const NEW_PASSWORD = 'seven lanterns in the harbour'
const NEW_EMAIL = 'ada@elsewhere.test'
/** In a session of its own: a change of how one signs in ends the others. */
const me = async ({ id }: Customer) =>
  (await service.client({ cookie: await service.openSession(id) }).get('/api/auth/me')).body

/** What is typed while it is saved, or when the session has ended, is not lost. */
const keepTyped = async (visit: Visit, person: Customer): Promise<void> => {
  const { page } = visit
  await page.getByLabel('Name').fill('Ada')
  await page.route('**/api/account', async (route) => {
    await page.getByLabel('Name').fill('Ada Lovelace')
    await route.continue()
  })
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Profile saved').waitFor()
  assert.equal(await page.getByLabel('Name').inputValue(), 'Ada Lovelace')
  await page.unroute('**/api/account')

  await page.getByLabel('Time zone').selectOption('Europe/Athens')
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
  const { name, timezone } = await me(person)
  assert.deepEqual([name, timezone], ['Ada Lovelace', 'Europe/Athens'])
}

/** Another address holds once the link of its mail confirms it, by a press and only by that. */
const changeAddress = async (visit: Visit, person: Customer): Promise<void> => {
  const { page } = visit
  await page.getByRole('button', { name: 'Change email address' }).click()
  await dialogOf(page).getByLabel('New email address').fill(NEW_EMAIL)
  await dialogOf(page).getByLabel('Your password').fill('not my password at all')
  await dialogOf(page).getByRole('button', { name: 'Send link' }).click()
  await dialogOf(page)
    .getByText(/wrong password/i)
    .first()
    .waitFor()
  await dialogOf(page).getByLabel('Your password').fill(PASSWORD)
  await confirm(page, 'Send link')
  await page.getByText(`Confirm ${NEW_EMAIL} to finish the change`).waitFor()
  await look(visit, 'mail-account-profile')
  await page.getByRole('tab', { name: 'Notifications' }).click()
  // What the change before it reads anew may come in between
  await page.getByLabel('Weekly summary').click()
  await page.getByRole('switch', { name: 'Weekly summary', checked: true }).waitFor()
  await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'))
  assert.equal((await me(person)).pending_email, NEW_EMAIL)
  await page.goto(`${service.url}/verify#token=${await tokenFor(service, NEW_EMAIL, 'verify')}`)
  await page.getByRole('button', { name: 'Confirm email address' }).click()
  await page.getByText(`${NEW_EMAIL} is confirmed`).waitFor()
  await page.waitForURL(({ hash }) => hash === '')
  const { email, email_verified: isVerified, notifications } = await me(person)
  assert.deepEqual([email, isVerified, notifications.weekly_summary], [NEW_EMAIL, true, true])
}

/** Set up, asked for after the password, and switched off. */
const useSecondFactor = async (visit: Visit, person: Customer): Promise<void> => {
  const { page } = visit
  await page.goto(`${service.url}/account?tab=security`)
  await page.getByRole('button', { name: 'Set up two-factor authentication' }).click()
  await dialogOf(page).getByLabel('Your password').fill(PASSWORD)
  await dialogOf(page).getByRole('button', { name: 'Continue' }).click()
  await dialogOf(page)
    .getByRole('img', { name: /QR code/ })
    .waitFor()
  await visit.shot('mail-two-factor')
  const secret = (await dialogOf(page).locator('pre').first().innerText()).replaceAll(/\s/g, '')
  const step = Math.floor(service.clock.now().getTime() / TOTP_STEP_MS)
  await dialogOf(page)
    .getByLabel('Code from the app')
    .fill(totpCode(decodeBase32(secret), step))
  await dialogOf(page).getByRole('button', { name: 'Turn on' }).click()
  await dialogOf(page).getByText('Recovery codes').waitFor()
  const codes = (await dialogOf(page).locator('pre').innerText()).trim().split('\n')
  assert.equal(codes.length, 10)
  await dialogOf(page)
    .getByLabel(/stored/)
    .check()
  await confirm(page, 'Done')
  assert.equal((await me(person)).totp_enabled, true)

  service.clock.advance(TOTP_STEP_MS)
  await visit.context.clearCookies()
  await page.goto(`${service.url}/sign-in`)
  await page.getByLabel('Email address').fill(NEW_EMAIL)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
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
}

/** Invitations speak of no money without billing. */
const deleteAccount = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await page.getByRole('tab', { name: 'Invitations' }).click()
  await page.getByText(/referral_code=/).waitFor()
  assert.equal(await page.getByText('Your credit').count(), 0)
  await lookAtTab(visit, 'mail-referrals-dark-390')
  await page.getByRole('tab', { name: 'Profile' }).click()
  await page.getByRole('button', { name: 'Delete account' }).click()
  await dialogOf(page)
    .getByLabel(/to confirm/)
    .fill(NEW_EMAIL)
  await dialogOf(page).getByLabel('Your password').fill(PASSWORD)
  await fits(visit, 'mail-delete-account-dark-390')
  await dialogOf(page).getByRole('button', { name: 'Delete account' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  service.clock.advance(1000)
  const again = await service.client().post('/api/auth/login', { email: NEW_EMAIL, password: PASSWORD })
  assert.equal(again.status, 401)
}
