import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { enqueue } from '@stoa/mail/hosting/enqueue/enqueue.ts'
import { browserTest, type Visit } from '../lib/browser.ts'
import { type Customer, enterPanel, type MailSite, startMailSite } from './mail-page.ts'
import { chooseFor, confirm, dialogOf, fits, look } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

let site: MailSite
let owner: Customer
before(async () => {
  site = await startMailSite()
  owner = await site.signUp('olive@harbour-office.test')
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

describe('the queue, in the panel', () => {
  browserTest(
    'what waits is shown as it changes, tried again, put on hold, released and dropped, also on a phone in the dark',
    {},
    async (visit) => {
      const { page } = visit
      await enterPanel(visit, site, owner, '/queue')
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
    },
  )
})

describe('the accounts of the instance, in the panel', () => {
  browserTest(
    'the owner limits, suspends and resumes an account; the log has it, and Health says what to do',
    {},
    async (visit) => {
      const { page } = visit
      const member = await site.signUp('mara@harbour-office.test')
      await enterPanel(visit, site, owner, '/instance/accounts')
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
      await dialogOf(page).getByRole('button', { name: 'Suspend account' }).click()
      await dialogOf(page).getByText('Enter a reason.').waitFor()
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
    },
  )
})

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
