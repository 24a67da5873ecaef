import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { after, before, describe } from 'node:test'
import { promisify } from 'node:util'
import { plantDomain } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import type { Page } from 'playwright-core'
import { Resend } from 'resend'
import { browserTest, type Visit } from '../lib/browser.ts'
import { type Customer, enterPanel, type MailSite, startMailSite } from './mail-page.ts'
import { chooseFor, confirm, dialogOf, fits, look, takeSecret } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

const run = promisify(execFile)
const DOMAIN = 'harbour.test'
const FROM = `Harbour office <office@${DOMAIN}>`

let site: MailSite
let customer: Customer
let token = ''
let resend: Resend
before(async () => {
  site = await startMailSite()
  customer = await site.signUp('olive@harbour-office.test')
  await plantDomain(site.database, { accountId: customer.id, name: DOMAIN })
})
after(() => site.close())

type Mail = {
  to: string | string[]
  subject: string
  html?: string
  scheduledAt?: string
  tags?: { name: string; value: string }[]
  headers?: Record<string, string>
  attachments?: { filename: string; content: Buffer }[]
}

/** Sends as a program does, and gives the id. */
const sendMail = async (mail: Mail): Promise<string> => {
  const { data, error } = await resend.emails.send({ from: FROM, text: 'Good day.', ...mail })
  if (!data) throw new Error(error?.message)
  return data.id
}

const readEmail = async (id: string) => (await customer.client.get(`/api/emails/${id}`)).body

/** Everything that a mail could try to do to its reader. */
const HOSTILE = [
  '<p id="shown">Dear reader</p>',
  '<script>top.hacked = 1; parent.hacked = 1; fetch("https://leak.test/script")</script>',
  '<img src="https://leak.test/pixel.png" onerror="top.hacked = 1" onload="top.hacked = 1">',
  '<svg onload="top.hacked = 1"><script>top.hacked = 1</script></svg>',
  '<iframe srcdoc="<script>top.hacked = 1</script>"></iframe>',
  '<style>@import "https://leak.test/style.css"; p { background: url(https://leak.test/css) }</style>',
  '<form action="https://leak.test/form"><input autofocus onfocus="top.hacked = 1"></form>',
  '<a id="link" href="javascript:top.hacked = 1">press me</a>',
  '<meta http-equiv="refresh" content="0; url=https://leak.test/meta">',
].join('')

/** What the page asked other hosts for. */
const watchLeaks = (page: Page): string[] => {
  const leaks: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('leak.test')) leaks.push(request.url())
  })
  return leaks
}

describe('sending, in the panel', () => {
  browserTest(
    'a key is made, what it sends is followed to its end, suppressions are kept, and all of it fits a phone in the dark',
    {},
    async (visit) => {
      await makeKey(visit)
      await followMail(visit)
      await importSuppressions(visit)
      await changeSuppressions(visit)
      await narrowLog(visit)
      await reschedule(visit)
      await onPhoneInTheDark(visit, () => lookAndRevoke(visit))
    },
  )
})

/** The first key, with examples that work as they stand. */
const makeKey = async (visit: Visit) => {
  const { page } = visit
  await enterPanel(visit, site, customer, `/emails/${crypto.randomUUID()}`)
  await page.getByText("This email doesn't exist").waitFor()
  visit.expectProblem(/404/)
  await page.getByRole('link', { name: 'All emails' }).click()
  await page.getByText('No emails yet').waitFor()
  await page.getByText(`"from": "hello@${DOMAIN}"`).waitFor()
  await visit.shot('mail-emails-empty')
  await page.getByRole('link', { name: 'Create API key' }).click()
  await page.getByLabel('Name').fill('Shop')
  await page.getByLabel('Full access').check()
  await page.getByRole('button', { name: 'Create key' }).click()
  const dialog = dialogOf(page)
  await dialog.getByText("You won't see this again").waitFor()
  await visit.shot('mail-api-keys-created')
  const curl = await dialog.getByRole('tabpanel').locator('code').innerText()
  const { stdout } = await run('sh', ['-c', `${curl} -s`])
  assert.match(JSON.parse(stdout).id, /^[0-9a-f-]{36}$/)
  await dialog.getByRole('tab', { name: 'Node.js' }).click()
  const code = await dialog.getByRole('tabpanel').locator('code').innerText()
  token = await takeSecret(page)
  assert.ok(code.includes(`new Resend('${token}'`) && code.includes(`baseUrl: '${site.url}/api'`), code)
  resend = new Resend(token, { baseUrl: `${site.url}/api` })
  await page.getByRole('cell', { name: 'Shop', exact: true }).waitFor()
  await look(visit, 'mail-api-keys')
}

