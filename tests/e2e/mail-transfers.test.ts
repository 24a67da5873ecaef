import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { type FakeImap, startFakeImap } from '@stoa/mail/receiving/transfers/testing/fake-imap.ts'
import type { Locator, Page } from 'playwright-core'
import { browserTest, type Visit } from '../lib/browser.ts'
import { type Customer, enterPanel, type Mailbox, type MailSite, startMailSite } from './mail-page.ts'
import { confirm, dialogOf, fits, look } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

const PASSWORD_THERE = 'the source password'
const MESSAGES = 30

let site: MailSite
let customer: Customer
let ann: Mailbox
let source: FakeImap
before(async () => {
  source = await startFakeImap()
  source.fill('INBOX', MESSAGES)
  source.fill('Work/A project with a rather long name', 5)
  source.fill('Trash', 3, ['\\Trash'])
  site = await startMailSite({ TRANSFER_ALLOW_PRIVATE_HOSTS: '1' })
  customer = await site.signUp('olive@example.test')
  ann = await site.mailbox(customer.id, 'ann@new-place.test')
})
after(async () => {
  await site.close()
  await source.close()
})

const next = (dialog: Locator) => dialog.getByRole('button', { name: 'Next' }).click()

/** Fills in where the mail is, on the step that asks for it. */
const fillSource = async (dialog: Locator, password: string) => {
  await dialog.getByLabel('Provider').selectOption('other')
  await dialog.getByLabel('Server').fill('127.0.0.1')
  await dialog.getByLabel('Security').selectOption('none')
  await dialog.getByLabel('Port').fill(String(source.port))
  await dialog.getByLabel('Username').fill('ann')
  await dialog.getByLabel('Password', { exact: true }).fill(password)
}

const startAgain = async (page: Page) => {
  await page.getByRole('button', { name: 'Start again with these settings' }).click()
  const dialog = dialogOf(page)
  await dialog.getByText('Step 2 of 4').waitFor()
  assert.equal(await dialog.getByLabel('Username').inputValue(), 'ann')
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD_THERE)
  await next(dialog)
  await dialog.getByText('Step 3 of 4').waitFor()
  return dialog
}

const start = (page: Page) => dialogOf(page).getByRole('button', { name: 'Start transfer' }).click()

describe('transfers in the panel', () => {
  browserTest(
    'the wizard asks step by step, progress is live, a copy is stopped and started again, on a phone in the dark as well',
    {},
    async (visit) => {
      await failToStart(visit)
      await stopACopy(visit)
      await endACopy(visit)
      await onPhoneInTheDark(visit, () => tryTwoAtOnce(visit))
    },
  )
})

/** The wizard asks step by step; a wrong password is explained. */
const failToStart = async (visit: Visit) => {
  const { page } = visit
  await enterPanel(visit, site, customer, `/transfers/${crypto.randomUUID()}`)
  await page.getByText("This transfer doesn't exist").waitFor()
  visit.expectProblem(/404/)
  await page.getByRole('link', { name: 'All transfers' }).click()
  await page.getByText('No transfers yet').waitFor()
  await visit.shot('mail-transfers-empty')
  await page.getByRole('button', { name: 'New transfer' }).first().click()
  const dialog = dialogOf(page)
  await dialog.getByLabel('Address').selectOption({ label: 'ann@new-place.test' })
  await next(dialog)
  await dialog.getByLabel('Provider').selectOption('gmail')
  await dialog.getByText(/Google requires an app password/).waitFor()
  await visit.shot('mail-transfer-source')
  await next(dialog)
  await dialog.getByText('Enter the password of the other mailbox.').waitFor()
  await fillSource(dialog, 'a wrong password')
  await next(dialog)
  await dialog.getByLabel(/Folders to skip/).fill('Trash\n')
  await visit.shot('mail-transfer-options')
  await next(dialog)
  await dialog.getByText('ann@new-place.test').waitFor()
  await visit.shot('mail-transfer-review')
  await start(page)
  await page.getByRole('heading', { name: 'Transfer to ann@new-place.test' }).waitFor()
  await page.getByText(/rejected the username or password/).waitFor()
  await page.getByText('Erased when the transfer ended').waitFor()
  await visit.shot('mail-transfer-failed')
}

