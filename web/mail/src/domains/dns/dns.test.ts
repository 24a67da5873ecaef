import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DnsRecord } from '@stoa/mail-model/dns.ts'
import { asciiName, tidyName, toAsciiSearch } from '../names.ts'
import { howToFix, recordTitle } from './purposes.ts'
import { dataText, diffRecord, mergedSpf, recordsText } from './record-text.ts'
import { describeTally, hasOtherPolicy, isTrustedName, kindStates, recordLook, tallyOf } from './states.ts'

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
  test('a kind is as bad as the worst of what is needed; a spare key does not count', () => {
    const keys = [
      record({ record: 'DKIM', name: 's1._domainkey', status: 'verified' }),
      record({ record: 'DKIM', name: 's2._domainkey', status: 'failed', required: false }),
    ]
    assert.equal(kindStates(keys)[0]?.look.word, 'Verified')
    const hosts = [record({ record: 'MX', status: 'verified' }), record({ record: 'MX', status: 'pending' })]
    assert.equal(kindStates(hosts)[0]?.look.word, 'Not found yet')
  })
  test('what is only recommended is never a failure', () => {
    assert.equal(recordLook({ status: 'failed', found: [], required: false }).tone, 'neutral')
    assert.equal(recordLook({ status: 'failed', found: ['x'], required: false }).tone, 'draft')
    assert.equal(recordLook({ status: 'failed', found: ['x'], required: true }).word, 'Incorrect')
  })
  test('the tally tells wrong from missing', () => {
    const records = [
      record({ status: 'verified' }),
      record({ status: 'failed', found: ['x'] }),
      record({}),
      record({ required: false, status: 'failed', found: ['x'] }),
    ]
    assert.deepEqual(tallyOf(records), { needed: 3, working: 1, wrong: 1 })
    assert.equal(
      describeTally(tallyOf(records)),
      '1 of 3 required records are in place, 1 has a different value, 1 is not found yet.',
    )
    assert.equal(isTrustedName('verified', records), true)
    assert.equal(isTrustedName('verified', [record({ status: 'verified' })]), false)
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
