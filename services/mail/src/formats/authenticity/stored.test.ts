import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { headerText, parseMessage } from '../mime/mime.ts'
import { authenticate } from './authenticate.ts'
import { readStoredResults, signedFields } from './stored.ts'
import { newKey, signed, txt, zoneLookup } from './testing/zone.ts'

const results = (value: string) => ({ name: 'Authentication-Results', value })
const received = { name: 'Received', value: 'from somewhere' }
const read = (...fields: { name: string; value: string }[]) => readStoredResults(fields, 'mx.stoa.test')

describe('stored results', () => {
  test('are what the receiving service found out', () => {
    const value =
      'mx.stoa.test; dkim=pass header.d=example.org header.s=s1 header.a=rsa-sha256 header.b=abc/+def; ' +
      'dkim=pass (does not cover all of the message) header.d=part.test header.s=s1 header.b=zzz; ' +
      'dkim=fail header.d=bad.test header.s=s1 header.b=yyy; spf=pass; dmarc=pass policy.dmarc=reject header.from=example.org'
    assert.deepEqual(read({ name: 'Return-Path', value: '<>' }, results(value), received), {
      by: 'mx.stoa.test',
      dmarc: { result: 'pass', domain: 'example.org' },
      signatures: [{ domain: 'example.org', selector: 's1', beginning: 'abc/+def' }],
    })
    assert.deepEqual(read(results('mx.stoa.test; dmarc=fail header.from=bank.example'), received)?.dmarc, {
      result: 'fail',
      domain: 'bank.example',
    })
    assert.equal(read(results('mx.stoa.test; spf=pass; dkim=pass'), received)?.dmarc.result, 'none')
  })

  test('are never what another host says, or the message about itself', () => {
    const own = results('mx.stoa.test; dmarc=pass header.from=bank.example')
    assert.equal(read(received, own), null)
    assert.equal(read(own), null)
    assert.equal(read(results('mx.evil.test; dmarc=pass header.from=bank.example'), received), null)
    assert.equal(read(results('mx.stoa.test; spf=none'), received, own)?.dmarc.result, 'none')
    assert.equal(read(results('mx.stoa.test; spf=none smtp.helo=dmarc=pass'), received)?.dmarc.result, 'none')
  })

  const key = newKey()
  const LETTER =
    'From: News <news@example.org>\r\nTo: bob@example.net\r\nSubject: News\r\nDate: Sun, 1 Mar 2026 12:00:00 +0000\r\n' +
    'Message-ID: <one@example.org>\r\nList-Unsubscribe: <https://example.org/leave>\r\n' +
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n\r\nThe news.\r\n'

  const fieldsOf = (bytes: Buffer) =>
    parseMessage(bytes).root.fields.map((field) => ({ name: field.name, value: headerText(bytes, field) }))

  /** What our mailboxes keep of a message that came, and what its signatures say. */
  const receive = async (bytes: Buffer) => {
    const { lookup } = zoneLookup({
      'TXT s1._domainkey.example.org': txt(key.record),
      'TXT _dmarc.example.org': txt('v=DMARC1; p=none'),
    })
    const { header } = await authenticate({
      bytes,
      ip: '203.0.113.9',
      helo: 'mx.example.org',
      mailFrom: 'news@example.org',
      resolver: lookup,
      hostname: 'mx.stoa.test',
      now: new Date('2026-03-01T12:00:00Z'),
    })
    const stored = read(...fieldsOf(Buffer.from(`${header}Received: by mx.stoa.test; now\r\n\r\n`)))
    const signatures = fieldsOf(bytes).flatMap(({ name, value }) => (name === 'dkim-signature' ? [value] : []))
    return { stored, signatures }
  }

  test('of a message that really was checked say which fields its signature covers', async () => {
    const headerList = ['From', 'Subject', 'List-Unsubscribe', 'List-Unsubscribe-Post']
    const { stored, signatures } = await receive(await signed(LETTER, { domain: 'example.org', key, headerList }))
    assert.deepEqual(stored?.dmarc, { result: 'pass', domain: 'example.org' })
    const covered = signedFields(signatures[0] ?? '', stored ?? assert.fail(), signatures)
    assert.ok(covered.has('list-unsubscribe') && covered.has('list-unsubscribe-post'), [...covered].join())
    assert.equal(covered.has('to'), false)
  })

  test('of a message that was changed on its way cover nothing', async () => {
    const bytes = await signed(LETTER, { domain: 'example.org', key })
    const changed = Buffer.from(String(bytes).replace('/leave', '/elsewhere'))
    const { stored, signatures } = await receive(changed)
    assert.deepEqual([...signedFields(signatures[0] ?? '', stored ?? assert.fail(), signatures)], [])
  })
})