/** A mail that a program sends, live to its end, and what is in it without what it would do. */
const followMail = async (visit: Visit) => {
  const { page } = visit
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Emails' }).click()
  await page.getByRole('link', { name: customer.email }).first().waitFor()
  await customer.client.post('/api/suppressions', { email: 'gone@outside.test', reason: 'moved away' })
  // Nothing is pressed from here on until the mail has arrived
  await sendMail({
    to: ['Ann <ann@outside.test>', 'gone@outside.test'],
    subject: 'Your berth is ready',
    html: HOSTILE,
    tags: [{ name: 'kind', value: 'berth' }],
    headers: { 'X-Berth': '17' },
    attachments: [{ filename: 'plan.txt', content: Buffer.from('dock 4') }],
  })
  const row = page.getByRole('row', { name: /Your berth is ready/ })
  await row.getByText('Delivered').waitFor()
  await look(visit, 'mail-emails')

  const leaks = watchLeaks(page)
  await row.getByRole('link').first().click()
  await page.getByRole('heading', { name: 'Your berth is ready' }).waitFor()
  const frame = page.frameLocator('iframe')
  await frame.getByText('Dear reader').waitFor()
  await frame.getByText('press me').click({ force: true })
  await page
    .getByText(/ann@outside\.test/)
    .last()
    .click()
  await page.getByText(/^250 /).waitFor()
  await page.getByText('This address was added to the suppression list manually.').waitFor()
  await look(visit, 'mail-email')
  assert.equal(await page.evaluate(() => 'hacked' in window), false)
  const inside = await frame.locator('html').evaluate((html) => html.innerHTML)
  assert.doesNotMatch(inside, /<script|<iframe|onerror|javascript:|http-equiv="refresh/)
  assert.deepEqual(leaks, [])
  for (const [tab, shown] of [
    ['Headers', /X-Berth: 17/],
    ['JSON', /"filename": "plan\.txt"/],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click()
    await page.getByRole('tabpanel').getByText(shown).waitFor()
  }
  await page.waitForURL(/tab=json/)
  await page.getByText('plan.txt', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'View suppression' }).click()
  await page.getByRole('cell', { name: 'gone@outside.test', exact: true }).waitFor()
  await page.waitForURL(/\/suppressions\?q=gone/)
}

const suppressions = async (query = '') => (await customer.client.get(`/api/suppressions?${query}`)).body

/** A file of addresses, its bad lines reported. */
const importSuppressions = async (visit: Visit) => {
  const { page } = visit
  await page.getByRole('button', { name: 'Clear search' }).click()
  await page.getByRole('button', { name: 'Import' }).click()
  const csv =
    'Email,Reason\nONE@away.test,bounced there\nnobody\ntwo@away.test,\ngone@outside.test,again\none@away.test,\n'
  await page
    .getByLabel('File with addresses')
    .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await page.getByText('3 addresses found').waitFor()
  await page.getByText('1 line without an email address').waitFor()
  await visit.shot('mail-suppressions-import')
  await page.getByRole('button', { name: 'Suppress 3 addresses' }).click()
  await page.getByText('Import complete').waitFor()
  assert.deepEqual(await dialogOf(page).locator('dd').allInnerTexts(), ['2', '1', '1'])
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  assert.match(await readFile(await download.path(), 'utf8'), /^3,nobody,/m)
  await page.getByRole('button', { name: 'Done' }).click()
  assert.equal((await suppressions('search=one%40away.test')).data[0].reason, 'bounced there')

  await page.getByRole('cell', { name: 'one@away.test', exact: true }).waitFor()
  await look(visit, 'mail-suppressions')
}

/** One gets an end, a second one of the same address is refused, two are removed at once. */
const changeSuppressions = async (visit: Visit) => {
  const { page } = visit
  await chooseFor(page, 'two@away.test', 'Edit')
  await page.getByLabel(/^Reason/).fill('on holiday')
  await page.getByLabel('Until a date').check()
  await page.getByLabel('Expires').fill('2099-01-02T10:00')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('on holiday').waitFor()
  assert.equal((await suppressions('search=two%40away.test')).data[0].expires_at, '2099-01-02T08:00:00.000Z')

  await page.getByRole('button', { name: 'Suppress address' }).click()
  await page.getByLabel('Email address').fill('gone@outside.test')
  await page.getByRole('button', { name: 'Suppress', exact: true }).click()
  await page.getByText('This address is already suppressed.').waitFor()
  visit.expectProblem(/409/)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('checkbox', { name: 'Select one@away.test' }).check()
  await page.getByRole('checkbox', { name: 'Select two@away.test' }).check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Remove' }).click()
  await confirm(page, 'Remove suppressions')
  await page.getByRole('cell', { name: 'two@away.test', exact: true }).waitFor({ state: 'detached' })
  assert.deepEqual(
    (await suppressions()).data.map(({ email }: { email: string }) => email),
    ['gone@outside.test'],
  )
}

/** Search, filters and page stand in the address; several scheduled mails are cancelled at once. */
const narrowLog = async (visit: Visit) => {
  const { page } = visit
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Emails' }).click()
  await page.getByRole('button', { name: 'Show emails tagged kind:berth' }).click()
  await page.getByText('1–1 of 1').waitFor()
  await page.waitForURL(/\/emails\?tag=kind%3Aberth$/)
  const { data, error } = await resend.batch.send(
    Array.from({ length: 27 }, (_, index) => ({
      from: FROM,
      to: `guest-${index + 1}@outside.test`,
      subject: `Notice ${index + 1}`,
      text: 'Hello.',
      scheduledAt: 'in 1 day',
    })),
  )
  assert.ok(data, error?.message)
  await page.getByRole('button', { name: 'Clear tag' }).click()
  await page.getByRole('searchbox').fill('notice')
  await page.getByText('1–25 of 27').waitFor()
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByText('26–27 of 27').waitFor()
  await page.waitForURL(/q=notice&after=/)
  await page.getByRole('searchbox').fill('notice 2')
  await page.getByText('1–9 of 9').waitFor()
  await page.getByLabel('Status').selectOption('scheduled')
  await page.getByRole('checkbox', { name: 'Select Notice 26' }).check()
  await page.getByRole('checkbox', { name: 'Select Notice 27' }).check()
  await page.getByRole('button', { name: 'Cancel sending' }).click()
  await confirm(page, 'Cancel sending')
  await page.getByText('1–7 of 7').waitFor()
  const { body } = await customer.client.get('/api/emails?status=cancelled')
  assert.deepEqual(
    body.data.map(({ subject }: { subject: string }) => subject),
    ['Notice 27', 'Notice 26'],
  )
}

/** A scheduled mail leaves at another time, then not at all. */
const reschedule = async (visit: Visit) => {
  const { page } = visit
  const id = await sendMail({ to: 'ann@outside.test', subject: 'Winter storage', scheduledAt: 'in 1 hour' })
  await page.getByRole('searchbox').fill('winter')
  await page.getByRole('link', { name: 'ann@outside.test' }).click()
  await page.getByText('You can reschedule or cancel it until then').waitFor()
  await page.getByRole('button', { name: 'Reschedule' }).click()
  await page.getByLabel('Natural language').check()
  await page.getByLabel('Send', { exact: true }).fill('soon')
  await dialogOf(page).getByRole('button', { name: 'Reschedule' }).click()
  await dialogOf(page)
    .getByText(/must be an ISO 8601 time/i)
    .waitFor()
  visit.expectProblem(/400/)
  await visit.shot('mail-email-reschedule')
  await page.getByRole('radio', { name: 'Date and time' }).check()
  await page.getByRole('button', { name: 'Tomorrow at 9:00' }).click()
  await confirm(page, 'Reschedule')
  // Nine o'clock where the person is, which is not where the service is
  assert.match((await readEmail(id)).scheduled_at, /T0[67]:00:00\.000Z$/)
  await page.getByRole('button', { name: 'Cancel sending' }).click()
  await confirm(page, 'Cancel sending')
  await page.getByText('Canceled').first().waitFor()
  assert.equal((await readEmail(id)).status, 'cancelled')
}

const go = async (page: Page, screen: string) => {
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: screen }).click()
}

