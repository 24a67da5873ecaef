import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { decodeMailboxName as decode, encodeMailboxName, NO_NAME } from '../parse/mailbox-name.ts'

const encode = (name: string): string => encodeMailboxName(name, { isUtf8: false })

describe('names in modified UTF-7', () => {
  for (const [name, encoded] of [
    ['~peter/mail/台北/日本語', '~peter/mail/&U,BTFw-/&ZeVnLIqe-'],
    ['R&D', 'R&-D'],
    ['Entwürfe', 'Entw&APw-rfe'],
    ['🏠', '&2Dzf4A-'],
  ] as const)
    test(`${name} is ${encoded}`, () => {
      assert.equal(encode(name), encoded)
      assert.equal(decode(encoded), name)
    })

  test('every name comes back as it was, in printable ASCII on the way', () => {
    const names = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((name) => name.isWellFormed())
    fc.assert(
      fc.property(names, (name) => {
        assert.match(encode(name), /^[\x20-\x7e]*$/)
        assert.equal(decode(encode(name)), name)
      }),
      { seed: 6, numRuns: 2_000 },
    )
  })

  test('a name that is read is written in one way only', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', '&', '-', 'A', 'P', 'w', ',', '+', 'B'), maxLength: 12 })
    fc.assert(
      fc.property(texts, (text) => {
        const name = decode(text)
        assert.ok(name === NO_NAME || encode(name) === text)
      }),
      { seed: 6, numRuns: 5_000 },
    )
  })

  for (const text of [
    '&',
    'a&b',
    '&AGE-',
    '&APw',
    '&2Dw-',
    '&APx-',
    '&A-',
    '&APw=-',
    '&AAA-',
    '&AH8-',
    'Entwürfe',
    '\t',
  ])
    test(`${JSON.stringify(text)} is no name`, () => assert.equal(decode(text), NO_NAME))
})
