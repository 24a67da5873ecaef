import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readArguments } from '../parse/arguments.ts'
import { BadCommand } from '../parse/bad-command.ts'
import type { Literal, Segment } from '../parse/segments.ts'
import { type AppendMessage, parseAppendMessages } from './arguments.ts'

const literal = (text: string): Literal => ({ size: text.length, isBinary: false, bytes: Buffer.from(text) })
const parse = (...segments: Segment[]): AppendMessage[] => {
  const args = readArguments(segments, { isUtf8: false })
  const messages = parseAppendMessages(args)
  args.end()
  return messages
}

describe('messages of an APPEND', () => {
  test('have flags and a date, or not', () => {
    const [one, two, three] = parse(
      '(\\Seen \\Deleted x) "17-Jul-1996 02:44:25 -0700" ',
      literal('a'),
      ' () ',
      literal('b'),
      ' ',
      literal('c'),
      '',
    )
    assert.deepEqual(one?.flags, { keywords: ['$seen', 'x'], deleted: true })
    assert.deepEqual(one?.receivedAt, { at: new Date('1996-07-17T09:44:25.000Z'), zone: -420 })
    assert.deepEqual([two?.flags.keywords, two?.receivedAt, three?.receivedAt], [[], null, null])
  })

  test('may be put together', () => {
    const [message] = parse('CATENATE (URL "/x/;uid=1" TEXT ', literal('a'), ' url /y/;uid=2)')
    assert.deepEqual(
      message?.parts.map((part) => (part.kind === 'url' ? part.url : part.literal.size)),
      ['/x/;uid=1', 1, '/y/;uid=2'],
    )
  })

  test('any arguments are messages or are refused', () => {
    const piece = fc.constantFrom<Segment>(
      ...['(', ')', ' ', '\\Seen', '"', '17-Jul-1996 02:44:25 -0700', 'CATENATE', 'UTF8', 'TEXT', 'URL', '/x/;uid=1'],
      literal('a'),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        try {
          for (const { parts } of parse(...pieces)) assert.ok(parts.length > 0)
        } catch (error) {
          assert.ok(error instanceof BadCommand, String(error))
        }
      }),
      { seed: 6, numRuns: 3_000 },
    )
  })
})