/** Every screen with long words, and the key, which sends nothing more. */
const lookAndRevoke = async (visit: Visit) => {
  const { page } = visit
  await sendMail({
    to: [
      'a-person-with-a-rather-long-name-indeed@department-of-long-names.outside.test',
      'delayed@simulator.mx.stoa.test',
    ],
    subject: 'AVeryLongWordThatNobodyWouldEverWriteButThatMustNotBreakThePageAnyway '.repeat(2).trim(),
    html: '<table width="900"><tr><td>A wide table</td></tr></table>',
  })
  await go(page, 'Emails')
  await page.locator('dd').getByText('Delayed').waitFor()
  await fits(visit, 'mail-emails-dark-390')
  await page.getByRole('link', { name: /a-person-with/ }).click()
  await page.getByText('451 4.7.1 Try again later (simulator)').waitFor()
  await fits(visit, 'mail-email-dark-390')
  await go(page, 'Suppressions')
  await page.getByText('gone@outside.test').waitFor()
  await fits(visit, 'mail-suppressions-dark-390')
  await go(page, 'API keys')
  await page.getByText('Shop').waitFor()
  await fits(visit, 'mail-api-keys-dark-390')
  await chooseFor(page, 'Shop', 'Revoke')
  await confirm(page, 'Revoke key')
  await page.getByText('No API keys yet').waitFor()
  const mail = { from: FROM, to: 'ann@outside.test', subject: 'Late', text: 'No.' }
  const refused = await site.client().post('/api/emails', mail, { authorization: `Bearer ${token}` })
  assert.equal(refused.body.name, 'invalid_api_key')
}
