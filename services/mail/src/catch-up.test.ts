import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Database, openDatabase } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import { webhookEvents } from '@stoa/mail-model/webhook-events.ts'
import { PATIENT } from '@stoa/tests/lib/cluster.ts'
import { type FakeWebhook, startFakeWebhook } from '@stoa/tests/lib/fake-webhook.ts'
import { loseAndReconnect } from '@stoa/tests/lib/lose-notifications.ts'
import type { MailService } from '@stoa/tests/lib/mail.ts'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import { createWakeups } from './doors/imap/wakeups.ts'
import { type AccessCache, createAccessCache } from './doors/jmap/access-cache.ts'
import { createHub } from './doors/jmap/push/hub.ts'
import { type PlantedAddress, plantAddress } from './hosting/addresses/testing/hosting.ts'
import { signingKeyOf } from './hosting/domains/dkim-keys.ts'
import { enqueue } from './hosting/enqueue/enqueue.ts'
import { type KeptSettings, keepInstanceSettings } from './hosting/instance-settings/instance-settings.ts'
import { createShare } from './hosting/shares/shares.ts'
import { recordEvent } from './hosting/webhook-events/webhook-events.ts'
import { type BillingGround, type Customer, startBillingGround } from './panel/billing/sync/testing/ground.ts'
import { startBilling } from './panel/billing/sync/worker.ts'
import { startExports } from './panel/exports/worker.ts'
import { startWebhooks } from './panel/webhooks/worker.ts'
import type { SignedInAddress } from './principal.ts'
import { startQueue } from './sending/queue/queue.ts'
import { testParts } from './sending/queue/testing/parts.ts'
import { ensureFolderPath } from './store/folders/folders.ts'
import type { Tables } from './tables.ts'

/** Queues do not look by themselves in time: what is done was woken. */
const POLLING = { pollMs: 3_600_000 }
const DELIVERED = { kind: 'delivered', code: 250, status: '2.0.0', reply: '250 OK', where: 'here' } as const

