import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { codeOf, enrol } from '@stoa/cms/people/two-factor/testing/two-factor.ts'
import type { Page } from 'playwright-core'
import { type CmsClient, type CmsService, PASSWORD, startCms } from '../lib/cms.ts'
import { goTo } from './cms-page.ts'
import { journey } from './journey.ts'
import { fits } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

let service: CmsService
before(async () => {
  service = await startCms()
})
after(() => service.close())

const OWNER = { name: 'Olive Owner', email: 'olive@example.test' }
const signIn = async (page: Page, email: string, password: string) => {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Someone with the owner's password at another device. */
let elsewhere: CmsClient
const signInElsewhere = async (): Promise<CmsClient> => {
  const client = service.client()
  const body = { email: OWNER.email, password: PASSWORD }
  const answer = await client.post('/api/auth/login', body, { 'user-agent': 'Elsewhere/1' })
  client.token = answer.body.token
  return client
}

const signOut = async (page: Page, name: RegExp) => {
  await page.getByRole('button', { name }).click()
  await page.getByRole('menuitem', { name: /Sign out/ }).click()
  await page.getByRole('heading', { name: /Sign in/ }).waitFor()
}

describe('CMS shell, from the first visit on', () => {
  journey('someone comes, goes and comes back', {
    'the first visit claims the site, with mistakes shown at the input': async (visit) => {
      const { page } = visit
      await page.goto(`${service.url}/`)
      await page.getByRole('heading', { name: 'Set up your site' }).waitFor()
      await visit.axe()
      await page.getByLabel('Your name').fill(OWNER.name)
      await page.getByLabel('Email').fill(OWNER.email)
      await page.getByLabel('Password', { exact: true }).fill('short')
      await page.getByRole('button', { name: 'Create account' }).click()
      const password = page.getByLabel('Password', { exact: true })
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
      assert.equal(await password.getAttribute('aria-invalid'), 'true')
      assert.equal((await service.client().get('/api/auth/status')).body.setup, false)
      await password.fill(PASSWORD)
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.getByRole('button', { name: /^Start from scratch/ }).click()
      await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
      await visit.shot('cms-dashboard')
      assert.equal((await service.client().get('/api/auth/status')).body.setup, true)
      visit.expectProblem(/40[01]/)
    },

    'the account page is accessible and fits; whoever is in is not asked to sign in': async (visit) => {
      const { page } = visit
      await page.getByRole('link', { name: 'Account' }).click()
      await page.getByText('This device').first().waitFor()
      await visit.axe()
      await fits(visit, 'cms-account-light')
      await onPhoneInTheDark(visit, () => fits(visit, 'cms-account-dark-390'))
      await goTo(page, '/sign-in')
      await page.getByRole('heading', { name: /Overview|Dashboard/ }).waitFor()
      await page.goBack()
      await page.getByText('This device').first().waitFor()
    },

    'the sidebar collapses to icons that keep their names, by key and by button, and stays so': async (visit) => {
      const { page } = visit
      const navigation = page.getByRole('navigation', { name: 'Main' })
      const width = () => navigation.evaluate((nav) => nav.getBoundingClientRect().width)
      assert.ok((await width()) > 150)
      await page.getByRole('heading', { name: 'Account' }).click()
      await page.keyboard.press('[')
      await page.getByRole('button', { name: 'Expand sidebar' }).waitFor()
      assert.ok((await width()) < 60)
      elsewhere = await signInElsewhere()
      await page.reload()
      await page.getByText('This device').first().waitFor()
      assert.ok((await width()) < 60)
      await navigation.getByRole('link', { name: 'Media' }).hover()
      await page.getByRole('tooltip', { name: 'Media' }).waitFor()
      await fits(visit, 'cms-shell-rail')
      await page.getByRole('button', { name: 'Expand sidebar' }).click()
      await page.getByRole('button', { name: 'Collapse sidebar' }).waitFor()
      assert.ok((await width()) > 150)
    },

    'ending another session signs that browser out; signing out ends this one': async (visit) => {
      const { page } = visit
      await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 2)
      await page
        .getByRole('button', { name: /^Sign out all other|others/i })
        .first()
        .click()
      await page
        .getByRole('dialog')
        .or(page.getByRole('alertdialog'))
        .getByRole('button', { name: /^Sign out/ })
        .click()
      await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1)
      assert.equal((await elsewhere.get('/api/auth/me')).status, 401)
      await signOut(page, /Olive Owner/)
    },

    'a wrong password says so and keeps the address; the right one leads to the asked page': async (visit) => {
      const { page } = visit
      await page.goto(`${service.url}/admin/account`)
      await page.getByRole('heading', { name: /Sign in/ }).waitFor()
      await visit.axe()
      // No mail server here: the operator is told what to do
      await page.getByRole('link', { name: 'Forgot password?' }).click()
      await page.getByText('npm run cms:password -- you@example.com').waitFor()
      await page.goBack()
      await signIn(page, OWNER.email, 'a wrong password')
      await page.getByRole('alert').waitFor()
      assert.equal(await page.getByLabel('Email').inputValue(), OWNER.email)
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'Account' }).waitFor()
      await page.waitForURL(/\/admin\/account$/)
      await signOut(page, /Olive Owner/)
    },

    'two-factor authentication asks for the code in a step of its own, and says when it is wrong': async (visit) => {
      const { page } = visit
      const person = await service.person('editor')
      const { secret } = await enrol(service, person)
      await signIn(page, person.email, PASSWORD)
      const code = page.getByLabel('Code', { exact: true })
      await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor()
      assert.ok(await code.evaluate((input) => input === document.activeElement))
      assert.equal(await page.getByRole('alert').count(), 0)
      await code.fill('12345')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText("That code isn't right. Try the current one.").waitFor()
      await code.fill(codeOf(service, secret))
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('button', { name: new RegExp(person.email) }).waitFor()
      // The app asks who is signed in before anyone is
      visit.expectProblem(/401/)
    },
  })
})
