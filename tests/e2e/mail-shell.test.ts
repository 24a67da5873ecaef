import assert from 'node:assert/strict'
import { after, before, beforeEach, describe } from 'node:test'
import type { Page } from 'playwright-core'
import { browserTest } from '../lib/browser.ts'
import { type MailService, PASSWORD, startMail } from '../lib/mail.ts'

let service: MailService
before(async () => {
  service = await startMail()
})
after(() => service.close())
// The clock stands still, and sign-ins are limited per second.
beforeEach(() => service.clock.advance(1000))

const EMAIL = 'olive@example.test'
/** The app asks who is signed in before anyone is. */
const ASKED_WHO = /401/

const signIn = async (page: Page, password: string) => {
  await page.getByLabel('E-mail address').fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

describe('mail panel shell, from the first visit on', () => {
  browserTest('the first visit signs up as owner, with mistakes shown at the input', {}, async (visit) => {
    const { page } = visit
    await page.goto(`${service.url}/`)
    await page.getByLabel('E-mail address').waitFor()
    await visit.axe()
    await page.getByLabel('E-mail address').fill(EMAIL)
    await page.getByLabel('Password', { exact: true }).fill('password123')
    await page.locator('button[type=submit]').click()
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
    assert.equal((await service.client().get('/api/auth/signups')).body.first_account, true)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.locator('button[type=submit]').click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await visit.axe()
    await visit.shot('mail-dashboard')
    assert.equal((await service.client().get('/api/auth/signups')).body.first_account, false)
    visit.expectProblem(/40[01]/)
  })

  browserTest(
    'a wrong password says so and keeps the address; the right one leads to the asked page',
    {},
    async (visit) => {
      const { page } = visit
      await page.goto(`${service.url}/account`)
      await page.getByRole('heading', { name: /Sign in/ }).waitFor()
      await visit.axe()
      await signIn(page, 'a wrong password')
      await page.getByRole('alert').waitFor()
      assert.equal(await page.getByLabel('E-mail address').inputValue(), EMAIL)
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
      visit.expectProblem(ASKED_WHO)
    },
  )

  for (const look of [
    { theme: 'light' },
    { theme: 'dark' },
    { theme: 'light', phone: true },
    { theme: 'dark', phone: true },
  ] as const)
    browserTest(`the account page is accessible and fits: ${JSON.stringify(look)}`, look, async (visit) => {
      const { page } = visit
      await page.goto(`${service.url}/account?tab=security`)
      await signIn(page, PASSWORD)
      await page.getByText('This session').first().waitFor()
      await visit.axe()
      await page.goto(`${service.url}/sign-in`)
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
      await page.goBack()
      await page.getByText('This session').first().waitFor()
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
      await visit.shot(`mail-account-${look.theme}${'phone' in look ? '-390' : ''}`, { fullPage: true })
      visit.expectProblem(ASKED_WHO)
    })
})
