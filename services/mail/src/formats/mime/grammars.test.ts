import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseAddresses, parseAddressGroups } from './addresses.ts'
import { decodeCharset } from './charsets.ts'
import { formatDate, parseDate } from './dates.ts'
import { decodeWords } from './encoded-words.ts'
import { LIMITS } from './limits.ts'
import { parseMessageIds } from './message-ids.ts'
import { parameterValue, parseParameterised } from './parameters.ts'
import { SEED } from './testing/arbitrary.ts'
import { decodeTransfer, transferDecoder } from './transfer-encoding.ts'

const shown = (text: string): string[] =>
  parseAddresses(text).map(({ name, email }) => (name === null ? email : `${name} <${email}>`))

describe('addresses', () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ['a name in quotes', '"Doe, Jane" <jane@example.org>', ['Doe, Jane <jane@example.org>']],
    ['a bare address', 'a@example.org', ['a@example.org']],
    ['a name in a comment', 'a@example.org (Ann)', ['Ann <a@example.org>']],
    ['nested comments', '(x (y)) pete(his account)@silly.example', ['his account <pete@silly.example>']],
    ['an obsolete route', '<@a.example,@b.example:c@example.org>', ['c@example.org']],
    ['spaces around at and dots', 'pete @ silly . example', ['pete@silly.example']],
    ['a quoted local part', '"john doe"@example.org', ['"john doe"@example.org']],
    ['a domain literal', 'a@[192.0.2.1]', ['a@[192.0.2.1]']],
    ['UTF-8', 'Jürgen <jürgen@exämple.org>', ['Jürgen <jürgen@exämple.org>']],
    ['encoded words', '=?utf-8?Q?J=C3=BC?= =?utf-8?Q?rgen?= <j@example.org>', ['Jürgen <j@example.org>']],
    ['encoded words in quotes', '"=?utf-8?Q?J=C3=BC?=" <j@example.org>', ['Jü <j@example.org>']],
    ['a comma in a bare name', 'Smith, John <j@example.org>', ['Smith, John <j@example.org>']],
    ['semicolons between', 'a@example.org; b@example.org', ['a@example.org', 'b@example.org']],
    ['a forgotten comma', '<a@example.org> <b@example.org>', ['a@example.org', 'b@example.org']],
    ['forgotten brackets', 'Eve e@example.org', ['Eve <e@example.org>']],
    ['an unclosed bracket', 'Eve <e@example.org, f@example.org', ['Eve <e@example.org>', 'f@example.org']],
    ['mailto', '<mailto:a@example.org>', ['a@example.org']],
    ['a name with dots', 'John Q. Public <j@example.org>', ['John Q. Public <j@example.org>']],
    ['an address as a name', '"b@evil.example" <a@example.org>', ['b@evil.example <a@example.org>']],
    ['an empty path', '<>', []],
    ['a word alone', 'MAILER-DAEMON', ['MAILER-DAEMON']],
    [
      'an encoded address is a name',
      '=?utf-8?Q?x=40evil.example?= <a@example.org>',
      ['x@evil.example <a@example.org>'],
    ],
  ]
  for (const [name, text, expected] of cases) test(name, () => assert.deepEqual(shown(text), expected))

  test('groups keep their names and members', () => {
    assert.deepEqual(parseAddressGroups('A Group:Ed <ed@x.example>,joe@y.example; z@z.example'), [
      {
        name: 'A Group',
        addresses: [
          { name: 'Ed', email: 'ed@x.example' },
          { name: null, email: 'joe@y.example' },
        ],
      },
      { name: null, addresses: [{ name: null, email: 'z@z.example' }] },
    ])
    assert.deepEqual(parseAddressGroups('undisclosed-recipients:;'), [
      { name: 'undisclosed-recipients', addresses: [] },
    ])
  })

  test('more addresses than the limit are cut', () => {
    assert.equal(parseAddresses('a@example.org,'.repeat(LIMITS.addresses * 2)).length, LIMITS.addresses)
  })

  test('what is written by the rules is read back', () => {
    const atom = fc.stringMatching(/^[a-z0-9]{1,10}$/)
    const name = fc.stringMatching(/^[A-Za-z][A-Za-z ,.<>@()\\"]{0,20}[a-z]$/)
    fc.assert(
      fc.property(fc.array(fc.tuple(name, atom, atom), { minLength: 1, maxLength: 5 }), (people) => {
        const list = people.map(([n, l, d]) => `"${n.replace(/["\\]/g, '\\$&')}" <${l}@${d}.example>`).join(', ')
        assert.deepEqual(
          parseAddresses(list),
          people.map(([n, l, d]) => ({ name: n.replace(/\s+/g, ' '), email: `${l}@${d}.example` })),
        )
      }),
      { seed: SEED, numRuns: 500 },
    )
  })
})

