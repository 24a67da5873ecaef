import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { leastWorkMs } from '@stoa/tests/lib/work.ts'
import { readBody } from './body.ts'
import { bodyValue } from './body-values.ts'
import { lastForm } from './header-forms.ts'
import { parameterValue, parseParameterised } from './parameters.ts'
import { parseMessage } from './parse.ts'
import type { Part } from './structure.ts'

/** Types of a part and what is in it, as in `mixed(plain, html)`. */
const shape = (part: Part): string => {
  const name = part.type.replace(/^(?:multipart|text)\//, '')
  return part.children.length === 0 ? name : `${name}(${part.children.map(shape).join(', ')})`
}

/** A message of lines; the bytes are those of latin1. */
const raw = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n'), 'latin1')
const shapeOf = (...lines: string[]): string => shape(parseMessage(raw(...lines)).root)
const textsOf = (...lines: string[]): string[] => {
  const bytes = raw(...lines)
  const body = readBody(parseMessage(bytes), bytes)
  return body.textBody.map((part) => bodyValue(part, bytes).value)
}

/** The subject as people see it. */
const decoded = (bytes: Buffer): string | null => lastForm(parseMessage(bytes).root, bytes, 'subject', 'text')

describe('delimiters', () => {
  test('that follow each other at once have no part between them', () => {
    assert.equal(
      shapeOf(
        'Content-Type: multipart/mixed; boundary=x',
        '',
        '--x',
        '--x',
        'Content-Type: text/html',
        '',
        'one',
        '--x',
        '--x',
        '--x',
        '',
        'two',
        '--x',
        '--x--',
        '',
      ),
      'mixed(html, plain)',
    )
  })

  test('an opening one in place of the closing one opens nothing', () => {
    assert.deepEqual(textsOf('Content-Type: multipart/mixed; boundary=x', '', '--x', '', 'only', '--x', ''), ['only'])
    assert.equal(shapeOf('Content-Type: multipart/mixed; boundary=x', '', '--x', '', 'only', '--x'), 'mixed(plain)')
  })

  test('a part with an empty header or an empty body is one', () => {
    assert.equal(
      shapeOf('Content-Type: multipart/mixed; boundary=x', '', '--x', '', '--x', '', '', '--x--'),
      'mixed(plain, plain)',
    )
    assert.equal(
      shapeOf('Content-Type: multipart/mixed; boundary=x', '', '--x', 'Content-Type: image/png', '--x--'),
      'mixed(image/png)',
    )
  })

  test('a multipart has one part at least', () => {
    assert.equal(shapeOf('Content-Type: multipart/mixed; boundary=x', '', '--x', '--x--', ''), 'mixed(plain)')
    assert.equal(shapeOf('Content-Type: multipart/mixed; boundary=x', '', '--x'), 'mixed(plain)')
  })

  test('the blank line before the first one may be missing', () => {
    const inner = ['--y', 'Content-Type: text/html', '', '<b>', '--y--']
    assert.equal(shapeOf('Content-Type: multipart/mixed; boundary=y', 'X-Last: field', ...inner), 'mixed(html)')
    assert.equal(
      shapeOf(
        'Content-Type: multipart/mixed; boundary=x',
        '',
        '--x',
        'Content-Type: multipart/alternative;',
        ' boundary="y"',
        ...inner,
        '--x--',
      ),
      'mixed(alternative(html))',
    )
    // Dashes that are no delimiter are a folded line that lost its space.
    assert.equal(shapeOf('Subject: a', '-- b', 'Content-Type: text/html', '', '<b>'), 'html')
  })

  test('are compared byte by byte, whatever the charset of the header', () => {
    const parts = (mark: string) => [
      `Content-Type: multipart/mixed; boundary="${mark}"`,
      '',
      `--${mark}`,
      '',
      'one',
      `--${mark}--`,
    ]
    for (const mark of ['gr\xfc\xdfe', 'gr\xc3\xbc\xc3\x9fe', '=?utf-8?Q?a?='])
      assert.equal(shapeOf(...parts(mark)), 'mixed(plain)', mark)
  })

  test('may be followed by text once they are complete', () => {
    const lines = ['Content-Type: multipart/mixed; boundary=long-mark', '', '--long-mark (first)', '', 'one']
    assert.deepEqual(textsOf(...lines, '--long-mark-- the end', '', '--long-mark', '', 'two'), ['one'])
    assert.deepEqual(textsOf(...lines, '--long-mark of others', '', 'two', '--long-mark--'), ['one', 'two'])
    assert.deepEqual(textsOf(...lines, '--long-marks', '--long-mark-x', '--long-mark--'), [
      'one\n--long-marks\n--long-mark-x',
    ])
  })

  test('a closing one may have spaces before its dashes', () => {
    const lines = ['--x  ', '', 'one', '--x  --', '', 'epilogue']
    assert.deepEqual(textsOf('Content-Type: multipart/mixed; boundary="x  "', '', ...lines), ['one'])
    assert.deepEqual(textsOf('Content-Type: multipart/mixed; boundary=x', '', ...lines), ['one'])
  })

  test('one that ends with dashes itself is distinguished from a closing one', () => {
    assert.equal(
      shapeOf(
        'Content-Type: multipart/mixed; boundary="x--"',
        '',
        '--x--',
        'Content-Type: multipart/mixed; boundary="x----"',
        '',
        '--x----',
        '',
        'one',
        '--x------',
        '--x----',
      ),
      'mixed(mixed(plain))',
    )
  })
})

describe('a boundary', () => {
  const parts = (mark: string): string[] => [
    `--${mark}`,
    'Content-Type: text/plain',
    '',
    'one',
    `--${mark}`,
    'Content-Type: text/html',
    '',
    '<b>two</b>',
    `--${mark}--`,
  ]

  test('that is not given is found in the body, with dashes of its own too', () => {
    const mark = '----=_NextPart_000_003F_01CE98CE.6E826F90'
    assert.equal(shapeOf('Content-Type: multipart/mixed', '', ...parts(mark)), 'mixed(plain, html)')
    // The folded line lost its space.
    assert.equal(
      shapeOf('Content-Type: multipart/mixed;', `boundary="${mark}"`, 'X-Last: field', '', 'preamble', ...parts(mark)),
      'mixed(plain, html)',
    )
  })

  test('that no delimiter has is read from them', () => {
    for (const [given, used] of [
      ["'----mailcomposer-?=_1-1328088797399'", '----mailcomposer-?=_1-1328088797399'],
      ['BOUNDARY_', 'BOUNDARY'],
      ['BOUND', 'BOUNDARY'],
      ['boundary42', 'Boundary42'],
      ['"----=_NextPart_000_003F"', 'boundary-marker'],
    ] as const)
      assert.equal(
        shapeOf(`Content-Type: multipart/mixed; boundary=${given}`, '', 'preamble', ...parts(used)),
        'mixed(plain, html)',
        given,
      )
  })

  test('that a delimiter has stands, whatever the preamble looks like', () => {
    const long = Array.from({ length: 100 }, () => 'a long preamble that nobody is meant to read')
    assert.equal(
      shapeOf('Content-Type: multipart/mixed; boundary=x', '', ...parts('y'), ...long, '--x', '', 'text', '--x--'),
      'mixed(plain)',
    )
    assert.equal(
      shapeOf('Content-Type: multipart/mixed; boundary=x', '', '-----Original Message-----', 'Content-Type: none'),
      'plain',
    )
  })

  test('is never that of an outer multipart', () => {
    for (const inner of ['multipart/alternative', 'multipart/alternative; boundary=y'])
      assert.equal(
        shapeOf(
          'Content-Type: multipart/mixed; boundary=x',
          '',
          '--x',
          `Content-Type: ${inner}`,
          '',
          'no parts',
          ...parts('x'),
        ),
        'mixed(plain, plain, html)',
        inner,
      )
  })
})

describe('headers', () => {
  test('end at a line of carriage returns only', () => {
    const bytes = Buffer.from('Subject: a\r\r\n\r\r\nNote: this is the body\r\r\n')
    const { root } = parseMessage(bytes)
    assert.deepEqual(
      root.fields.map(({ name }) => name),
      ['subject'],
    )
    assert.equal(bytes.toString('latin1', root.bodyStart, root.end).trim(), 'Note: this is the body')
  })

  for (const [subject, expected] of [
    ['=?iso-8859-1?Q?caf\xe9?=', 'café'],
    ['=?iso-8859-2?Q?=B3\xb3_x?=', 'łł x'],
    ['=?utf-8?Q?caf\xc3\xa9?=', 'café'],
    ['=?koi8-r?Q?\xf0\xd2\xc9?= =?koi8-r?Q?\xd7\xc5\xd4?=', 'Привет'],
    ['=?us-ascii?Q?caf\xc3\xa9?=', 'café'],
    ['gr\xc3\xbcn =?iso-8859-1?Q?gr\xfcn?=', 'grün grün'],
    ['gr\xfcn =?utf-8?Q?gr\xc3\xbcn?=', 'grün grün'],
    ['=?iso-8859-1?Q?never closed \xe9', '=?iso-8859-1?Q?never closed é'],
    ['=?utf-8?B?Y2\xe9Fm?=', 'caf'],
  ] as const)
    test(`a raw byte inside an encoded word is read by its charset: ${JSON.stringify(subject)}`, () => {
      assert.equal(decoded(raw(`Subject: ${subject}`, '', '')), expected)
    })
})

describe('parameters', () => {
  const read = (text: string, name: string): string | null => parameterValue(parseParameterised(text).parameters, name)

  for (const [text, name, expected] of [
    ['text/plain charset=utf-8', 'charset', 'utf-8'],
    ['text/plain charset="utf-8"; format=flowed', 'format', 'flowed'],
    ['text/plain; charset=utf-8 format=flowed', 'charset', 'utf-8'],
    ['text/plain; charset=utf-8 format=flowed', 'format', 'flowed'],
    ['text/plain, charset=utf-8', 'charset', 'utf-8'],
    ['text/plain; charset=utf-8, name=a.txt', 'name', 'a.txt'],
    ['image/png; name="a.png"filename="b.png"', 'filename', 'b.png'],
    ['attachment filename="a; b.txt"', 'filename', 'a; b.txt'],
    ['attachment; filename=a b.txt size=17', 'filename', 'a b.txt'],
    ['attachment; filename=a b.txt size=17', 'size', '17'],
    ['attachment; filename=one x=y two.txt', 'filename', 'one x=y two.txt'],
    ['a/b; name*0*=utf-8\'\'%C3%A4 name*1*=%C3%B6 name*2="ü"', 'name', 'äöü'],
    ['a/b title*0*=us-ascii\'en\'x%20 title*1="y z"', 'title', 'x y z'],
    ['text/plain ;;; = ;; name="value"', 'name', 'value'],
    ['a/b; name==?iso-8859-1?Q?=E1?= =?utf-8?Q?=C3=A9?=.txt', 'name', 'áé.txt'],
    ['a/b; name*0*=plain%20text', 'name', 'plain text'],
    ['multipart/mixed;; boundary="= (1)"', 'boundary', '= (1)'],
    ['text/plain; name="never closed', 'name', 'never closed'],
    ['text/plain; charset = "iso-8859-1" Content-Transfer-Encoding: 8bit', 'charset', 'iso-8859-1'],
  ] as const)
    test(`${name} of ${text} is ${expected}`, () => assert.equal(read(text, name), expected))

  for (const [text, type] of [
    ['text/html charset=utf-8', 'html'],
    ['text/html Content-Transfer-Encoding: 8bit', 'html'],
    ['text / html ; charset=utf-8', 'html'],
    ['text/html, charset=utf-8', 'html'],
    ['"text/html"', 'html'],
    ['text/html/x; charset=utf-8', 'plain'],
    ['/html', 'plain'],
    ['nonsense', 'plain'],
    ['', 'plain'],
  ] as const)
    test(`${text || 'nothing'} is the type ${type}`, () =>
      assert.equal(shapeOf(`Content-Type: ${text}`, '', 'x'), type))

  test('a type that cannot be read is a file when it has a name', () => {
    for (const type of [
      'X-ZIP; name="attachment.zip"',
      "application-x-gzip; name*=utf-8''a.gz",
      '%22"a%22/pdf; name=a.pdf',
    ])
      assert.equal(shapeOf(`Content-Type: ${type}`, '', 'x'), 'application/octet-stream', type)
    assert.equal(shapeOf('Content-Type: X-ZIP; name=""', '', 'x'), 'plain')
  })

  for (const encoding of [
    'quoted printable',
    'Quoted-Printable;',
    '"quoted-printable"',
    'quoted-printable (soft)',
    'quoted_printable',
  ])
    test(`${encoding} is quoted-printable`, () => {
      assert.deepEqual(textsOf(`Content-Transfer-Encoding: ${encoding}`, '', 'a=3Db'), ['a=b'])
    })

  test('that are many, or none, take no more time than there is text', () => {
    const long = (piece: string) => piece.repeat(100_000 / piece.length)
    const isLittle = (work: () => unknown): boolean => leastWorkMs(work, { enough: 500 }) < 500
    for (const piece of [' a', 'a=', ' a=', ' name=', '" ', ',', ' ', ' x*1*=', '(', '=?', '/', '"'])
      for (const opening of ['text/plain', 'text/plain; name=', 'text', '']) {
        const text = `${opening}${long(piece)}`
        assert.ok(
          isLittle(() => shapeOf(`Content-Type: ${text}`, '', 'x')),
          `${opening}${piece}`,
        )
      }
    const bytes = raw(`Subject: ${long('=?a?Q?\xe9')}`, '', '')
    assert.ok(isLittle(() => decoded(bytes)))
    const dashes = raw(`boundary: a`, ...Array.from({ length: 20_000 }, (_, n) => `--${n}\r\nx: y`), '', 'x')
    assert.ok(isLittle(() => parseMessage(dashes)))
  })
})
