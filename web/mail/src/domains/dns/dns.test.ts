import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DnsRecord, DnsRecordSet } from '@stoa/mail-model/dns.ts'
import { asciiName, tidyName, toAsciiSearch } from '../names.ts'
import { describeChanges } from './announce.ts'
import { delayOf } from './pace.ts'
import { howToFix, recordTitle } from './purposes.ts'
import { dataText, diffRecord, mergedSpf, recordsText } from './record-text.ts'
import { describeCheck, hasOtherPolicy, isNeeded, isReady, isTrustedName, recordLook, tallyOf } from './states.ts'

const record = (members: Partial<DnsRecord>): DnsRecord => ({
  object: 'dns_record',
  record: 'SPF',
  name: '@',
  fqdn: 'example.com',
  type: 'TXT',
  ttl: 3600,
  value: 'v=spf1 mx ~all',
  priority: null,
  weight: null,
  port: null,
  required: true,
  status: 'pending',
  found: [],
  message: null,
  checked_at: null,
  ...members,
})

const changed = (parts: readonly { text: string; isChanged: boolean }[]): string[] =>
  parts.filter(({ isChanged }) => isChanged).map(({ text }) => text.trim())

describe('the diff of a record', () => {
  test('marks what is not wanted and what is missing, and keeps the text whole', () => {
    const { found, wanted } = diffRecord(['v=spf1 include:_spf.other.com -all'], 'v=spf1 mx ~all')
    assert.deepEqual(found.map(changed), [['include:_spf.other.com -all']])
    assert.deepEqual(changed(wanted), ['mx ~all'])
    assert.equal(wanted.map(({ text }) => text).join(''), 'v=spf1 mx ~all')
    assert.equal(found[0]?.map(({ text }) => text).join(''), 'v=spf1 include:_spf.other.com -all')
  })
  test('compares the wanted value with the nearest of several', () => {
    const { wanted } = diffRecord(['10 mx.other.com', '20 mx.stoa.test'], '10 mx.stoa.test')
    assert.deepEqual(changed(wanted), ['10'])
  })
  test('spaces and case are no difference, and nothing found is all missing', () => {
    assert.deepEqual(changed(diffRecord(['V=DMARC1;p=none'], 'v=DMARC1; p=none').wanted), [])
    assert.deepEqual(diffRecord([], 'x').wanted, [{ text: 'x', isChanged: true }])
  })
})

test('an SPF record is merged: every mechanism once, one `all` at the end', () => {
  assert.equal(
    mergedSpf(['v=spf1 include:_spf.other.com mx -all'], 'v=spf1 mx ~all'),
    'v=spf1 mx include:_spf.other.com -all',
  )
  assert.equal(mergedSpf(['v=spf1 redirect=_spf.a.com'], 'v=spf1 mx ~all'), 'v=spf1 mx include:_spf.a.com ~all')
})

test('records become lines with their numbers', () => {
  const mx = record({ record: 'MX', type: 'MX', value: 'mx.stoa.test', priority: 10 })
  assert.equal(recordsText([mx]), 'MX\texample.com\t3600\t10 mx.stoa.test')
  assert.equal(dataText({ type: 'SRV', value: 'mx', priority: 0, weight: 1, port: 993 }), '0 1 993 mx')
})

