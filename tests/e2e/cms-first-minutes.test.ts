import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import type { Page } from 'playwright-core'
import { browserTest } from '../lib/browser.ts'
import { type CmsService, PASSWORD, startCms } from '../lib/cms.ts'
import { goTo } from './cms-page.ts'
import { confirm, dialogOf, look, takeSecret } from './page.ts'

const OWNER = { name: 'Olive Owner', email: 'olive@example.test' }
/** The app asks who is signed in before anyone is. */
const ASKED_WHO = /401/

const claim = async (page: Page, service: CmsService): Promise<void> => {
  await page.goto(`${service.url}/`)
  await page.getByLabel('Your name').fill(OWNER.name)
  await page.getByLabel('Email').fill(OWNER.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'How would you like to start?' }).waitFor()
}

/** The owner, by the API: for what someone else does meanwhile. */
const apiOf = async (service: CmsService) => {
  const client = service.client()
  const { body } = await client.post('/api/auth/login', { email: OWNER.email, password: PASSWORD })
  return service.client({ token: body.token })
}

describe('the first minutes, with the demo', () => {
  let service: CmsService
  before(async () => {
    service = await startCms()
  })
  after(() => service.close())

  browserTest(
    'a demo that cannot be made says why, keeps the account, and is made at the next try; then it is done',
    { theme: 'dark', phone: true },
    async (visit) => {
      const { page } = visit
      await claim(page, service)
      await look(visit, 'cms-welcome-390-dark')
      const api = await apiOf(service)
      const taken = { error: 'The demo brings the menu footer: remove it', code: 'NAME_TAKEN' }
      await page.route('**/api/demo', (route) => route.fulfill({ status: 409, json: taken }), { times: 1 })
      await page.getByRole('button', { name: /^Start with a demo site/ }).click()
      await page
        .getByRole('alert')
        .getByText(/Couldn't create.*footer/)
        .waitFor()
      await visit.shot('cms-welcome-failed')
      assert.equal((await api.get('/api/types')).body.meta.total, 0)
      visit.expectProblem(/409/)
      // Reloading the page keeps the place
      await page.reload()
      await page.getByRole('heading', { name: 'How would you like to start?' }).waitFor()
      await page.getByRole('button', { name: /^Start with a demo site/ }).click()
      await page
        .getByRole('progressbar')
        .or(page.getByRole('heading', { name: 'Dashboard' }))
        .first()
        .waitFor()
      await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
      await page.getByText('Demo site created').waitFor()
      assert.equal((await api.get('/api/entries')).body.meta.total, 28)
      // Nothing is left to choose
      await goTo(page, '/welcome')
      await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
      await page.waitForURL(/\/admin\/$/)
      visit.expectProblem(ASKED_WHO)
    },
  )
})

/** Runs the example as a shell would: its address with its header. */
const runCurl = async (command: string) => {
  const [, address = ''] = /^curl '([^']+)'/.exec(command) ?? []
  const [, name = '', value = ''] = /-H "([\w-]+): ([^"$]+)"/.exec(command) ?? []
  assert.ok(address && name && value, command)
  const answer = await fetch(address, { headers: { [name]: value } })
  return { status: answer.status, body: await answer.json() }
}

/** The next thing that the checklist of the dashboard asks for. */
const goToStep = async (page: Page, label: string): Promise<void> => {
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('heading', { name: 'Get started' }).waitFor()
  await page.getByRole('link', { name: new RegExp(`^${label} \\(to do\\)`) }).click()
}

describe('the first minutes, from nothing', () => {
  let service: CmsService
  before(async () => {
    service = await startCms()
  })
  after(() => service.close())

  browserTest('the checklist leads from the claim to a published page that a website reads', {}, async (visit) => {
    const { page } = visit
    await claim(page, service)
    await visit.shot('cms-welcome')
    await page.getByRole('button', { name: /^Start from scratch/ }).click()
    await page.getByRole('heading', { name: 'Get started' }).waitFor()
    await look(visit, 'cms-first-steps')

    await goToStep(page, 'Name your site')
    await page.getByLabel(/^Title/).fill('Harbour News')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Settings saved').waitFor()

    await goToStep(page, 'Create a content type')
    await page.getByRole('button', { name: /^Page/ }).click()
    await page.getByRole('button', { name: 'Create type' }).first().click()
    await page.waitForURL(/\/types\/page$/)

    await goToStep(page, 'Write your first entry')
    await page.getByLabel('Title', { exact: true }).fill('About us')
    await page.getByLabel('Intro').fill('A page that was made by clicking.')
    await page.locator('[data-path="body"] [contenteditable="true"]').click()
    await page.keyboard.type('We are by the harbour.')
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await dialogOf(page).waitFor()
    await confirm(page, 'Publish now')
    await page.getByText('Published', { exact: true }).first().waitFor()

    await goToStep(page, 'Create a delivery key')
    await dialogOf(page).getByLabel('Name', { exact: true }).fill('Website')
    await dialogOf(page).getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('dialog', { name: /Delivery key “Website”/ }).waitFor()
    await dialogOf(page).getByRole('button', { name: 'Copy curl' }).click()
    await dialogOf(page).getByRole('button', { name: 'Copied' }).waitFor()
    const example = await page.evaluate(() => navigator.clipboard.readText())
    const key = await takeSecret(page)
    assert.ok(example.includes(key))
    const { status, body } = await runCurl(example)
    assert.equal(status, 200)
    assert.equal(body.items.length, 1)
    const [{ title, slug, data }] = body.items
    assert.deepEqual([title, slug, data.intro], ['About us', 'about-us', 'A page that was made by clicking.'])
    assert.match(data.body, /<p>We are by the harbour\.<\/p>/)

    await page.getByRole('link', { name: 'Dashboard' }).click()
    await page.getByText('About us').first().waitFor()
    await page.getByRole('region', { name: 'Get started' }).waitFor({ state: 'detached' })
    visit.expectProblem(ASKED_WHO)
  })
})
