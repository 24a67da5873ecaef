import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Activity, activityTypes } from '@stoa/mail-model/activity.ts'
import type { Address } from '@stoa/mail-model/addresses.ts'
import { activityKinds, describeActivity, hintFor, isShown, searchFor, titleOf } from './activity-words.ts'
import { type PageFilter, pageOfAll } from './all-addresses.ts'
import { generatePassword, strengthOf } from './passwords.ts'
import { describeUse, quotaText, readQuota } from './quota.ts'
import { describeThreshold } from './spam.ts'

const OWN = 'ada@one.test'

const line = (members: Partial<Activity>): Activity => ({
  object: 'activity',
  id: '0',
  type: 'received',
  direction: 'in',
  from: 'ann@outside.test',
  to: 'ada@one.test',
  subject: null,
  message_id: null,
  size_bytes: 1,
  remote_ip: '192.0.2.7',
  result: null,
  created_at: '2026-01-01T00:00:00.000Z',
  ...members,
})

describe('the trace in words', () => {
  test('says where a mail was put and where it went on to', () => {
    assert.equal(describeActivity(line({ result: 'inbox' }), OWN).sentence, 'From ann@outside.test, delivered to Inbox')
    assert.equal(
      describeActivity(line({ result: 'Lists/Cooking, to bob@elsewhere.test' }), OWN).sentence,
      'From ann@outside.test, delivered to Lists/Cooking and forwarded to bob@elsewhere.test',
    )
    assert.match(
      describeActivity(line({ to: 'shop-lamps@one.test' }), OWN).sentence,
      /^From ann@outside.test to shop-lamps@one.test, delivered to/,
    )
    assert.match(describeActivity(line({ result: 'discarded' }), OWN).sentence, /discarded by a filter/)
    assert.match(
      describeActivity(line({ type: 'spam', result: 'spam, discarded' }), OWN).sentence,
      /discarded by a filter/,
    )
    assert.match(describeActivity(line({ from: '', result: 'inbox' }), OWN).sentence, /an empty sender/)
  })

  test('says which list or score decided', () => {
    const sentence = (members: Partial<Activity>) => describeActivity(line(members), OWN).sentence
    assert.equal(
      sentence({ type: 'spam', result: 'junk: the sender list of the mailbox blocks @x.test' }),
      'From ann@outside.test, marked as spam: delivered to Junk because the sender list of the mailbox blocks @x.test',
    )
    assert.equal(
      sentence({ type: 'spam', result: 'junk: score 7.2 of 5; listed by bl.test (127.0.0.2)' }),
      'From ann@outside.test, marked as spam: delivered to Junk (score 7.2 of 5; listed by bl.test (127.0.0.2))',
    )
    assert.equal(
      sentence({ type: 'deferred', result: 'greylisted until 2026-03-01T12:05:00.000Z' }),
      'From ann@outside.test, asked to try again: greylisted until 2026-03-01T12:05:00.000Z',
    )
    assert.match(hintFor(line({ type: 'deferred', result: 'greylisted until x' })) ?? '', /asked to try again/)
  })

  test('gives reasons without the codes of servers', () => {
    const bounced = line({ type: 'bounced', direction: 'out', result: '550 5.1.1 No such user here' })
    assert.match(describeActivity(bounced, OWN).sentence, /bounced: No such user here$/)
    assert.match(describeActivity(line({ type: 'rejected', result: '' }), OWN).sentence, /no reason given/)
  })

  test('is headed by the subject as it may be shown, or by what happened', () => {
    assert.equal(titleOf(line({ subject: 'Invoice \u202egnp.exe' })), 'Invoice gnp.exe')
    assert.equal(titleOf(line({ subject: '\u200b' })), 'No subject')
    assert.equal(titleOf(line({ type: 'login', direction: null })), 'Signed in')
    assert.match(describeActivity(line({ from: '\u202emoc@x', result: 'inbox' }), OWN).sentence, /^From moc@x, /)
  })

  test('says from where somebody failed to sign in', () => {
    assert.equal(
      describeActivity(line({ type: 'login_failed', direction: null, result: 'imap' }), OWN).sentence,
      'Wrong password in a mail app (IMAP) from 192.0.2.7',
    )
  })

  test('has words for every type, and a way on for every problem', () => {
    for (const type of activityTypes) {
      assert.ok(describeActivity(line({ type }), OWN).word)
      assert.ok(activityKinds.some(({ value }) => value === type))
    }
    assert.match(
      hintFor(line({ type: 'rejected', result: 'Not authenticated, and x asks to reject such mail' })) ?? '',
      /SPF/,
    )
    assert.equal(hintFor(line({})), undefined)
  })

  test('is narrowed by kind and direction', () => {
    const filter = { search: '', kind: '', direction: '' }
    assert.ok(isShown(line({}), filter))
    assert.ok(!isShown(line({}), { ...filter, direction: 'out' }))
    assert.ok(!isShown(line({}), { ...filter, kind: 'problems' }))
    assert.ok(isShown(line({ type: 'spam' }), { ...filter, kind: 'problems' }))
    assert.ok(!isShown(line({ type: 'login', direction: null }), { ...filter, kind: 'mail' }))
    assert.equal(searchFor({ ...filter, kind: 'rejected' }), 'rejected')
    assert.equal(searchFor({ ...filter, search: ' ann ', kind: 'rejected' }), 'ann')
    assert.equal(searchFor({ ...filter, kind: 'problems' }), '')
    assert.equal(searchFor({ ...filter, search: '<a@b>' }), 'a@b')
  })
})