describe('states', () => {
  test('sending and receiving need no DMARC record and no spare key', () => {
    const needed = (members: Partial<DnsRecord>) => isNeeded(record(members))
    assert.deepEqual(
      [needed({}), needed({ record: 'MX' }), needed({ record: 'DKIM' }), needed({ record: 'DKIM', required: false })],
      [true, true, true, false],
    )
    assert.equal(needed({ record: 'DMARC' }), false)
  })
  test('what is only recommended is never a failure', () => {
    const look = (members: Partial<DnsRecord>) => recordLook(record({ status: 'failed', ...members }))
    assert.equal(look({ required: false }).tone, 'neutral')
    assert.equal(look({ record: 'DMARC' }).word, 'Not set')
    assert.equal(look({ found: ['x'], required: false }).tone, 'draft')
    assert.equal(look({ found: ['x'] }).word, 'Incorrect')
  })
  test('the result of a check distinguishes wrong from missing', () => {
    const records = [
      record({ status: 'verified' }),
      record({ status: 'failed', found: ['x'] }),
      record({}),
      record({ required: false, status: 'failed', found: ['x'] }),
    ]
    assert.deepEqual(tallyOf(records), { total: 4, verified: 1, wrong: 2 })
    assert.equal(describeCheck(records), "1 of 3 needed records is verified, 1 has a different value, 1 wasn't found.")
    assert.equal(isTrustedName('verified', records), true)
    assert.equal(isTrustedName('verified', [record({ status: 'verified' })]), false)
  })
  test('a domain is ready when all that is needed is verified, with or without DMARC', () => {
    const dmarc = record({ record: 'DMARC' })
    assert.equal(isReady([record({ status: 'verified' }), dmarc]), true)
    assert.equal(isReady([record({ status: 'temporary_failure' }), dmarc]), false)
  })
  test('a DMARC policy that is valid and not that of the settings is noticed', () => {
    const dmarc = (found: string) =>
      record({ record: 'DMARC', status: 'verified', value: 'v=DMARC1; p=reject; rua=mailto:a@b', found: [found] })
    assert.equal(hasOtherPolicy(dmarc('v=DMARC1;p=none')), true)
    assert.equal(hasOtherPolicy(dmarc('v=DMARC1; rua=mailto:x@y')), true)
    assert.equal(hasOtherPolicy(dmarc('v=DMARC1; p = Reject')), false)
  })
  test('several records of one kind are to become one, a missing one is to be added', () => {
    assert.match(howToFix(record({ status: 'failed', found: ['a', 'b'] })) ?? '', /delete the others/)
    assert.match(howToFix(record({})) ?? '', /Add this TXT record/)
    assert.equal(howToFix(record({ status: 'verified' })), null)
    assert.equal(recordTitle(record({ record: 'DKIM', name: 's2._domainkey' })), 'DKIM s2')
  })
})

test('names are tidied and shown as DNS spells them', () => {
  assert.equal(tidyName(' https://Example.com/about '), 'example.com')
  assert.equal(tidyName('ada@example.com.'), 'example.com')
  assert.equal(asciiName('bücher.example'), 'xn--bcher-kva.example')
  assert.equal(asciiName('example.com'), null)
  assert.equal(asciiName('bü cher'), null)
  assert.equal(toAsciiSearch('shop'), 'shop')
})

describe('while records are awaited', () => {
  const now = Date.parse('2026-03-01T12:00:00Z')
  const at = (secondsAgo: number) => new Date(now - secondsAgo * 1000).toISOString()

  test('they are checked at once, then calmly, and rarely when it takes long', () => {
    const delay = (rounds: number, lastAt: number, checkedAt: string | null) =>
      delayOf({ rounds, lastAt, checkedAt, now })
    assert.equal(delay(0, 0, null), 0)
    assert.equal(delay(0, 0, at(60)), 0)
    assert.equal(delay(0, 0, at(5)), 10_000)
    assert.equal(delay(1, now - 1_000, at(60)), 14_000, 'also when the last one failed')
    assert.equal(delay(20, now, at(0)), 60_000)
    assert.equal(delay(0, 0, at(-3600)), 15_000, 'whatever the clock of the service says')
  })

  test('screen readers announce what changed, and when the domain is ready', () => {
    const set = (...records: DnsRecord[]): DnsRecordSet => ({
      object: 'dns_record_set',
      domain_id: 'domain',
      domain: 'example.com',
      status: 'pending',
      checked_at: null,
      next_check_at: null,
      records,
    })
    const spf = record({})
    const mx = record({ record: 'MX', type: 'MX', value: 'mx.stoa.test' })
    const right = { status: 'verified' } as const
    assert.equal(describeChanges(set(spf, mx), set(spf, mx)), '')
    assert.equal(describeChanges(set(spf, mx), set({ ...spf, ...right }, mx)), 'SPF: verified.')
    assert.equal(
      describeChanges(set({ ...spf, ...right }, mx), set({ ...spf, ...right }, { ...mx, ...right })),
      'MX: verified. example.com is ready to send and receive.',
    )
  })
})