describe('dates', () => {
  const cases: readonly (readonly [string, string | null])[] = [
    ['Tue, 3 Mar 2026 10:00:00 +0100', '2026-03-03T10:00:00+01:00'],
    ['3 Mar 2026 10:00 -0500 (EST)', '2026-03-03T10:00:00-05:00'],
    ['Fri, 21 Nov 97 09:55:06 EST', '1997-11-21T09:55:06-05:00'],
    ['21 Nov 26 09:55:06 GMT', '2026-11-21T09:55:06Z'],
    ['Thu, 1 Jan 100 00:00:00 Z', '2000-01-01T00:00:00Z'],
    ['Sat Mar  7 12:00:00 2026', '2026-03-07T12:00:00Z'],
    ['2026-03-07T12:00:00.123Z', '2026-03-07T12:00:00Z'],
    ['Thursday, 05-Mar-2026 12:00:00 UTC+02:00', '2026-03-05T12:00:00+02:00'],
    ['Wed, 31 Dec 2025 23:59:60 +0000', '2025-12-31T23:59:59Z'],
    ['31 Feb 2026 10:00:00 +0000', null],
    ['Tue, 3 Mar 2026 25:00:00 +0000', null],
    ['Tue, 3 Mar 2026 10:00:00 +9900', null],
    ['sometime in spring', null],
    ['', null],
  ]
  for (const [text, expected] of cases)
    test(`${text || 'nothing'} is ${expected ?? 'no date'}`, () => {
      const date = parseDate(text)
      assert.equal(date && formatDate(date), expected)
    })
})

describe('message ids', () => {
  test('are found in brackets, with sentences around and folding inside', () => {
    assert.deepEqual(parseMessageIds('Your mail of "today" <a@b> (x)\t<c\r\n d@e> <a@b>'), ['a@b', 'cd@e'])
  })
  test('are found without brackets by their at sign', () => {
    assert.deepEqual(parseMessageIds('a@b, c@d'), ['a@b', 'c@d'])
    assert.equal(parseMessageIds('no ids here'), null)
  })
})

describe('encoded words', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['=?utf-8?Q?a=C3=BC_b?=', 'aü b'],
    ['=?utf-8?B?w7w=?= =?utf-8?B?w7w=?=', 'üü'],
    ['=?utf-8?Q?=C3?= =?utf-8?Q?=BC?=', 'ü'],
    ['x =?utf-8?q?y?= z', 'x y z'],
    ['=?iso-8859-1*en?Q?=E9?=', 'é'],
    ['=?gb2312?B?xOO6ww==?=', '你好'],
    ['=?utf-8?Q?What??=', 'What?'],
    ['=?utf-8?Q?never closed', '=?utf-8?Q?never closed'],
    ['=?utf-8?X?abc?=', '=?utf-8?X?abc?='],
    ['=?utf-8?Q?a=0D=0AX:_y?=', 'a X: y'],
  ]
  for (const [text, expected] of cases) test(`${text} is ${expected}`, () => assert.equal(decodeWords(text), expected))

  test('any text that is encoded is decoded again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        const plain = text.replaceAll(/\p{Cc}/gu, '')
        assert.equal(decodeWords(`=?utf-8?B?${Buffer.from(plain).toString('base64')}?=`), plain)
      }),
      { seed: SEED, numRuns: 500 },
    )
  })

  test('words beyond their number stay as they are', () => {
    assert.ok(decodeWords('=?utf-8?Q?a?= x '.repeat(LIMITS.encodedWords + 1)).includes('=?utf-8?Q?a?='))
  })
})

