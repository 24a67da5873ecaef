import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createTestClock } from '@stoa/kit/clock.ts'
import fc from 'fast-check'
import { parseMessage } from '../../formats/mime/parse.ts'
import { checkEnvelope, deriveEnvelope, MAX_RECIPIENTS } from './envelope.ts'
import { withLineEnds, withoutPrivate } from './outgoing.ts'
import { SubmissionRefusal } from './refusal.ts'

const outgoing = (given: Buffer): Buffer => {
  const bytes = withLineEnds(given)
  return withoutPrivate(parseMessage(bytes).root, bytes)
}

describe('what leaves', () => {
  test('is the same buffer when nothing has to change', () => {
    const bytes = Buffer.from('From: a@b.test\r\n\r\nText\r\n')
    assert.equal(outgoing(bytes), bytes)
  })

  test('never has Bcc, Return-Path or a bare line break, whatever the message is', () => {
    const pieces = fc.constantFrom(
      'Bcc: x@y.test',
      'BCC : z',
      ' folded',
      'From: a@b.test',
      'Resent-Bcc: q',
      '\r',
      '\n',
      '\r\n',
      '\r\n\r\n',
      'body',
      '\0',
      '\xff',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
        const sent = outgoing(Buffer.from(parts.join(''), 'latin1'))
        const text = sent.toString('latin1')
        assert.doesNotMatch(text, /[^\r]\n|\r(?!\n)|^\n/)
        const names = parseMessage(sent).root.fields.map(({ name }) => name)
        assert.ok(!names.some((name) => /^(resent-)?bcc$|^return-path$/.test(name)), JSON.stringify(text))
      }),
      { numRuns: 500, seed: 8621 },
    )
  })
})

describe('an envelope', () => {
  const clock = createTestClock(new Date('2026-03-01T12:00:00Z'))

  test('of a message without one is of the identity, unless the author is', () => {
    const message = { to: [{ name: null, email: 'a@b.test' }], cc: [], bcc: [{ name: null, email: 'c@d.test' }] }
    const from = (author: string) => deriveEnvelope(message, { author, identityEmail: 'ann@ours.test' }).mailFrom.email
    assert.equal(from('Ann@ours.test'), 'Ann@ours.test')
    assert.equal(from('sales@ours.test'), 'ann@ours.test')
  })

  test('is refused in our own words or taken, and every recipient comes once', () => {
    const address = fc.record({
      email: fc.oneof(
        fc.constantFrom('a@b.test', 'A@B.test', '"x y"@b.test', '', 'a@b@c', 'a\r\nb@c.test'),
        fc.string(),
      ),
      parameters: fc.option(
        fc.dictionary(
          fc.oneof(fc.constantFrom('RET', 'HOLDFOR', 'NOTIFY', 'ORCPT', 'ENVID'), fc.string()),
          fc.option(fc.string()),
        ),
      ),
    })
    fc.assert(
      fc.property(address, fc.array(address, { maxLength: 5 }), (mailFrom, rcptTo) => {
        try {
          const { recipients, from } = checkEnvelope({ mailFrom, rcptTo }, clock)
          const addresses = recipients.map((recipient) => recipient.address.toLowerCase())
          assert.equal(new Set(addresses).size, addresses.length)
          assert.ok(addresses.length > 0 && addresses.length <= MAX_RECIPIENTS)
          for (const each of [from, ...addresses]) assert.doesNotMatch(each, /[\p{Cc}<>]/u)
        } catch (error) {
          assert.ok(error instanceof SubmissionRefusal, String(error))
        }
      }),
      { numRuns: 500, seed: 5321 },
    )
  })
})
