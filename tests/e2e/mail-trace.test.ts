import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { browserTest } from '../lib/browser.ts'
import { connectSmtp } from '../lib/smtp-client.ts'
import { type Customer, enterPanel, letter, type Mailbox, type MailSite, startMailSite } from './mail-page.ts'
import { chooseFor, dialogOf, fits, look } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

const EMAIL = 'tess@trace.test'

let site: MailSite
let owner: Customer
let tess: Mailbox
before(async () => {
  site = await startMailSite()
  owner = await site.signUp('olive@harbour-office.test')
  tess = await site.mailbox(owner.id, EMAIL)
})
after(() => site.close())

/** Another server asks for a recipient that nobody is. */
const guess = async (recipient: string): Promise<void> => {
  const client = await connectSmtp({ port: site.smtpPort })
  await client.say('EHLO outside.test')
  await client.say('MAIL FROM:<eve@outside.test>')
  const { code } = await client.say(`RCPT TO:<${recipient}>`)
  client.close()
  assert.equal(code, 550)
}

describe('the trace of all addresses', () => {
  browserTest('shows what came, what was refused and why, and is searched and filtered', {}, async (visit) => {
    const { page } = visit
    await site.deliver({ from: 'ann@outside.test', to: [EMAIL] }, letter({ To: EMAIL, Subject: 'The lost parcel' }))
    await guess('tes@trace.test')
    await enterPanel(visit, site, owner, '/trace')
    await page.getByRole('cell', { name: 'The lost parcel' }).waitFor()
    const refused = page.getByRole('row', { name: /tes@trace\.test/ })
    await refused.getByText('Unknown recipient').waitFor()
    await look(visit, 'mail-trace')
    await page.getByLabel('Status').selectOption('rejected')
    await page.getByRole('cell', { name: 'The lost parcel' }).waitFor({ state: 'detached' })
    await refused.waitFor()
    await page.getByLabel('Status').selectOption('')
    await page.getByRole('searchbox').fill('parcel')
    await refused.waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: 'The lost parcel' }).waitFor()
    await page.getByRole('searchbox').fill('nothing like it')
    await page.getByRole('button', { name: 'Clear search and filters' }).click()
    await refused.waitFor()
    const { width, height } = page.viewportSize() ?? assert.fail('no size')
    await page.setViewportSize({ width: 1024, height })
    await refused.getByText('from eve@outside.test').waitFor()
    const isWhole = await page
      .getByRole('table')
      .evaluate((table) => table.scrollWidth <= (table.parentElement?.clientWidth ?? 0))
    assert.ok(isWhole, 'the table scrolls sideways')
    await page.setViewportSize({ width, height })
    await onPhoneInTheDark(visit, () => fits(visit, 'mail-trace-phone'))
  })

  browserTest('a domain allows and blocks senders', {}, async (visit) => {
    const { page } = visit
    await enterPanel(visit, site, owner, `/domains/${tess.address.domainId}?tab=settings`)
    await page.getByText('No senders yet').waitFor()
    await page.getByRole('button', { name: 'Add sender' }).click()
    await dialogOf(page).getByLabel('Address, domain or network').fill('news')
    await dialogOf(page).getByRole('button', { name: 'Add sender' }).click()
    await dialogOf(page).getByLabel('Address, domain or network').and(page.locator('[aria-invalid=true]')).waitFor()
    await visit.shot('mail-senders-problem')
    await dialogOf(page).getByLabel('Address, domain or network').fill('@News.example')
    await dialogOf(page).getByRole('button', { name: 'Add sender' }).click()
    await page.getByRole('cell', { name: '@news.example', exact: true }).waitFor()
    await fits(visit, 'mail-senders')
    await chooseFor(page, '@news.example', 'Remove')
    await page.getByText('No senders yet').waitFor()
    visit.expectProblem(/400/)
  })
})
