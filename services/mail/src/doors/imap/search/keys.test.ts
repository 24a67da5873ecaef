import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readArguments } from '../parse/arguments.ts'
import { BadCommand } from '../parse/bad-command.ts'
import { asksForModseq, readKeys, type SearchKey } from './keys.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')

const read = (text: string): SearchKey => {
  const args = readArguments([text], { isUtf8: false })
  const key = readKeys(args, { now: NOW })
  args.end()
  return key
}

const conditionOf = (text: string): unknown => {
  const key = read(text)
  return key.kind === 'condition' ? key.condition : key
}

describe('search keys', () => {
  for (const [text, condition] of [
    ['all', {}],
    ['SEEN', { hasKeyword: '$seen' }],
    ['unseen', { notKeyword: '$seen' }],
    ['deleted', { row: { deleted: true } }],
    ['keyword $Forwarded', { hasKeyword: '$forwarded' }],
    ['from "Ann Lee"', { contains: { fields: ['from'], text: 'Ann Lee' } }],
    ['subject NIL', { contains: { fields: ['subject'], text: 'NIL' } }],
    ['text roof', { containsAnywhere: 'roof' }],
    ['header X-Extra ""', { header: { name: 'X-Extra', value: null } }],
    ['header "X-Extra" a', { header: { name: 'X-Extra', value: 'a' } }],
    ['larger 10', { minSize: 11 }],
    ['smaller 10', { maxSize: 10 }],
    ['before 1-Feb-2026', { beforeDay: '2026-02-01' }],
    ['on "01-feb-2026"', { sinceDay: '2026-02-01', beforeDay: '2026-02-02' }],
    ['senton 28-Feb-2024', { sentSinceDay: '2024-02-28', sentBeforeDay: '2024-02-29' }],
    ['older 60', { before: new Date('2026-03-01T11:59:00.001Z') }],
    ['younger 60', { after: new Date('2026-03-01T11:59:00Z') }],
    ['modseq 7', { row: { minModseq: 7 } }],
    ['modseq "/flags/\\\\seen" all 7', { row: { minModseq: 7 } }],
    ['emailid nonsense', { ids: [] }],
    ['savedsince 1-Feb-2026', { row: { savedSince: new Date('2026-02-01T00:00:00Z') } }],
  ] as const)
    test(`${text} is one condition`, () => assert.deepEqual(conditionOf(text), condition))

  test('keys beside each other must all hold, and those in brackets too', () => {
    const key = read('seen (draft (flagged answered))')
    assert.equal(key.kind, 'and')
    assert.equal(key.kind === 'and' && key.keys.length, 4)
  })

  test('alternatives that are nested as clients write them are one list', () => {
    const key = read(`${'or from a '.repeat(120)}from b`)
    assert.equal(key.kind === 'or' && key.keys.length, 121)
  })

  test('not and sets', () => {
    const key = read('not uid 3:5')
    assert.deepEqual(key, {
      kind: 'not',
      key: { kind: 'set', isUid: true, set: { isSaved: false, ranges: [{ first: 3, last: 5 }] } },
    })
    assert.deepEqual(read('$'), { kind: 'set', isUid: false, set: { isSaved: true, ranges: [] } })
  })

  test('a modseq is asked for wherever it stands', () => {
    assert.equal(asksForModseq(read('or seen not (modseq 5 draft)')), true)
    assert.equal(asksForModseq(read('or seen not draft')), false)
  })

  for (const text of [
    '',
    'nonsense',
    'from',
    'or seen',
    'not',
    '(seen',
    'seen)',
    'before yesterday',
    'larger -1',
    'uid',
    'fuzzy from a',
    '0',
    'modseq "a" some 1',
    'keyword \\Bogus',
  ])
    test(`${JSON.stringify(text)} is refused`, () => assert.throws(() => read(text), BadCommand))

  test('keys that are too deep inside each other are refused, not a crash', () => {
    for (const text of [`${'not '.repeat(5_000)}seen`, `${'('.repeat(5_000)}seen${')'.repeat(5_000)}`])
      assert.throws(() => read(text), BadCommand)
  })

  test('whatever comes is read or refused', () => {
    const words = fc.constantFrom(
      'or',
      'not',
      'seen',
      '(',
      ')',
      ' ',
      '1:*',
      '$',
      'uid',
      'from',
      '"a b"',
      'before',
      '1-Jan-2026',
      'header',
      'modseq',
      '9',
      '"',
    )
    fc.assert(
      fc.property(fc.array(words, { maxLength: 20 }), (parts) => {
        try {
          read(parts.join(' '))
        } catch (error) {
          assert.ok(error instanceof BadCommand)
        }
      }),
      { seed: 6, numRuns: 2_000 },
    )
  })
})
