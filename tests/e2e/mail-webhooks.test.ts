import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { plantAccount, plantDomain } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { Webhook } from 'standardwebhooks'
import { browserTest, type Visit } from '../lib/browser.ts'
import { type FakeWebhook, startFakeWebhook } from '../lib/fake-webhook.ts'
import { type Customer, enterPanel, lookAtTab, type MailSite, startMailSite } from './mail-page.ts'
import { confirm, dialogOf, fits, look, takeSecret } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

let site: MailSite
let customer: Customer
let receiver: FakeWebhook
let hookId = ''
let secret = ''
before(async () => {
  site = await startMailSite({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  customer = await site.signUp()
  await plantDomain(site.database, { accountId: customer.id, name: 'harbour.test' })
  receiver = await startFakeWebhook()
})
after(async () => {
  await receiver.close()
  await site.close()
})

const suppress = (email: string) => customer.client.post('/api/suppressions', { email })
const eventsOf = async (query = '') => (await customer.client.get(`/api/webhooks/${hookId}/events?${query}`)).body

/** An answer of 410 turns a webhook off. */
const untilOff = async () => {
  const read = () => customer.client.get(`/api/webhooks/${hookId}`)
  await until(async () => (await read()).body.status === 'disabled', 'the webhook is off')
}

describe('webhooks of mail, in the panel', () => {
  browserTest(
    'one is made, tested, replayed and given a new secret, all on a phone in the dark as well, and deleted there',
    {},
    async (visit) => {
      await makeWebhook(visit)
      await testIt(visit)
      await replayOne(visit)
      await replaceSecret(visit)
      await replayAll(visit)
      await onPhoneInTheDark(visit, () => editAndDelete(visit))
      assert.deepEqual(receiver.problems, [])
      await tryFreePlan(visit)
    },
  )
})

/** An endpoint for some events, with what was entered wrong beside the inputs. */
const makeWebhook = async (visit: Visit) => {
  const { page } = visit
  await enterPanel(visit, site, customer, '/webhooks')
  await page.getByText('No webhooks yet').waitFor()
  await page.getByRole('button', { name: 'New webhook' }).first().click()
  await page.getByLabel('Endpoint URL', { exact: true }).fill('ftp://example.com')
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
  visit.expectProblem(/400/)
  await page.getByLabel('Endpoint URL', { exact: true }).fill(`${receiver.url}/hook`)
  await page.getByLabel(/^Description/).fill('Order status')
  await page.getByLabel('Only some events').check()
  await page.getByLabel('Suppressions', { exact: true }).check()
  await page.getByLabel('Delivered', { exact: true }).check()
  await visit.shot('mail-webhooks-new')
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await dialogOf(page).getByText('Signing secret of “Order status”').waitFor()
  await visit.shot('mail-webhooks-secret')
  secret = await takeSecret(page)
  receiver.trust(secret)
  await page.getByRole('heading', { name: 'Order status' }).waitFor()
  await page.waitForURL(/webhooks\/[0-9a-f-]{36}$/)
  hookId = page.url().split('/').at(-1) ?? ''
  await page.getByText('No events yet').waitFor()
}

/** A test that fails and one that arrives, signed. */
const testIt = async ({ page }: Visit) => {
  receiver.script([{ status: 500, body: 'The cellar is flooded' }])
  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByText('Test failed: server returned 500').waitFor()
  await page.getByLabel('Test event').selectOption('email.bounced')
  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByText(/Test delivered: 204/).waitFor()
  const sample = receiver.received.at(-1)
  const genuine = new Webhook(secret).verify(sample?.body ?? '', {
    'webhook-id': sample?.id ?? '',
    'webhook-timestamp': String(sample?.timestamp),
    'webhook-signature': String(sample?.headers['webhook-signature']),
  })
  assert.equal(JSON.parse(JSON.stringify(genuine)).data.bounce.type, 'Permanent')
}

/** A failed event is seen as it happens, read and sent again. */
const replayOne = async (visit: Visit) => {
  const { page } = visit
  // Gone ends an event at once, and the webhook with it: what follows is seen without a reload
  receiver.script([{ status: 410, body: 'Closed for the winter' }])
  await suppress('one@outside.test')
  await page.getByText('This webhook is off: no events are sent').waitFor()
  await page
    .getByRole('row', { name: /suppression\.added/ })
    .getByText('Failed · 410')
    .waitFor()
  await page.getByLabel('Send events').click()
  await page.getByText('This webhook is off').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'suppression.added', exact: true }).click()
  await dialogOf(page).getByText('"email": "one@outside.test"').waitFor()
  await dialogOf(page).getByText('Closed for the winter').waitFor()
  await visit.shot('mail-webhook-event')
  await page.waitForURL(/event=/)
  const before = receiver.received.length
  await dialogOf(page).getByRole('button', { name: 'Replay' }).click()
  await dialogOf(page).getByText('Response 204').waitFor()
  const again = (await receiver.waitFor(before + 1)).at(-1)
  await page.waitForURL(({ searchParams }) => searchParams.get('event') === again?.id)
  await page.keyboard.press('Escape')
  await page.getByText('Retry schedule').click()
  await look(visit, 'mail-webhook')
}

