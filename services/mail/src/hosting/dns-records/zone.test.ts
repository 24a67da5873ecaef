import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { quotedText, unquotedText } from '@stoa/kit/dns-zones/text.ts'
import fc from 'fast-check'
import { readConfig } from '../../config.ts'
import { recordSet } from './record-set.ts'
import { includesUs, mergeSpf } from './spf.ts'
import { zoneFile } from './zone.ts'

const config = readConfig({
  NODE_ENV: 'test',
  SECRET: 'a secret of the tests, long enough for anyone',
  MAIL_DATABASE_URL: 'postgres://localhost/none',
  MAIL_PUBLIC_URL: 'https://mail.stoa.test',
  MAIL_HOSTNAME: 'mx.stoa.test',
  POP3_PORT: '0',
})
const domain = { name: 'shop.com', ownership_token: 'tok', dmarc_policy: 'none', mta_sts_mode: 'enforce' } as const
const key = { selector: 's1', algorithm: 'rsa-sha256', public_key: 'A'.repeat(392), active: true } as const

describe('a zone file', () => {
  test('has every record on a line of its own, with long texts split', () => {
    const lines = zoneFile('shop.com', recordSet(config, domain, [key])).split('\n')
    assert.deepEqual(lines.slice(0, 2), ['$ORIGIN shop.com.', '$TTL 3600'])
    assert.ok(lines.includes('@\t3600\tIN\tMX\t10 mx.stoa.test.'))
    assert.ok(lines.includes('@\t3600\tIN\tTXT\t"v=spf1 mx ~all"'))
    assert.ok(lines.includes('_pop3._tcp\t3600\tIN\tSRV\t0 0 0 .'))
    assert.ok(lines.includes('_jmap._tcp\t3600\tIN\tSRV\t0 1 443 mail.stoa.test.'))
    assert.ok(lines.includes('mta-sts\t3600\tIN\tCNAME\tmail.stoa.test.'))
    const dkim = lines.find((line) => line.startsWith('s1._domainkey')) ?? ''
    const strings = [...dkim.matchAll(/"([^"]*)"/g)].map(([, text = '']) => text)
    assert.deepEqual([strings.length, Math.max(...strings.map((text) => text.length))], [2, 255])
    assert.equal(strings.join(''), `v=DKIM1; k=rsa; p=${key.public_key}`)
  })

  test('holds any text on one line, and gives it back', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.nat(255).map((code) => String.fromCharCode(code)), maxLength: 700 }), (text) => {
        const quoted = quotedText(text)
        assert.match(quoted, /^"(?:[^"\\\n\r]|\\["\\]|\\\d{3})*"(?: "(?:[^"\\\n\r]|\\["\\]|\\\d{3})*")*$/)
        assert.equal(Buffer.from(unquotedText(quoted), 'latin1').toString(), text)
      }),
      { seed: 7, numRuns: 300 },
    )
  })
})

describe('SPF records', () => {
  test('are merged into one with each mechanism once, before the end of the first', () => {
    const ours = 'v=spf1 include:_spf.stoa.test ~all'
    const cases: [string[], string][] = [
      [['v=spf1 -all'], 'v=spf1 include:_spf.stoa.test -all'],
      [['v=spf1 mx a'], 'v=spf1 include:_spf.stoa.test mx a ~all'],
      [['v=spf1 mx ?all', 'v=spf1 mx ip4:192.0.2.1 -all'], 'v=spf1 include:_spf.stoa.test mx ip4:192.0.2.1 ?all'],
      [['v=spf1 redirect=_spf.other.com'], 'v=spf1 include:_spf.stoa.test include:_spf.other.com ~all'],
    ]
    for (const [existing, merged] of cases) {
      assert.equal(mergeSpf(existing, ours), merged)
      assert.ok(includesUs(merged, ours))
    }
  })

  test('count when they have our mechanism, in any case and with a plus', () => {
    const ours = 'v=spf1 include:_spf.stoa.test ~all'
    assert.ok(includesUs('v=spf1 mx +INCLUDE:_spf.stoa.test -all', ours))
    for (const text of [
      'v=spf1 -include:_spf.stoa.test ~all',
      'v=spf1 include:_spf.stoa.test.evil.com ~all',
      'v=spf1 mx',
    ])
      assert.ok(!includesUs(text, ours), text)
    assert.ok(includesUs('v=spf1 +mx -all', 'v=spf1 mx ~all'))
  })
})
