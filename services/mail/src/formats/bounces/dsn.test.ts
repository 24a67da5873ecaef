import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseMessage } from '../mime/parse.ts'
import { mailBytes, SEED } from '../mime/testing/arbitrary.ts'
import { corpus } from '../mime/testing/corpus.ts'
import { buildDsn, type DsnInput } from './dsn.ts'
import { readDsn } from './read-dsn.ts'
import { readFeedback } from './read-feedback.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const ORIGINAL = Buffer.from(
  'Return-Path: <ann@example.org>\r\nFrom: Ann <ann@example.org>\r\nTo: bob@example.net\r\n' +
    'Subject: Hello\r\nMessage-ID: <one@example.org>\r\n\r\nThe body.\r\n',
)

const input = (members: Partial<DsnInput> = {}): DsnInput => ({
  kind: 'failure',
  hostname: 'mail.example.test',
  to: 'ann@example.org',
  recipients: [
    {
      recipient: 'bob@example.net',
      orcpt: 'rfc822;bob+tag@example.net',
      status: '5.1.1',
      diagnostic: '550 5.1.1 <bob@example.net>: user unknown',
      remoteHost: 'mx.example.net',
      lastAttemptAt: NOW,
    },
  ],
  arrivedAt: new Date('2026-03-01T11:00:00Z'),
  envid: 'QQ314159',
  original: ORIGINAL,
  now: NOW,
  ...members,
})

const read = (bytes: Buffer) => {
  const structure = parseMessage(bytes)
  return { structure, text: bytes.toString(), report: readDsn(structure, bytes) }
}
const typesOf = (bytes: Buffer) => parseMessage(bytes).root.children.map(({ type }) => type)

describe('a report about a failure', () => {
  test('informs people and machines what happened, and returns the message', () => {
    const bytes = buildDsn(input())
    const { structure, text, report } = read(bytes)
    assert.equal(structure.root.type, 'multipart/report')
    assert.deepEqual(typesOf(bytes), ['text/plain', 'message/delivery-status', 'message/rfc822'])
    assert.match(text, /^From: Mail Delivery System <mailer-daemon@mail\.example\.test>\r\nTo: <ann@example\.org>\r\n/)
    assert.match(text, /\r\nAuto-Submitted: auto-replied\r\n/)
    assert.match(text, /\r\nReferences: <one@example\.org>\r\n/)
    assert.match(text, /mx\.example\.net said: 550 5\.1\.1/)
    assert.deepEqual(report, {
      reportingHost: 'mail.example.test',
      envid: 'QQ314159',
      arrivedAt: new Date('2026-03-01T11:00:00Z'),
      recipients: [
        {
          recipient: 'bob@example.net',
          originalRecipient: 'bob+tag@example.net',
          action: 'failed',
          status: '5.1.1',
          diagnostic: '550 5.1.1 <bob@example.net>: user unknown',
          remoteHost: 'mx.example.net',
        },
      ],
      original: {
        messageId: 'one@example.org',
        returnPath: 'ann@example.org',
        from: 'ann@example.org',
        to: ['bob@example.net'],
        subject: 'Hello',
      },
    })
    assert.ok(bytes.includes(ORIGINAL))
  })

  test('returns the header only when the sender asked for it, or when the message is big', () => {
    const hdrs = buildDsn(input({ ret: 'hdrs' }))
    assert.deepEqual(typesOf(hdrs).at(-1), 'text/rfc822-headers')
    assert.ok(!hdrs.includes('The body.'))
    const big = Buffer.concat([ORIGINAL, Buffer.alloc(200_000, 'x\r\n')])
    assert.equal(typesOf(buildDsn(input({ original: big }))).at(-1), 'text/rfc822-headers')
    assert.equal(typesOf(buildDsn(input({ original: big, ret: 'full' }))).at(-1), 'message/rfc822')
    const huge = Buffer.concat([ORIGINAL, Buffer.alloc(2_000_000, 'x\r\n')])
    assert.equal(typesOf(buildDsn(input({ original: huge, ret: 'full' }))).at(-1), 'text/rfc822-headers')
    const endless = buildDsn(input({ original: Buffer.alloc(1_000_000, 'X-Long: y\r\n'), ret: 'hdrs' }))
    assert.ok(endless.length < 110_000)
  })

  test('is never made for the null sender', () => {
    assert.throws(() => buildDsn(input({ to: '' })), TypeError)
  })

  test('keeps what others wrote inside its field and its line', () => {
    const hostile = {
      recipient: 'bob@example.net\r\nBcc: x@example.org',
      status: '5.1.1\r\nX-Evil: 1',
      diagnostic: `550 no\r\n\r\nFinal-Recipient: rfc822; other@example.net\r\nAction: failed\u2028${'y'.repeat(5_000)}`,
      remoteHost: 'mx\r\nX-Evil: 1',
      orcpt: 'rfc822;a\r\nX-Evil: 1',
    }
    const bytes = buildDsn(
      input({ recipients: [hostile], envid: 'a\r\nX-Evil: 1', to: 'ann@example.org\r\nX-Evil: 1' }),
    )
    const { text, report } = read(bytes)
    assert.equal(report?.recipients.length, 1)
    assert.equal(report?.recipients[0]?.status, '5.0.0')
    assert.doesNotMatch(text, /^X-Evil|^Bcc|^Final-Recipient: rfc822; other/m)
    for (const line of text.split('\r\n')) assert.ok(line.length <= 998 && !/[\r\n]/.test(line))
  })
})