const closes: (() => unknown)[] = []
let ground: BillingGround
let mail: MailService
/** Without a bus: nobody is notified of what it writes. */
let silent: Database<Tables>
let receiver: FakeWebhook
let settings: KeptSettings
let customer: Customer
let ann: PlantedAddress
let bob: SignedInAddress
let access: AccessCache
let shown = ''
let hasMailWoken = false
let hasHubNotified = false
before(async () => {
  ground = await startBillingGround({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  mail = ground.mail
  silent = openDatabase({ url: mail.databaseUrl, poolSize: 1, log: mail.parts.log, ...PATIENT })
  receiver = await startFakeWebhook({ now: mail.clock.now })
  closes.push(ground.close, silent.close, receiver.close)
  customer = await ground.adopt(ground.owner)
  await addHook()
  ann = await plantAddress(silent, 'ann@signed.test', { accountId: customer.id })
  bob = signedIn(await plantAddress(silent, 'bob@signed.test', { accountId: customer.id }))
  await mail.parts.bus.ready()
  startQueues()
  await startFollowers()
  await showPanel()
})
after(async () => {
  for (const close of closes.reverse()) await close()
})

const addHook = async (): Promise<void> => {
  const hook = { endpoint: receiver.url, events: ['email.delivered'] }
  const { status, body, text } = await customer.client.post('/api/webhooks', hook)
  assert.equal(status, 201, text)
  receiver.trust(body.signing_secret)
}
const signedIn = ({ id, accountId, domainId, email, name }: PlantedAddress): SignedInAddress => ({
  id,
  accountId,
  domainId,
  email,
  name,
  sendEnabled: true,
})
const startQueues = (): void => {
  const { parts } = mail
  const choices = { tuning: POLLING, simulate: () => DELIVERED }
  const queues = [
    startQueue(testParts({ ...parts, dnsAddress: '127.0.0.1:9', port: 9 }, choices)),
    startExports({ ...parts, tuning: POLLING }),
    startWebhooks(parts, POLLING),
    startBilling({ ...ground.parts, bus: parts.bus }, POLLING),
  ]
  for (const queue of queues) closes.push(() => queue.stop())
}
/** With what they keep. */
const startFollowers = async (): Promise<void> => {
  const { parts } = mail
  settings = keepInstanceSettings(mail.database, parts.bus)
  access = createAccessCache(parts)
  const [wakeups, hub] = [createWakeups(parts.bus), createHub(parts)]
  closes.push(settings.close, access.close, wakeups.close, hub.close)
  wakeups.watch(bob.id, () => {
    hasMailWoken = true
  })
  const notify = async (): Promise<void> => {
    hasHubNotified = true
  }
  const signIn = { address: bob, scope: 'jmap', appPasswordId: null, passwordStamp: '' } as const
  await hub.watch({ signIn, types: null, since: null, notify, failed: assert.fail })
  assert.equal((await settings.current()).greylisting, false)
  assert.equal((await access.of(bob)).length, 1)
  assert.equal((await signingKey())?.selector, 's1')
}
/** Keeps what a panel receives in `shown`. */
const showPanel = async (): Promise<void> => {
  const leaving = new AbortController()
  const headers = { cookie: `mail_session=${customer.client.cookie}` }
  const { body } = await fetch(`${mail.url}/api/events`, { headers, signal: leaving.signal })
  const read = async (): Promise<void> => {
    for await (const chunk of body ?? []) shown += Buffer.from(chunk).toString()
  }
  const reading = read().catch(() => undefined)
  closes.push(() => {
    leaving.abort()
    return reading
  })
}

const signingKey = () => signingKeyOf(mail.database.db, mail.parts.hosting, bob.domainId)
const sql = (text: string, values: unknown[] = []) => silent.pool.query(text, values)
const find = async (text: string, values: unknown[] = []) => (await sql(text, values)).rows[0]

type Missed = { rule: string; change(): Promise<unknown>; isNoticed(): boolean | Promise<boolean> }

const missed: readonly Missed[] = [
  {
    rule: 'mail leaves',
    async change() {
      const blob = await mail.parts.blobs.put(Buffer.from('Subject: Hello\r\n\r\n'), { maxBytes: 100 })
      const message = { accountId: customer.id, addressId: null, source: 'submission', blob, returnPath: '' } as const
      const unsaid = { signingDomainId: null, messageId: null, headerFrom: null, subject: null }
      const recipients = [{ address: 'ada@elsewhere.test' }]
      const now = mail.clock.now()
      await silent.tx((tx) =>
        enqueue(tx, { ...message, ...unsaid, recipients, needsUtf8: false, needs8bit: false, now }),
      )
    },
    isNoticed: async () =>
      (await find(`select state from queue_recipient where domain = 'elsewhere.test'`)).state === 'delivered',
  },
  {
    rule: 'an export is made',
    change: () =>
      sql(`insert into mail_export (id, account_id, format, next_at, created_at) values ($1, $2, 'mbox', $3, $3)`, [
        newId(),
        customer.id,
        mail.clock.now(),
      ]),
    isNoticed: async () => (await find('select status from mail_export')).status === 'completed',
  },
  {
    rule: 'a webhook gets its event',
    change() {
      const now = mail.clock.now()
      const data = webhookEvents['email.delivered'].sample({ webhookId: newId(), at: now.toISOString() })
      return silent.tx((tx) => recordEvent(tx, customer.id, { type: 'email.delivered', data }, now))
    },
    isNoticed: () => receiver.received.length > 0,
  },
  {
    rule: 'a customer is read at the payment provider',
    change: () => sql('update billing_customer set sync_due_at = $1', [mail.clock.now()]),
    isNoticed: async () => (await ground.row(customer))?.sync_due_at === null,
  },
  {
    rule: 'a plan costs what was read',
    change: () => sql(`update plan_price set price_cents = 4242 where plan = 'pro'`),
    isNoticed: () => mail.parts.prices.get('pro')?.cents === 4242,
  },
  {
    rule: 'the settings of the instance count',
    change: () =>
      sql(`insert into instance_setting (greylisting, updated_at) values (true, now())
        on conflict (is_only) do update set greylisting = true`),
    isNoticed: async () => (await settings.current()).greylisting,
  },
  {
    rule: 'a key that was taken back signs nothing',
    change: () => sql('update dkim_key set active = false'),
    isNoticed: async () => (await signingKey()) === null,
  },
  {
    rule: 'a mailbox that is shared now may be read',
    change: () => {
      const share = { accountId: customer.id, addressId: ann.id, withAddressId: bob.id, access: 'read' } as const
      return silent.tx((tx) => createShare(tx, { ...share, now: mail.clock.now() }))
    },
    isNoticed: async () => (await access.of(bob)).length === 2,
  },
  {
    rule: 'connections of mail programs are notified of a folder that was made',
    change: () => silent.tx((tx) => ensureFolderPath(tx, bob.id, 'Plans')),
    isNoticed: () => hasMailWoken && hasHubNotified,
  },
  {
    rule: 'a panel reads everything again',
    change: () => sql(`update domain set note = 'changed'`),
    isNoticed: () => shown.includes('event: reset\n'),
  },
]

describe('after notifications were lost, as soon as they are back', () => {
  before(async () => {
    await passTime(100, 'what the queues did at the start is over')
    for (const { rule, change, isNoticed } of missed) {
      await change()
      assert.equal(await isNoticed(), false, rule)
    }
    await loseAndReconnect(mail.parts.bus, mail.database)
  })

  for (const { rule, isNoticed } of missed)
    test(rule, async () => {
      await until(isNoticed, rule)
    })
})
