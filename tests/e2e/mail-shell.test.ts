import assert from 'node:assert/strict'
import { after, before, beforeEach, describe } from 'node:test'
import type { Page } from 'playwright-core'
import { browserTest, type Visit } from '../lib/browser.ts'
import { type MailService, PASSWORD, startMail } from '../lib/mail.ts'
import { enterPanel } from './mail-page.ts'
import { confirm, dialogOf, fits, look } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

let service: MailService
before(async () => {
  service = await startMail()
})
after(() => service.close())
// The clock stands still, and sign-ins are limited per second.
beforeEach(() => service.clock.advance(1000))

const EMAIL = 'olive@example.test'
const signIn = async (page: Page, password: string) => {
  await page.getByLabel('Email address').fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

describe('mail panel shell, from the first visit on', () => {
  browserTest('the first visit signs up as owner, with mistakes shown at the input', {}, async (visit) => {
    const { page } = visit
    await page.goto(`${service.url}/`)
    await page.getByLabel('Email address').waitFor()
    await visit.axe()
    await page.getByLabel('Email address').fill(EMAIL)
    await page.getByLabel('Password', { exact: true }).fill('password123')
    await page.locator('button[type=submit]').click()
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
    assert.equal((await service.client().get('/api/auth/signups')).body.first_account, true)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.locator('button[type=submit]').click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await visit.shot('mail-dashboard')
    assert.equal((await service.client().get('/api/auth/signups')).body.first_account, false)
    visit.expectProblem(/40[01]/)
  })

  browserTest(
    'a wrong password says so and keeps the address; the right one leads to the asked page, keys to every other, and a phone in the dark has them too',
    {},
    async (visit) => {
      const { page } = visit
      await page.goto(`${service.url}/account?tab=security`)
      await page.getByRole('heading', { name: /Sign in/ }).waitFor()
      await visit.axe()
      await signIn(page, 'a wrong password')
      await page.getByRole('alert').waitFor()
      assert.equal(await page.getByLabel('Email address').inputValue(), EMAIL)
      await signIn(page, PASSWORD)
      await page.getByText('This browser').first().waitFor()
      await visit.axe()
      await fits(visit, 'mail-account-light')
      await onPhoneInTheDark(visit, () => fits(visit, 'mail-account-dark-390'))
      await page.getByLabel('Current password').fill('not saved')
      await page.getByRole('tab', { name: 'Profile' }).click()
      await dialogOf(page).getByText('Your changes on this tab will be lost.').waitFor()
      await confirm(page, 'Leave')
      await page.getByRole('tab', { name: 'Profile', selected: true }).waitFor()
      await useKeys(visit)
      await onPhoneInTheDark(visit, () => protectInstance(visit))
      visit.expectProblem(/40[01]/)
    },
  )

  browserTest(
    'without a line a screen says so and comes with it; another sign-in takes the other tabs along',
    // Another file may have left the screen's code in the browser's cache
    { alone: true },
    async (visit) => {
      const { page, context } = visit
      await enterPanel(visit, service, await service.signUp('ann@tabs.test'), '/account')
      await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
      await context.setOffline(true)
      await page.getByRole('link', { name: 'Webhooks' }).click()
      await page.getByText("Couldn't load this screen").waitFor()
      await context.setOffline(false)
      await page.getByRole('button', { name: 'Retry' }).click()
      await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor()
      visit.expectProblem(/Failed to (fetch|load)|DISCONNECTED/)

      const other = await context.newPage()
      const reloaded = page.waitForEvent('load')
      await enterPanel({ ...visit, page: other }, service, await service.signUp('bob@tabs.test'), '/account')
      await other.getByText('bob@tabs.test').first().waitFor()
      await reloaded
      await page.getByText('bob@tabs.test').first().waitFor()
      await other.close()
    },
  )
})

/** Every screen is a few keys away, and an address that leads nowhere says so. */
const useKeys = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await page.keyboard.press('ControlOrMeta+k')
  await dialogOf(page).getByRole('combobox').fill('dkim')
  await page.getByRole('option', { name: 'Domains' }).waitFor()
  await visit.shot('mail-palette')
  await dialogOf(page).getByRole('combobox').fill('add a dom')
  await page.keyboard.press('Enter')
  await dialogOf(page).getByLabel('Domain', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await dialogOf(page).waitFor({ state: 'detached' })
  await page.keyboard.press('g')
  await page.keyboard.press('k')
  await page.getByRole('heading', { name: 'API keys' }).waitFor()
  for (const [name, path] of [
    ['API reference', '/reference'],
    ['Webmail', '/webmail/'],
  ] as const)
    assert.equal(await page.getByRole('link', { name }).getAttribute('href'), path)
  // Nothing is sold here: usage is all there is to see, and nothing mentions plans
  await page.getByRole('link', { name: /usage/i }).click()
  await page.getByText('What your account uses.').waitFor()
  assert.equal(
    await page
      .getByRole('main')
      .getByText(/upgrade|invoice|compare plans/i)
      .count(),
    0,
  )
  const headings = await page.getByRole('main').getByRole('heading').allInnerTexts()
  assert.deepEqual(headings, ['Plan and usage', 'Everything is included'])
  assert.equal(await page.getByRole('meter').count(), 0, 'where there is no limit there is nothing to be near to')
  await look(visit, 'mail-usage')
  await onPhoneInTheDark(visit, () => fits(visit, 'mail-usage-dark-390'))
  await page.evaluate(() => history.pushState({}, '', '/no/such/page'))
  await page.getByText('Page not found').waitFor()
  await visit.shot('mail-not-found')
  await page.getByRole('link', { name: 'Go to overview' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
}

/** The settings of the instance, refused where they are wrong and shown as they were understood. */
const protectInstance = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await fits(visit, 'mail-navigation-dark-390')
  await dialogOf(page).getByRole('link', { name: 'Instance' }).click()
  await page.getByRole('heading', { name: 'Instance', exact: true }).waitFor()
  await page.getByRole('textbox', { name: /^Blocklists/ }).fill('not a zone')
  await page.getByLabel('Greylisting').check()
  await page.getByLabel('Accept again after').selectOption('10 minutes')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText(/Must be a DNS zone like bl\.example\.org/).waitFor()
  await look(visit, 'mail-instance-dark-390')
  await page.getByRole('textbox', { name: /^Blocklists/ }).fill('BL.example.org*2\nbl2.example.org')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Spam protection saved').waitFor()
  assert.equal(
    await page.getByRole('textbox', { name: /^Blocklists/ }).inputValue(),
    'bl.example.org*2\nbl2.example.org',
  )
}
