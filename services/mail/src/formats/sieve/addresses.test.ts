import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { workMs } from '@stoa/tests/lib/work.ts'
import fc from 'fast-check'
import { isWhole, parseAddress, parseAddresses } from './addresses.ts'
import { datePart, parseMailDate } from './dates.ts'
import { htmlText } from './html-text.ts'
import { mainValue, parametersOf } from './mime-values.ts'

const SEED = 20261115
const all = (source: string) =>
  parseAddresses(source).map((address) => (isWhole(address) ? address.all : `!${address.all}`))

describe('addresses (RFC 5322 §3.4)', () => {
  for (const [source, expected] of [
    ['a@b.example', ['a@b.example']],
    ['"x, y" <a@b.example>, c@d.example', ['a@b.example', 'c@d.example']],
    ['Group: a@b.example, C <c@d.example>; e@f.example', ['a@b.example', 'c@d.example', 'e@f.example']],
    ['undisclosed-recipients:;', []],
    ['a@b.example (comment (nested), x@y.example)', ['a@b.example']],
    ['"a b"@c.example', ['"a b"@c.example']],
    ['<@relay.example,@two.example:a@b.example>', ['a@b.example']],
    ['first . last @ example.org', ['first.last@example.org']],
    ['=?utf-8?q?J=C3=B6rg?= <j@b.example>', ['j@b.example']],
    ['no address here', ['!no address here']],
    ['a@b.example,,', ['a@b.example']],
    ['<>', ['!<>']],
    ['a@b@c.example', ['!a@b@c.example']],
    ['jörg@müller.example', ['jörg@müller.example']],
  ] as const)
    test(source, () => assert.deepEqual(all(source), expected))
  test('one address is one, on one line', () => {
    assert.equal(parseAddress('X <a@b.example>')?.all, 'a@b.example')
    for (const wrong of ['a@b.example, c@d.example', 'a', '', 'a@b.example\r\nBcc: x@y.example'])
      assert.equal(parseAddress(wrong), null)
  })
})

describe('dates (RFC 5322 §3.3, §4.3)', () => {
  for (const [source, expected] of [
    ['Tue, 01 Apr 2003 09:06:31 -0500', '2003-04-01T14:06:31+00:00'],
    ['1 Apr 03 09:06 GMT', '2003-04-01T09:06:00+00:00'],
    ['Tue, 1 Apr 2003 09:06:31 EST (comment)', '2003-04-01T14:06:31+00:00'],
    ['from a by b; Tue, 1 Apr 2003 09:06:31', '2003-04-01T09:06:31+00:00'],
    ['31 Feb 2003 00:00:00 +0000', null],
    ['yesterday', null],
    ['1 Apr 2003 25:00:00 +0000', null],
  ] as const)
    test(source, () => {
      const date = parseMailDate(source)
      assert.equal(date && datePart({ ...date, zoneMinutes: 0 }, 'iso8601'), expected)
    })
})

describe('MIME values (RFC 2045, RFC 2231)', () => {
  test('parameters plain, quoted, encoded and in pieces', () => {
    const parameters = parametersOf(`text/plain; A="x \\"y\\""; b=z; c*=utf-8'de'%C3%BC; d*0*=utf-8''%61; d*1=b; d*2=c`)
    assert.deepEqual(
      [...parameters],
      [
        ['a', 'x "y"'],
        ['b', 'z'],
        ['c', 'ü'],
        ['d', 'abc'],
      ],
    )
    assert.equal(mainValue(' Text/HTML ; a=b'), 'text/html')
  })
})

test('readers of mail never throw and are linear', () => {
  const read = (text: string) => {
    parseAddresses(text)
    parseMailDate(text)
    htmlText(text)
    parametersOf(text)
    mainValue(text)
  }
  const unit = fc.constantFrom(
    '"',
    '(',
    ')',
    '<',
    '>',
    '@',
    ',',
    ';',
    ':',
    '\\',
    ' ',
    'a',
    '.',
    '=',
    '*',
    '&',
    '#',
    '<script',
    '%C3',
    '0',
    '<!--',
    '\r\n',
  )
  fc.assert(fc.property(fc.string({ unit, maxLength: 60 }), read), { seed: SEED, numRuns: 2000 })
  const started = workMs()
  for (const piece of ['"', '(', '<', 'a@b.c,', ';', ':', '\\', '; a="', ';a*0=b', '<script', '<!--', '&#', ' ', '<p'])
    read(piece.repeat(200_000 / piece.length))
  assert.ok(workMs() - started < 8000)
})
