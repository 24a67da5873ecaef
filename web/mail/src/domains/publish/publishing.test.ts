import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DnsPublish, DnsRecord } from '@stoa/mail-model/dns.ts'
import { type PublishProvider, publishProviderOf } from '@stoa/mail-model/dns-providers/index.ts'
import { ProblemError } from '@stoa/ui/request/problem.ts'
import { RequestError } from '@stoa/ui/request/request.ts'
import { changesOf, plainMessage, publishInputOf, publishProblem, readKept, summaryOf } from './publishing.ts'

const known = (id: string): PublishProvider => {
  const provider = publishProviderOf(id)
  assert.ok(provider)
  return provider
}

const published: DnsPublish = {
  object: 'dns_publish',
  provider: 'cloudflare',
  dry_run: false,
  created: 2,
  updated: 0,
  unchanged: 1,
  failed: 0,
  results: [{ record: 'MX', name: '@', type: 'MX', action: 'skipped', message: 'There are MX records.' }],
}

test('one field is sent as token, several as credentials, without the spaces of pasting', () => {
  const options = { dryRun: true, confirmReplace: false }
  const base = { kinds: ['MX'], overwrite: false } as const
  const one = publishInputOf({ provider: known('cloudflare'), credentials: { token: ' abc ' }, ...base }, options)
  assert.deepEqual([one.token, one.credentials, one.dry_run], ['abc', undefined, true])
  const credentials = { api_key: 'k', api_secret: 's', token: 'of another provider' }
  const pair = publishInputOf({ provider: known('godaddy'), credentials, ...base }, options)
  assert.deepEqual([pair.token, pair.credentials], [undefined, { api_key: 'k', api_secret: 's' }])
})

test('a refused token is said at the secret field, in words', () => {
  const refused = new RequestError(
    {
      message: 'Invalid token parameter: the DNS provider rejected it.',
      fields: [{ key: 'token', message: 'Invalid token parameter: the DNS provider rejected it.' }],
    },
    400,
    'invalid_parameter',
  )
  const problem = publishProblem(refused, known('namecheap'))
  assert.ok(problem instanceof ProblemError)
  assert.deepEqual(problem.fields, [
    {
      key: 'api_key',
      message: "Namecheap rejected it. Check that it's complete, still valid and allowed to edit DNS.",
    },
  ])
})

test('a result is summed up, and one that is kept is read again or forgotten', () => {
  assert.equal(summaryOf(published), '2 added, 1 already correct, 1 skipped')
  assert.equal(summaryOf({ ...published, dry_run: true }), '2 to be added, 1 already correct, 1 skipped')
  const kept = { at: '2026-01-01T00:00:00.000Z', publish: published }
  assert.deepEqual(readKept(JSON.parse(JSON.stringify(kept))), kept)
  for (const other of [undefined, null, 'x', {}, { at: 'x', publish: { object: 'dns_publish' } }])
    assert.equal(readKept(other), null)
})

test('a plan shows what is taken away and what is written, the merged SPF record among it', () => {
  const record = {
    object: 'dns_record',
    fqdn: 'a.example',
    ttl: 3600,
    weight: null,
    port: null,
    required: true,
  } as const
  const state = { status: 'failed', message: null, checked_at: null } as const
  const mx = { ...record, ...state, record: 'MX', type: 'MX', name: '@', priority: 10, found: ['5 mx.other'] } as const
  const records: DnsRecord[] = [
    { ...mx, found: ['5 mx.other'], value: 'mx1.stoa' },
    { ...mx, found: ['5 mx.other'], value: 'mx2.stoa' },
    {
      ...record,
      ...state,
      record: 'SPF',
      type: 'TXT',
      name: '@',
      priority: null,
      value: 'v=spf1 mx ~all',
      found: ['v=spf1 a -all'],
    },
  ]
  const result = (of: 'MX' | 'SPF', action: 'updated' | 'skipped') =>
    ({ record: of, type: of === 'MX' ? 'MX' : 'TXT', name: '@', action, message: null }) as const
  const plan = { ...published, results: [result('MX', 'updated'), result('MX', 'updated'), result('SPF', 'updated')] }
  assert.deepEqual(
    changesOf(plan, records).map(({ before, after }) => [before, after]),
    [
      [['5 mx.other'], '10 mx1.stoa'],
      [[], '10 mx2.stoa'],
      [['v=spf1 a -all'], 'v=spf1 mx a -all'],
    ],
  )
  const left = changesOf({ ...published, results: [result('SPF', 'skipped')] }, records)
  assert.deepEqual([left[0]?.before, left[0]?.after], [[], null])
})

test('words for programs are not shown', () => {
  assert.equal(
    plainMessage('Another record exists. Set `overwrite` to replace it.'),
    'Another record exists. Turn on “Replace conflicting records” to replace it.',
  )
})
