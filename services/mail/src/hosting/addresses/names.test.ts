import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runs } from '@stoa/tests/lib/runs.ts'
import { workMs } from '@stoa/tests/lib/work.ts'
import fc from 'fast-check'
import { parseDomainName } from '../domains/names.ts'
import { lowerAscii, parseAlias, parseLocalPart, parseRecipient } from './names.ts'

const RUNS = { numRuns: runs(320, 3_000), seed: 5321 }
/** Text near what these parsers read: letters with a meaning, and anything else. */
const nasty = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'aAbB0.+*@"\\ <>()[],:;\0\r\n\u00e9\u212a\u3002\ud800%!'), maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 300 }),
)
const local = fc.stringMatching(/^[a-zA-Z0-9!#$%&'/=?^_`{|}~-]{1,20}$/)
const domain = fc.stringMatching(/^[a-z0-9]{1,10}\.[a-z]{2,6}$/)

describe('names in mail', () => {
  test('are read from any text without a throw, and again from what was read', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const recipient = parseRecipient(text)
        if (recipient?.domain) {
          assert.equal(recipient.localPart, lowerAscii(recipient.spelled))
          assert.equal(/[\p{Cc}]/u.test(recipient.localPart), false)
          assert.equal(parseDomainName(recipient.domain), recipient.domain)
          const quoted = `"${recipient.localPart.replace(/["\\]/g, '\\$&')}"@${recipient.domain}`
          if (Buffer.byteLength(quoted) <= 254) assert.equal(parseRecipient(quoted)?.localPart, recipient.localPart)
        }
        const name = parseLocalPart(text)
        if ('localPart' in name) assert.deepEqual(parseLocalPart(name.localPart), name)
        const alias = parseAlias(text, 'own.test')
        if ('localPart' in alias) assert.deepEqual(parseAlias(`${alias.localPart}@${alias.domain}`, 'x.test'), alias)
        const parsed = parseDomainName(text)
        if (parsed !== null) assert.equal(parseDomainName(parsed), parsed)
      }),
      RUNS,
    )
  })

  test('mean the same with and without quotes and in both cases', () => {
    fc.assert(
      fc.property(local, domain, (name, host) => {
        const plain = parseRecipient(`${name}@${host}`)
        assert.equal(plain?.localPart, name.toLowerCase())
        for (const spelling of [`"${name}"@${host}`, `${name.toUpperCase()}@${host.toUpperCase()}`, `${name}@${host}.`])
          assert.deepEqual({ ...parseRecipient(spelling), spelled: '' }, { ...plain, spelled: '' }, spelling)
      }),
      RUNS,
    )
  })

  test('are read in linear time', () => {
    const time = (size: number): number => {
      const texts = [
        `${'a.'.repeat(size)}@x.test`,
        `"${'\\a'.repeat(size)}"@x.test`,
        `${'a'.repeat(size)}@${'b.'.repeat(size)}`,
      ]
      const started = workMs()
      for (let n = 0; n < 20; n += 1)
        for (const text of texts) {
          parseRecipient(text)
          parseAlias(text, 'x.test')
          parseLocalPart(text)
          parseDomainName(text)
        }
      return workMs() - started
    }
    time(1_000)
    assert.ok(time(100_000) < 5_000)
  })
})