test('a report about a delay says until when it is tried', () => {
  const retryUntil = new Date('2026-03-06T11:00:00Z')
  const recipients = [{ recipient: 'bob@example.net', status: '4.4.1', diagnostic: 'no answer', retryUntil }]
  const { text, report, structure } = read(buildDsn(input({ kind: 'delay', recipients })))
  assert.match(text, /\r\nWill-Retry-Until: Fri, 6 Mar 2026 11:00:00 \+0000\r\n/)
  assert.match(text, /\r\nDiagnostic-Code: x-stoa; no answer\r\n/)
  assert.deepEqual([report?.recipients[0]?.action, report?.recipients[0]?.status], ['delayed', '4.4.1'])
  assert.equal(structure.root.children[2]?.type, 'text/rfc822-headers')
})

test('a report about a success distinguishes a local mailbox from a host that accepted the message', () => {
  const recipients = [
    { recipient: 'a@example.net', status: '2.1.5', delivered: 'here' as const },
    { recipient: 'b@example.net', status: '2.0.0', delivered: 'relayed' as const },
  ]
  const { report } = read(buildDsn(input({ kind: 'success', recipients })))
  assert.deepEqual(
    report?.recipients.map(({ action }) => action),
    ['delivered', 'relayed'],
  )
})

test('addresses outside of ASCII are reported as RFC 6533 wants it', () => {
  const original = Buffer.from('From: jös@exämple.org\r\nSubject: Grüße\r\n\r\nx\r\n')
  const recipients = [{ recipient: 'bøb@example.net', status: '5.1.1', diagnostic: '550 nö' }]
  const bytes = buildDsn(input({ to: 'jös@exämple.org', recipients, original }))
  assert.deepEqual(typesOf(bytes), ['text/plain', 'message/global-delivery-status', 'message/global'])
  assert.match(bytes.toString(), /Final-Recipient: utf-8; bøb@example\.net/)
  assert.equal(read(bytes).report?.recipients[0]?.recipient, 'bøb@example.net')
  const ascii = buildDsn(input({ recipients: [{ recipient: 'b@example.net', status: '5.1.1', diagnostic: '550 nö' }] }))
  assert.match(ascii.toString('latin1'), /Diagnostic-Code: x-stoa; 550 n\?\r\n/)
})

describe('reports of others', () => {
  const report = (status: string, rest = '') =>
    Buffer.from(
      'Content-Type: multipart/report; report-type=delivery-status; boundary=r\r\n\r\n' +
        '--r\r\n\r\nIt failed.\r\n--r\r\nContent-Type: message/delivery-status\r\n\r\n' +
        `${status}\r\n${rest}--r--\r\n`,
    )

  test('are read with folded fields, brackets, other cases and missing status', () => {
    const { report: found } = read(
      report(
        'reporting-mta: dns;mx.example.com\r\n\r\nFINAL-RECIPIENT: RFC822;\r\n <Bob@example.net>\r\nAction: Failed\r\n' +
          'Diagnostic-Code: smtp; 550\r\n\tno such\r\n user\r\n\r\nFinal-Recipient: rfc822;c@example.net\r\n' +
          'Action: delayed\r\nStatus: 4.2.2 (full)\r\n\r\nAction: failed\r\n\r\nFinal-Recipient: rfc822;d@e.net\r\nAction: what\r\n',
      ),
    )
    assert.deepEqual(
      found?.recipients.map(({ recipient, action, status, diagnostic }) => [recipient, action, status, diagnostic]),
      [
        ['Bob@example.net', 'failed', '5.0.0', '550 no such user'],
        ['c@example.net', 'delayed', '4.2.2', null],
      ],
    )
    assert.equal(found?.original, null)
  })

  test('are none when nothing is reported about a recipient, or when they are other messages', () => {
    assert.equal(read(report('Reporting-MTA: dns; x\r\n')).report, null)
    assert.equal(read(ORIGINAL).report, null)
    assert.equal(read(Buffer.alloc(0)).report, null)
    const known = corpus.get('report') ?? Buffer.alloc(0)
    assert.equal(read(known).report?.original?.from, 'ann@example.org')
  })

  test('are bounded: of a thousand thousand recipients a thousand are read', () => {
    const group = '\r\nFinal-Recipient: rfc822;c@example.net\r\nAction: failed\r\n'
    const found = read(report(`Reporting-MTA: dns; x\r\n${group.repeat(200_000)}`)).report
    assert.ok(found && found.recipients.length <= 1_001)
  })
})

