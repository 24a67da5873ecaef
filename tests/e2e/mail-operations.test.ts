import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { enqueue } from '@stoa/mail/hosting/enqueue/enqueue.ts'
import { browserTest, type Visit } from '../lib/browser.ts'
import { connectSmtp } from '../lib/smtp-client.ts'
import { type Customer, enterPanel, letter, type MailSite, startMailSite } from './mail-page.ts'
import { chooseFor, confirm, dialogOf, fits, look } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

const TESS = 'tess@trace.test'

let site: MailSite
let owner: Customer
before(async () => {
  site = await startMailSite()
  owner = await site.signUp('olive@harbour-office.test')
  await site.mailbox(owner.id, TESS)
  site.outside.script('rcpt', ({ address }) =>
    address?.endsWith('@busy.test') ? { reply: { code: 451, text: '4.7.1 Try again later, please' } } : undefined,
  )
})
after(() => site.close())

const send = async (to: string): Promise<void> => {
  const blob = await site.parts.blobs.put(Buffer.from('Subject: x\r\n\r\nx\r\n'), { maxBytes: 1_000 })
  await site.database.tx((tx) =>
    enqueue(tx, {
      accountId: owner.id,
      addressId: null,
      source: 'submission',
      blob,
      returnPath: 'olive@harbour.test',
      recipients: [{ address: to }],
      signingDomainId: null,
      messageId: null,
      headerFrom: 'olive@harbour.test',
      subject: 'x',
      needsUtf8: false,
      needs8bit: false,
      now: new Date(),
    }),
  )
}

/** Another server asks for a recipient that nobody is. */
const guess = async (recipient: string): Promise<void> => {
  const client = await connectSmtp({ port: site.smtpPort })
  await client.say('EHLO outside.test')
  await client.say('MAIL FROM:<eve@outside.test>')
  const { code } = await client.say(`RCPT TO:<${recipient}>`)
  client.close()
  assert.equal(code, 550)
}

const goTo = ({ page }: Visit, screen: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: screen, exact: true }).click()

describe('what an owner sees of all mail and all accounts, in the panel', () => {
  browserTest('the queue, the trace, senders of a domain, accounts, the log and health', {}, async (visit) => {
    await enterPanel(visit, site, owner, '/queue')
    await workOnQueue(visit)
    await traceMail(visit)
    await blockSender(visit)
    await limitAccount(visit)
    await checkHealth(visit)
  })
})

/** What waits is shown as it changes, tried again, put on hold, released and dropped. */
const workOnQueue = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await page.getByText('The queue is empty').waitFor()
  await page.getByText('No domains on hold').waitFor()
  await send('ann@busy.test')
  await send('bob@busy.test')
  // Nothing is pressed until the screen shows it by itself
  await page.getByRole('cell', { name: '451 4.7.1 Try again later, please' }).first().waitFor()
  await holdAndRelease(visit)
  await chooseFor(page, 'mail to bob@busy.test', 'Retry now')
  await page.getByText('Retrying mail to bob@busy.test').waitFor()
  await page
    .getByRole('row', { name: /bob@busy\.test/ })
    .getByRole('cell', { name: '2', exact: true })
    .waitFor()
  await visit.shot('mail-queue')
  await chooseFor(page, 'mail to ann@busy.test', 'Drop')
  await visit.shot('mail-queue-drop')
  await confirm(page, 'Drop mail')
  await page.getByRole('cell', { name: 'ann@busy.test' }).waitFor({ state: 'detached' })
  const left = (await owner.client.get('/api/instance/queue?domain=busy.test')).body.data
  assert.deepEqual(
    left.map(({ recipient }: { recipient: string }) => recipient),
    ['bob@busy.test'],
  )
  await onPhoneInTheDark(visit, () => fits(visit, 'mail-queue-phone'))
}

const holdAndRelease = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await page.getByRole('button', { name: 'Hold a domain' }).click()
  const dialog = dialogOf(page)
  await dialog.getByRole('button', { name: 'Hold domain' }).click()
  await dialog.getByText('Enter a domain like example.com.').waitFor()
  await dialog.getByLabel('Domain').fill('busy.test')
  await dialog.getByLabel(/Reason/).fill('Their server is overloaded')
  await visit.shot('mail-queue-hold')
  await confirm(page, 'Hold domain')
  await page.getByRole('cell', { name: 'On hold' }).first().waitFor()
  await page.getByText('Their server is overloaded').waitFor()
  await look(visit, 'mail-queue-held')
  await page.getByRole('button', { name: 'Release busy.test' }).click()
  await confirm(page, 'Release domain')
  await page.getByText('No domains on hold').waitFor()
}

/** What came, what was refused and why, searched and filtered. */
const traceMail = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await site.deliver({ from: 'ann@outside.test', to: [TESS] }, letter({ To: TESS, Subject: 'The lost parcel' }))
  await guess('tes@trace.test')
  await goTo(visit, 'Mail trace')
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
  await page.getByRole('button', { name: 'Clear search' }).first().click()
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
}

/** A domain allows and blocks senders. */
const blockSender = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await goTo(visit, 'Domains')
  await page.getByRole('link', { name: 'trace.test' }).click()
  await page.getByRole('tab', { name: 'Settings' }).click()
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
}

/** The owner limits, suspends and resumes an account, and resets its sign-in. */
const limitAccount = async (visit: Visit): Promise<void> => {
  const { page } = visit
  const member = await site.signUp('mara@harbour-office.test')
  await goTo(visit, 'Accounts')
  await page.getByRole('link', { name: member.email }).waitFor()
  await look(visit, 'mail-accounts')
  await page.getByRole('link', { name: member.email }).click()
  await page.getByLabel('Domains').fill('some')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Enter a whole number, or leave it empty.').waitFor()
  await page.getByLabel('Domains').fill('3')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Limits saved').waitFor()
  await page.getByText('0 of 3').waitFor()
  await page.getByRole('button', { name: 'Suspend' }).click()
  await dialogOf(page).getByLabel('Reason').fill('Sends spam')
  await visit.shot('mail-account-suspend')
  await confirm(page, 'Suspend account')
  await page.getByText('Reason: Sends spam').waitFor()
  await look(visit, 'mail-instance-account')
  await page.getByRole('button', { name: 'Resume' }).click()
  await confirm(page, 'Resume account')
  await page.getByText('Reason: Sends spam').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Reset sign-in' }).click()
  await confirm(page, 'Reset sign-in')
  await page.getByText(`Reset link sent to ${member.email}`).waitFor()
  assert.equal((await member.client.get('/api/auth/me')).status, 401)
}

/** The log has what was done, and Health says what to do. */
const checkHealth = async (visit: Visit): Promise<void> => {
  const { page } = visit
  await page.getByRole('link', { name: 'Audit log' }).click()
  await page.getByRole('cell', { name: 'Account suspended' }).waitFor()
  await look(visit, 'mail-audit')
  await onPhoneInTheDark(visit, () => fits(visit, 'mail-audit-phone'))
  await page.getByRole('link', { name: 'Health' }).click()
  await page.getByText('No backup yet.').waitFor()
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('Check finished').waitFor()
  await look(visit, 'mail-health')
  await onPhoneInTheDark(visit, () => fits(visit, 'mail-health-phone'))
}
