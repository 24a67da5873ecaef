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