describe('complaints', () => {
  const complaint = (fields: string) =>
    Buffer.from(
      'From: <fbl@provider.example>\r\nContent-Type: multipart/report; report-type=feedback-report; boundary=r\r\n\r\n' +
        `--r\r\n\r\nThis is a complaint.\r\n--r\r\nContent-Type: message/feedback-report\r\n\r\n${fields}\r\n` +
        `--r\r\nContent-Type: message/rfc822\r\nContent-Disposition: inline\r\n\r\n${ORIGINAL}\r\n--r--\r\n`,
    )
  const readComplaint = (fields: string) => {
    const bytes = complaint(fields)
    return readFeedback(parseMessage(bytes), bytes)
  }

  test('are read with who complained about what', () => {
    assert.deepEqual(
      readComplaint(
        'Feedback-Type: Abuse\r\nUser-Agent: SomeGenerator/1.0\r\nVersion: 1\r\nOriginal-Mail-From: <ann@example.org>\r\n' +
          'Original-Rcpt-To: <bob@example.net>\r\nOriginal-Rcpt-To: rfc822; carol@example.net\r\n' +
          'Arrival-Date: Sun, 1 Mar 2026 11:00:00 +0000\r\nSource-IP: 192.0.2.1\r\nReported-Domain: example.org\r\n',
      ),
      {
        type: 'abuse',
        userAgent: 'SomeGenerator/1.0',
        arrivedAt: new Date('2026-03-01T11:00:00Z'),
        sourceIp: '192.0.2.1',
        mailFrom: 'ann@example.org',
        recipients: ['bob@example.net', 'carol@example.net'],
        reportedDomains: ['example.org'],
        original: {
          messageId: 'one@example.org',
          returnPath: 'ann@example.org',
          from: 'ann@example.org',
          to: ['bob@example.net'],
          subject: 'Hello',
        },
      },
    )
  })

  test('of an unknown type are others, and without a type none', () => {
    const found = readComplaint('Feedback-Type: odd\r\nSource-IP: not an address\r\n')
    assert.deepEqual([found?.type, found?.sourceIp, found?.mailFrom], ['other', null, null])
    assert.equal(readComplaint('User-Agent: x\r\n'), null)
    assert.equal(readFeedback(parseMessage(ORIGINAL), ORIGINAL), null)
  })
})

test('any bytes are read without an error, and a built report always reads back', () => {
  const wrap = (bytes: Buffer, type: string) =>
    Buffer.concat([
      Buffer.from(`Content-Type: multipart/report; boundary=zz\r\n\r\n--zz\r\nContent-Type: ${type}\r\n\r\n`),
      bytes,
      Buffer.from('\r\n--zz\r\nContent-Type: message/rfc822\r\n\r\n'),
      bytes,
      Buffer.from('\r\n--zz--\r\n'),
    ])
  fc.assert(
    fc.property(mailBytes, fc.constantFrom('message/delivery-status', 'message/feedback-report'), (bytes, type) => {
      for (const message of [bytes, wrap(bytes, type)]) {
        const structure = parseMessage(message)
        readDsn(structure, message)
        readFeedback(structure, message)
      }
    }),
    { seed: SEED, numRuns: 1_500 },
  )
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), mailBytes, (text, original) => {
      const recipients = [{ recipient: 'b@example.net', status: text, diagnostic: text, remoteHost: text, orcpt: text }]
      const { report } = read(buildDsn(input({ recipients, original, envid: text })))
      assert.equal(report?.recipients.length, 1)
      assert.equal(report?.recipients[0]?.recipient, 'b@example.net')
    }),
    { seed: SEED, numRuns: 1_000 },
  )
})