describe('parameters', () => {
  const value = (text: string, name: string) => parameterValue(parseParameterised(text).parameters, name)
  test('RFC 2231 pieces are joined in their order and decoded', () => {
    assert.equal(value('x; name*0*=utf-8\'\'%E2%82%AC%20; name*2="c.pdf"; name*1*=b%C3%A9', 'name'), '€ béc.pdf')
    assert.equal(value("x; name*=iso-8859-1'en'na%EFve; name=other", 'name'), 'naïve')
  })
  test('quotes, comments, bare names and forgotten semicolons are understood', () => {
    assert.equal(value('text/plain; charset=us-ascii (Plain text)', 'charset'), 'us-ascii')
    assert.equal(value('x; name=my file (1).txt; a=b', 'name'), 'my file (1).txt')
    assert.equal(value('x; charset="utf-8" format=flowed', 'format'), 'flowed')
    assert.equal(value('x; filename="C:\\temp\\a\\"b\\".txt"', 'filename'), 'C:\\temp\\a"b".txt')
    assert.equal(value('x; name="=?utf-8?Q?=C3=BC.txt?="', 'name'), 'ü.txt')
  })
  test('more than the limit are cut', () => {
    assert.equal(parseParameterised(`x${'; a=b'.repeat(1000)}`).parameters.length, LIMITS.parameters)
    assert.ok(parseParameterised(`x; a=${'('.repeat(100_000)}`).parameters.length === 1)
  })
})

describe('transfer encodings', () => {
  const decoded = (text: string, encoding: string) => decodeTransfer(Buffer.from(text), encoding).toString('latin1')
  test('what is not base64 is skipped, and padding may stand inside', () => {
    assert.equal(decoded('SGVs*bG8\r\n=IFdv!cmxk==\r\nIQ', 'base64'), 'Hello World!')
  })
  test('what is not quoted-printable is kept, and soft breaks and trailing spaces vanish', () => {
    assert.equal(decoded('=9 =G1 =e4 x  \r\nsoft =  \r\nbreak=', 'quoted-printable'), '=9 =G1 \xe4 x\r\nsoft break')
  })
  for (const encoding of ['base64', 'quoted-printable'])
    test(`${encoding}: any bytes come back, whatever the slices`, () => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(50), (bytes, size) => {
          const encoded = encode(Buffer.from(bytes), encoding)
          const decoder = transferDecoder(encoding)
          const slices: Buffer[] = []
          for (let at = 0; at < encoded.length; at += size + 1)
            slices.push(decoder.write(encoded.subarray(at, at + size + 1)))
          assert.deepEqual(Buffer.concat([...slices, decoder.end()]), Buffer.from(bytes))
        }),
        { seed: SEED, numRuns: 500 },
      )
    })
})

const encode = (bytes: Buffer, encoding: string): Buffer => {
  if (encoding === 'base64') return Buffer.from(bytes.toString('base64').replace(/.{1,76}/g, '$&\r\n'))
  const hex = [...bytes].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
  return Buffer.from(hex.replace(/.{75}/g, '$&=\r\n'))
}

describe('charsets', () => {
  const text = (bytes: readonly number[] | string, charset: string) =>
    decodeCharset(typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(bytes), charset)
  test('common names and their aliases are known', () => {
    assert.deepEqual(text([0x80], 'windows-1252'), { text: '€', hasProblem: false })
    assert.deepEqual(text([0x82, 0xb1], 'cp932'), { text: 'こ', hasProblem: false })
    assert.deepEqual(text('Hi Mom -+Jjo--! +AGEAYg-, 1 +- 1', 'utf-7'), {
      text: 'Hi Mom -☺-! ab, 1 + 1',
      hasProblem: false,
    })
    assert.deepEqual(text('~{<:Ky2;~}', 'hz-gb-2312'), { text: '己所不', hasProblem: false })
  })
  test('unknown ones fall back to UTF-8 or windows-1252 and say so', () => {
    assert.deepEqual(text('ü', 'x-klingon'), { text: 'ü', hasProblem: true })
    assert.deepEqual(text([0xfc], 'x-klingon'), { text: 'ü', hasProblem: true })
    assert.deepEqual(text([0xff, 0x41], 'utf-8'), { text: '\ufffdA', hasProblem: true })
  })
})