/** Progress is live, and a copy can be stopped. */
const stopACopy = async (visit: Visit) => {
  const { page } = visit
  const gate = Promise.withResolvers<void>()
  let seen = 0
  source.faults.beforeMessage = async () => {
    seen += 1
    if (seen > MESSAGES) await gate.promise
  }
  const dialog = await startAgain(page)
  await dialog.getByLabel(/Folders to skip/).fill('Trash')
  await next(dialog)
  await start(page)
  await page.getByRole('progressbar', { name: /^Copying Work/ }).waitFor()
  await page.getByText(`${MESSAGES} of ${MESSAGES + 5} messages`).waitFor()
  await look(visit, 'mail-transfer-running')
  await page.getByRole('link', { name: 'Transfers' }).last().click()
  await page.getByRole('row', { name: /Copying/ }).waitFor()
  await look(visit, 'mail-transfers')
  await page.goBack()
  await page.getByRole('button', { name: 'Stop transfer' }).click()
  await dialogOf(page).getByText(`The ${MESSAGES} messages already copied stay.`).waitFor()
  await confirm(page, 'Stop transfer')
  await page.getByText('Transfer stopped').waitFor()
  delete source.faults.beforeMessage
  gate.resolve()
}

/** Started again it ends with all mail. */
const endACopy = async (visit: Visit) => {
  const { page } = visit
  const dialog = await startAgain(page)
  assert.equal(await dialog.getByLabel(/Folders to skip/).inputValue(), 'Trash')
  await next(dialog)
  await start(page)
  await page.getByText(`5 messages copied, ${MESSAGES} already here.`).waitFor()
  await visit.shot('mail-transfer-done')
  const messages = await ann.client.get('/api/mail/messages?per_page=100')
  assert.equal(messages.body.total, MESSAGES + 5)
  const { body } = await customer.client.get('/api/transfers')
  assert.deepEqual(
    body.data.map(({ status }: { status: string }) => status),
    ['completed', 'cancelled', 'failed'],
  )
}

/** A second transfer to the same address is refused at the address. */
const tryTwoAtOnce = async (visit: Visit) => {
  const { page } = visit
  const gate = Promise.withResolvers<void>()
  source.faults.beforeMessage = () => gate.promise
  source.fill('INBOX', 2)
  await fits(visit, 'mail-transfer-390-dark')
  await page.getByRole('link', { name: 'Transfers' }).last().click()
  await page.getByRole('button', { name: 'New transfer' }).waitFor()
  await fits(visit, 'mail-transfers-390-dark')
  await page.getByRole('button', { name: 'New transfer' }).click()
  const dialog = dialogOf(page)
  await dialog.getByLabel('Address').selectOption({ label: 'ann@new-place.test' })
  await next(dialog)
  await fillSource(dialog, PASSWORD_THERE)
  await fits(visit, 'mail-transfer-source-390-dark')
  await next(dialog)
  await next(dialog)
  await dialog.getByText('Step 4 of 4').waitFor()
  const other = {
    host: '127.0.0.1',
    port: source.port,
    security: 'none',
    username: 'ann',
    password: PASSWORD_THERE,
  }
  const taken = await customer.client.post('/api/transfers', { address_id: ann.address.id, ...other })
  assert.equal(taken.status, 201)
  await start(page)
  await dialog.getByText('Another transfer to this address is already running.').waitFor()
  await dialog.getByText('Step 1 of 4').waitFor()
  visit.expectProblem(/409/)
  await customer.client.send('DELETE', `/api/transfers/${taken.body.id}`)
  gate.resolve()
}
