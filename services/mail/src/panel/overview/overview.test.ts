import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type MailClient, type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { plantAddress, plantDomain } from '../../hosting/addresses/testing/hosting.ts'
import { limitsJson, planJson } from '../../hosting/plans/offers.ts'
import { planOf } from '../../hosting/plans/plan-limits.ts'
import { alertsOf } from './alerts.ts'
import type { BillingFacts } from './billing-alerts.ts'

const DAY_MS = 86_400_000

let mail: MailService
before(async () => {
  mail = await startMail()
})
after(() => mail.close())

const overviewOf = async (client: MailClient) => {
  const answer = await client.get('/api/overview')
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const cost = async (client: MailClient): Promise<number> => {
  const watch = mail.database.watchStatements()
  await overviewOf(client)
  watch.stop()
  return watch.texts.length
}

describe('the overview', () => {
  test('of a new account shows what is to be done first', async () => {
    const { client } = await mail.signUp()
    const { user, entitlement, series, ...rest } = await overviewOf(client)
    assert.deepEqual(user, (await client.get('/api/auth/me')).body)
    assert.deepEqual(entitlement, (await client.get('/api/entitlement')).body)
    assert.equal(series.length, 30)
    assert.deepEqual(series[29], { date: '2026-03-01', received: 0, sent: 0, rejected: 0 })
    assert.equal(series[0].date, '2026-01-31')
    assert.deepEqual(rest, {
      object: 'overview',
      counts: {
        domains: 0,
        domains_verified: 0,
        addresses: 0,
        filters: 0,
        transfers_active: 0,
        webhooks: 0,
        api_keys: 0,
        suppressions: 0,
      },
      storage: { used_bytes: 0, limit_bytes: null },
      sending: { today: 0, month: 0, daily_limit: null, monthly_limit: null, by_status: {} },
      domains: [],
      recent_activity: [],
      alerts: rest.alerts,
      onboarding: ['verify_email', 'add_domain', 'verify_domain', 'create_address', 'receive_mail'].map((step) => ({
        step,
        done: false,
      })),
    })
    assert.deepEqual(
      rest.alerts.map(({ code }: { code: string }) => code),
      ['email_unverified'],
    )
  })

  test('counts what the account has, and nothing of others, at the same cost', async () => {
    const { client, id: accountId } = await mail.signUp()
    const other = await mail.signUp()
    const empty = await cost(client)
    const now = mail.clock.now()
    const days: ['received' | 'spam' | 'sent' | 'rejected' | 'login', number][] = [
      ['received', 0],
      ['received', 0],
      ['spam', 1],
      ['sent', 1],
      ['rejected', 29],
      ['received', 31],
      ['login', 0],
    ]
    const address = await plantAddress(mail.database, 'a@overview.test', { accountId, now })
    const second = await plantAddress(mail.database, 'b@overview.test', { accountId, now })
    for (let n = 0; n < 6; n += 1) await plantDomain(mail.database, { accountId, name: `overview-${n}.test`, now })
    await mail.database.tx(async (tx) => {
      const lines = days.map(([type, ago], nth) => ({
        address_id: nth % 2 ? address.id : second.id,
        id: newId(),
        type,
        created_at: new Date(now.getTime() - ago * DAY_MS),
      }))
      await tx.insertInto('activity').values(lines).execute()
      const row = { account_id: accountId, origin: 'manual', created_at: now } as const
      const suppressed = [
        { ...row, id: newId(), email: 'x@y.test' },
        { ...row, id: newId(), email: 'z@y.test', expires_at: now },
      ]
      await tx.insertInto('suppression').values(suppressed).execute()
      await tx
        .updateTable('mailbox')
        .set({ message_count: 1, used_bytes: 9 })
        .where('address_id', '=', address.id)
        .execute()
      await tx.updateTable('account').set({ suspended_at: now }).where('id', '=', accountId).execute()
      await tx
        .updateTable('dns_check')
        .set({ status: 'failed' })
        .where('domain_id', 'in', (from) =>
          from.selectFrom('domain').select('id').where('name', '=', 'overview-0.test'),
        )
        .execute()
    })
    const shown = await overviewOf(client)
    assert.deepEqual([shown.counts.domains, shown.counts.addresses, shown.counts.suppressions], [7, 2, 1])
    assert.deepEqual(shown.storage, { used_bytes: 9, limit_bytes: null })
    assert.equal(shown.domains.length, 5)
    // The oldest is the one that does not work: it comes first, however many are newer
    assert.deepEqual([shown.domains[0].name, shown.domains[0].status], ['overview-0.test', 'failed'])
    assert.equal(shown.recent_activity.length, 7)
    assert.deepEqual(
      shown.recent_activity.map(({ created_at }: { created_at: string }) => created_at),
      days
        .map(([, ago]) => new Date(now.getTime() - ago * DAY_MS).toISOString())
        .sort()
        .reverse(),
    )
    const busy = shown.series.filter((day: Record<string, number>) => day.received || day.sent || day.rejected)
    assert.deepEqual(busy, [
      { date: '2026-01-31', received: 0, sent: 0, rejected: 1 },
      { date: '2026-02-28', received: 1, sent: 1, rejected: 0 },
      { date: '2026-03-01', received: 2, sent: 0, rejected: 0 },
    ])
    assert.equal(shown.alerts[0].code, 'account_suspended')
    const done = Object.fromEntries(
      shown.onboarding.map((step: { step: string; done: boolean }) => [step.step, step.done]),
    )
    assert.deepEqual([done.add_domain, done.create_address, done.receive_mail], [true, true, true])
    assert.deepEqual((await overviewOf(other.client)).counts.domains, 0)
    assert.deepEqual((await overviewOf(other.client)).recent_activity, [])
    // Of an empty list only its length is read.
    assert.ok((await cost(client)) <= empty + 1)
    assert.ok(empty <= 9)
  })
})

const NOW = new Date('2026-03-01T12:00:00.000Z')
const billingFacts = (change: Partial<BillingFacts> = {}, entitlement: object = {}): BillingFacts => ({
  pastDueAt: null,
  now: NOW,
  ...change,
  entitlement: {
    plan: planJson({ get: () => undefined }, 'free'),
    subscription: null,
    limits: limitsJson(planOf('free')),
    usage: {
      domains: 1,
      addresses: 3,
      storage_bytes: 0,
      emails_today: 0,
      emails_month: 0,
      api_keys: 1,
      webhooks: 0,
      filters: 5,
      transfers_active: 0,
    },
    ...entitlement,
  },
})

describe('alerts', () => {
  const calm = {
    suspension: null,
    isEmailVerified: true,
    storage: { used_bytes: 89, limit_bytes: 100 },
    sending: { today: 0, month: 0, daily_limit: 100, monthly_limit: 100, by_status: {} },
    domains: [{ id: 'd', name: 'a.test', status: 'verified', verified_at: 'then' }],
    billing: billingFacts(),
  } as const
  const codes = (facts: Parameters<typeof alertsOf>[0]) => alertsOf(facts).map(({ code }) => code)

  test('are for what nears or reached a limit and for domains that do not work, the worst first', () => {
    assert.deepEqual(codes(calm), [])
    assert.deepEqual(codes({ ...calm, storage: { used_bytes: 90, limit_bytes: 100 } }), ['storage_nearly_full'])
    assert.deepEqual(codes({ ...calm, storage: { used_bytes: 100, limit_bytes: 100 } }), ['storage_full'])
    assert.deepEqual(codes({ ...calm, storage: { used_bytes: 100, limit_bytes: null } }), [])
    assert.deepEqual(codes({ ...calm, sending: { ...calm.sending, month: 95 } }), ['sending_nearly_used_up'])
    const [domain] = calm.domains
    assert.deepEqual(codes({ ...calm, domains: [{ ...domain, verified_at: null }] }), ['domain_unverified'])
    assert.deepEqual(codes({ ...calm, domains: [{ ...domain, status: 'partially_failed' }] }), ['domain_failing'])
    const all = {
      ...calm,
      isEmailVerified: false,
      suspension: { reason: 'Sends spam' },
      domains: [{ ...domain, verified_at: null }],
    }
    assert.deepEqual(codes(all), ['account_suspended', 'domain_unverified', 'email_unverified'])
  })

  test('say what an unpaid invoice stops and when, step by step', () => {
    const unpaid = (days: number) =>
      alertsOf({ ...calm, billing: billingFacts({ pastDueAt: new Date(NOW.getTime() - days * 86_400_000) }) })
    assert.deepEqual(unpaid(0), [
      {
        code: 'payment_failed',
        severity: 'warning',
        message: 'Your last payment failed. Pay by 15 March 2026, or your account stops sending.',
        href: '/billing',
      },
    ])
    const shown = (days: number) => unpaid(days).map(({ code, severity }) => [code, severity])
    assert.deepEqual(shown(13.9), [['payment_failed', 'warning']])
    assert.deepEqual(shown(14), [['sending_stopped', 'error']])
    assert.deepEqual(shown(44), [['limits_lowered', 'error']])
    const owner = { plan: planJson({ get: () => undefined }, 'unlimited') }
    assert.deepEqual(codes({ ...calm, billing: billingFacts({ pastDueAt: new Date(0) }, owner) }), [])
  })

  test('show a trial that ends soon, unless it was canceled', () => {
    const trial = { status: 'trialing', trial_end: '2026-03-05T12:00:00.000Z', cancel_at_period_end: false }
    const of = (change: object) =>
      codes({ ...calm, billing: billingFacts({}, { subscription: { ...trial, ...change } }) })
    assert.deepEqual(of({}), ['trial_ends'])
    assert.deepEqual(of({ cancel_at_period_end: true }), [])
    assert.deepEqual(of({ trial_end: '2026-03-25T12:00:00.000Z' }), [])
  })

  test('name what is over the limits after a downgrade', () => {
    const usage = { ...billingFacts().entitlement.usage, domains: 3, webhooks: 2 }
    const [alert] = alertsOf({ ...calm, billing: billingFacts({}, { usage }) })
    assert.equal(alert?.code, 'over_limit')
    assert.match(alert?.message ?? '', /3 domains \(limit 1\), 2 webhooks \(limit 0\)/)
  })
})

describe('the configuration of clients', () => {
  test('names the doors at the ports that clients reach, and leaves out those that are closed', async (context) => {
    const { client } = await mail.signUp()
    const tls = { host: 'mx.stoa.test', security: 'tls' }
    const starttls = { host: 'mx.stoa.test', security: 'starttls' }
    assert.deepEqual((await client.get('/api/client-config')).body, {
      object: 'client_config',
      username: 'full email address',
      imap: { ...tls, port: 2993 },
      pop3: { ...tls, port: 2995 },
      smtp: { ...tls, port: 2465 },
      submission: { ...starttls, port: 2587 },
      managesieve: { ...starttls, port: 4190 },
      jmap: { url: 'http://mail.test/.well-known/jmap' },
      webmail: { url: 'http://mail.test/webmail/' },
      autoconfig: { url: 'http://mail.test/mail/config-v1.1.xml' },
    })
    const env = {
      POP3_PORT: '0',
      POP3S_PORT: '0',
      MANAGESIEVE_PORT: '0',
      PUBLIC_IMAPS_PORT: '993',
      SUBMISSION_PORT: '',
    }
    const other = await startMail({ env })
    context.after(() => other.close())
    const { body } = await (await other.signUp()).client.get('/api/client-config')
    assert.deepEqual(
      [body.pop3, body.managesieve, body.imap, body.submission],
      [null, null, { ...tls, port: 993 }, null],
    )
  })
})