describe('passwords', () => {
  test('generated ones are strong and never the same', () => {
    const made = new Set(Array.from({ length: 50 }, generatePassword))
    assert.equal(made.size, 50)
    for (const password of made) {
      assert.match(password, /^([a-z2-9]{5}-){3}[a-z2-9]{5}$/)
      assert.equal(strengthOf(password)?.words, 'Strong')
    }
  })

  test('strength goes by length and variety', () => {
    assert.equal(strengthOf(''), null)
    assert.match(strengthOf('short')?.words ?? '', /^Too short/)
    for (const weak of ['aaaaaaaaaaaa', '1234567890', 'password']) assert.match(strengthOf(weak)?.words ?? '', /^Weak/)
    assert.equal(strengthOf('seven lanterns in the harbour')?.words, 'Strong')
  })
})

describe('quotas', () => {
  test('come back as they were typed', () => {
    for (const [bytes, amount, unit] of [
      [5e9, '5', 'GB'],
      [2.5e9, '2.5', 'GB'],
      [500e6, '500', 'MB'],
      [2e12, '2', 'TB'],
    ] as const) {
      assert.deepEqual(quotaText(bytes), { amount, unit })
      assert.equal(readQuota({ amount, unit }), bytes)
    }
    assert.equal(readQuota(quotaText(null)), null)
  })

  test('what is no number is not a quota', () => {
    for (const amount of ['-1', 'much', '1e3', '99999999999'])
      assert.equal(readQuota({ amount, unit: 'TB' }), undefined)
    assert.equal(readQuota({ amount: '1,5', unit: 'GB' }), 1.5e9)
  })

  test('use is said with its limit where there is one', () => {
    assert.equal(describeUse(1e9, 5e9), '1 GB of 5 GB')
    assert.equal(describeUse(1e9, null), '1 GB')
  })
})

test('addresses of several domains are searched, sorted and paged as those of one', () => {
  const address = (email: string, used: number, login: string | null): Address => ({
    object: 'address',
    id: email,
    domain_id: email,
    email,
    local_part: '',
    name: email.startsWith('b') ? 'Bob the Keeper' : null,
    enabled: true,
    send_enabled: true,
    quota_bytes: null,
    used_bytes: used,
    messages_count: 0,
    aliases: [],
    forward_to: [],
    keep_copy: true,
    recovery_email: null,
    spam_threshold: 5,
    digest: 'off',
    require_app_password: false,
    last_login_at: login,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
  })
  const all = [address('c@x', 1, '2026-01-02'), address('a@y', 3, null), address('b@x', 2, '2026-01-01')]
  const filter = { page: 1, perPage: 2, search: '', sort: 'email', direction: 'asc' } as const
  const shown = (change: Partial<PageFilter>) => pageOfAll(all, { ...filter, ...change }).data.map(({ email }) => email)
  assert.deepEqual(shown({}), ['a@y', 'b@x'])
  assert.deepEqual(shown({ page: 2 }), ['c@x'])
  assert.deepEqual(shown({ sort: 'used_bytes', direction: 'desc' }), ['a@y', 'b@x'])
  assert.deepEqual(shown({ sort: 'last_login_at', direction: 'desc' }), ['a@y', 'c@x'])
  assert.deepEqual(shown({ search: 'keeper' }), ['b@x'])
  assert.deepEqual(pageOfAll(all, { ...filter, search: 'nobody' }), {
    data: [],
    page: 1,
    per_page: filter.perPage,
    total: 0,
    pages: 1,
  })
})

test('the usual spam threshold is called balanced', () => {
  assert.equal(describeThreshold(5).name, 'Balanced')
  assert.equal(describeThreshold(1).name, 'Very strict')
  assert.equal(describeThreshold(100).name, 'Very lenient')
})