const replaceSecret = async ({ page }: Visit) => {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Replace secret' }).click()
  await dialogOf(page).getByRole('button', { name: 'Replace secret' }).click()
  await dialogOf(page).getByText("You won't see this again").waitFor()
  const next = await takeSecret(page)
  assert.notEqual(next, secret)
  receiver.trust(next)
  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByText(/Test delivered: 204/).waitFor()
}

/** All that failed, from the events of every endpoint. */
const replayAll = async (visit: Visit) => {
  const { page } = visit
  for (const email of ['two@outside.test', 'three@outside.test']) {
    receiver.script([{ status: 410 }])
    await suppress(email)
    await untilOff()
    await customer.client.send('PATCH', `/api/webhooks/${hookId}`, { body: { status: 'enabled' } })
  }
  const { total } = await eventsOf('status=failed')
  assert.ok(total >= 2)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Webhooks' }).click()
  await page.getByRole('link', { name: /Order status/ }).waitFor()
  await look(visit, 'mail-webhooks')
  await page.getByRole('tab', { name: 'Events' }).click()
  await page.getByLabel('Status').selectOption('failed')
  await page.getByRole('button', { name: `Replay ${total} failed events` }).click()
  await dialogOf(page).getByRole('button', { name: 'Replay' }).click()
  await dialogOf(page).waitFor({ state: 'detached' })
  await page.getByText('No results').waitFor()
  await page.getByRole('button', { name: 'Clear search and filters' }).click()
  await page.getByLabel('Event', { exact: true }).selectOption('suppression.added')
  await page.getByRole('link', { name: 'Order status' }).first().waitFor()
  await page.waitForURL(/tab=events&type=suppression\.added/)
  await lookAtTab(visit, 'mail-webhooks-events')
  assert.equal((await eventsOf('status=failed')).total, 0)
}

/** Edited and deleted; going back to it says that it is gone. */
const editAndDelete = async (visit: Visit) => {
  const { page } = visit
  await page.getByRole('button', { name: 'suppression.added' }).first().waitFor()
  await fits(visit, 'mail-webhooks-events-dark-390')
  await page.getByRole('link', { name: 'Order status' }).first().click()
  await page.getByRole('button', { name: 'suppression.added' }).first().waitFor()
  await fits(visit, 'mail-webhook-dark-390')
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel(/^Description/).fill('Chat of the team')
  const change = { events: ['suppression.added'] }
  await customer.client.send('PATCH', `/api/webhooks/${hookId}`, { body: change })
  await page.getByText(', suppression.removed').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('heading', { name: 'Chat of the team' }).waitFor()
  const { events } = (await customer.client.get(`/api/webhooks/${hookId}`)).body
  assert.deepEqual(events, change.events, 'what was changed elsewhere meanwhile stays')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete webhook' }).click()
  const missing: string[] = []
  const later = new Set<unknown>()
  let isGoing = false
  page.on('request', (request) => {
    if (isGoing) later.add(request)
    isGoing ||= request.method() === 'DELETE'
  })
  page.on('response', (response) => {
    // What was asked before may be answered afterwards.
    if (response.status() === 404 && later.has(response.request())) missing.push(response.url())
  })
  await confirm(page, 'Delete webhook')
  await page.getByText('No webhooks yet').waitFor()
  assert.equal((await customer.client.get(`/api/webhooks/${hookId}`)).status, 404)
  assert.deepEqual(missing, [], 'nothing of it is asked for while it goes')
  await page.goBack()
  await page.getByText("This webhook doesn't exist").waitFor()
}

/** A plan without webhooks says so. */
const tryFreePlan = async (visit: Visit) => {
  const { page } = visit
  const { id } = await plantAccount(site.database, { plan: 'free' })
  const client = site.client({ cookie: await site.openSession(id) })
  await enterPanel(visit, site, { client }, '/webhooks?new=1')
  await page.getByLabel('Endpoint URL', { exact: true }).fill(`${receiver.url}/free`)
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await page.getByText("Your plan doesn't include webhooks.").waitFor()
  assert.equal((await client.get('/api/webhooks')).body.total, 0)
  visit.expectProblem(/402/)
  // The webhook that is gone, asked for again whenever the service reported a change
  visit.expectProblem(/404/)
}
