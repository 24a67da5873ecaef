import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readArguments } from '../parse/arguments.ts'
import { BadCommand } from '../parse/bad-command.ts'
import { type FetchItem, parseFetchItems } from './fetch-items.ts'

const parse = (text: string): FetchItem[] => {
  const args = readArguments([text], { isUtf8: false })
  const items = parseFetchItems(args)
  args.end()
  return items
}
const names = (text: string): string[] => parse(text).map((item) => ('label' in item ? item.label : item.kind))

describe('fetch items', () => {
  test('macros stand alone', () => {
    assert.deepEqual(names('fast'), ['FLAGS', 'INTERNALDATE', 'RFC822.SIZE'])
    assert.deepEqual(names('ALL'), ['FLAGS', 'INTERNALDATE', 'RFC822.SIZE', 'ENVELOPE'])
    assert.deepEqual(names('Full'), ['FLAGS', 'INTERNALDATE', 'RFC822.SIZE', 'ENVELOPE', 'BODY'])
    assert.throws(() => parse('(FAST)'), BadCommand)
  })

  test('answers carry the name of the section, without PEEK and with the origin', () => {
    assert.deepEqual(names('(uid body.peek[1.2.mime] body[]<5.10> binary.size[1] binary[2]<7>)'), [
      'UID',
      'BODY[1.2.MIME]',
      'BODY[]<5>',
      'BINARY.SIZE[1]',
      'BINARY[2]<7>',
    ])
    assert.deepEqual(names('(rfc822 rfc822.header rfc822.text)'), ['RFC822', 'RFC822.HEADER', 'RFC822.TEXT'])
  })

  test('fields of a header may be strings, and keep their spelling', () => {
    const [item] = parse('body[header.fields (From "Subject" x-y)]')
    assert.ok(item?.kind === 'section')
    assert.deepEqual(item.section.fields, ['from', 'subject', 'x-y'])
    assert.equal(item.label, 'BODY[HEADER.FIELDS (From Subject x-y)]')
    assert.deepEqual(names('body[1.header.fields.not ("a b")]'), ['BODY[1.HEADER.FIELDS.NOT ("a b")]'])
  })

  test('PEEK and RFC822.HEADER do not set \\Seen', () => {
    const isPeek = (text: string) => parse(text).map((item) => item.kind === 'section' && item.isPeek)
    assert.deepEqual(isPeek('(body.peek[1] body[2] rfc822.header rfc822)'), [true, false, true, false])
    assert.deepEqual(isPeek('(body.peek[] body[])'), [false])
  })

  test('what is no item is refused', () => {
    for (const text of [
      '',
      '()',
      'X',
      'BODY[MIME]',
      'BODY[0]',
      'BODY[1..2]',
      'BODY[1.HEADER.FIELDS]',
      'BODY[HEADER.FIELDS ()]',
      'BODY[]<1.0>',
      'BODY[]<1.2',
      'BODY[',
      'BODY.SIZE[]',
      'BINARY',
      'UID FLAGS',
      '(UID',
      'BODY[HEADER.FIELDS (From)',
      'RFC822.PEEK',
    ])
      assert.throws(() => parse(text), BadCommand, text)
  })

  test('any text gives items or is refused', () => {
    const word = fc.constantFrom(
      ...['BODY', 'BINARY', '.PEEK', '.SIZE', '[', ']', '<', '>', '(', ')', ' ', '1', '.', '0', 'HEADER', 'TEXT'],
      ...['.FIELDS', '.NOT', 'MIME', 'UID', 'FLAGS', 'PREVIEW', '"', '\\', 'LAZY', '99999999999999999999', '\xff'],
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 14 }), (words) => {
        try {
          assert.ok(parse(words.join('')).length > 0)
        } catch (error) {
          assert.ok(error instanceof BadCommand, String(error))
        }
      }),
      { seed: 6, numRuns: 3_000 },
    )
  })
})
