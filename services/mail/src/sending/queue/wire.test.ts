import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { BadReply, createReplyReader } from './smtp-replies.ts'
import { createDotStuffing, createLineEnds, withLineEnds } from './wire.ts'

const SEED = 20261115
const check = <T>(property: fc.IProperty<T>): void => fc.assert(property, { seed: SEED, numRuns: 500 })

/** Mostly what matters on the wire. */
const bytes = fc
  .array(fc.constantFrom(...'\r\n.ab \t\0'), { maxLength: 60 })
  .map((characters) => Buffer.from(characters.join('')))
const cuts = fc.array(fc.nat(60), { maxLength: 5 })

const inPieces = (whole: Buffer, at: readonly number[]): Buffer[] => {
  const points = [0, ...at.filter((point) => point < whole.length).toSorted((a, b) => a - b), whole.length]
  return points.slice(1).map((end, index) => whole.subarray(points[index], end))
}
const stuff = (pieces: readonly Buffer[]): string => {
  const dots = createDotStuffing()
  return Buffer.concat([...pieces.flatMap((piece) => dots.push(piece)), dots.end()]).toString()
}

describe('the wire form of a message', () => {
  test('has CRLF line ends only, however it is cut into pieces, and keeps everything else', () => {
    check(
      fc.property(bytes, cuts, (given, at) => {
        const whole = withLineEnds(given).toString()
        assert.doesNotMatch(whole, /(?<!\r)\n|\r(?!\n)/)
        assert.equal(whole, given.toString().replace(/\r\n|\r|\n/g, '\r\n'))
        const lines = createLineEnds()
        const pieces = inPieces(given, at).map((piece) => lines.push(piece).toString())
        assert.equal(pieces.join('') + lines.end().toString(), whole)
      }),
    )
  })

  test('has its end at its end only, and gives the message back when dots are undone', () => {
    check(
      fc.property(bytes, cuts, (given, at) => {
        const message = withLineEnds(given)
        const wire = stuff(inPieces(message, at))
        assert.equal(`\r\n${wire}`.indexOf('\r\n.\r\n'), wire.length - 3)
        const text = message.toString()
        const ended = text === '' || text.endsWith('\r\n') ? text : `${text}\r\n`
        assert.equal(wire.slice(0, -3).replace(/(^|\r\n)\./g, '$1'), ended)
      }),
    )
  })
})

describe('replies of a peer', () => {
  test('are the same however they are cut into pieces', () => {
    const line = fc.tuple(fc.constantFrom('250', '354', '550'), fc.constantFrom('', ' ', ' ok', ' 5.1.1 no', ' é'))
    check(
      fc.property(fc.array(line, { maxLength: 6 }), cuts, (lines, at) => {
        const whole = Buffer.from(lines.map(([code, text]) => `${code}${text}\r\n`).join(''))
        const once = createReplyReader().push(whole)
        const reader = createReplyReader()
        assert.deepEqual(
          inPieces(whole, at).flatMap((piece) => reader.push(piece)),
          once,
        )
        assert.equal(once.length, lines.length)
        assert.equal(reader.hasRest(), false)
      }),
    )
  })

  test('that are none fail in one way only', () => {
    check(
      fc.property(fc.array(fc.constantFrom(...'25-\r\n x\0é'), { maxLength: 40 }), (characters) => {
        try {
          createReplyReader().push(Buffer.from(characters.join('')))
        } catch (error) {
          assert.ok(error instanceof BadReply)
        }
      }),
    )
    for (const bad of ['hello\r\n', '25\r\n', '2500 x\r\n', '199 x\r\n', '250-a\r\n251 b\r\n', '\r\n', '250_x\r\n'])
      assert.throws(() => createReplyReader().push(Buffer.from(bad)), BadReply, bad)
  })

  test('of several lines are one, with the status of the first', () => {
    const [reply] = createReplyReader().push(Buffer.from('550-5.7.1 Not\r\n550-5.7.1 for\n550 you\r\n'))
    assert.deepEqual(reply, {
      code: 550,
      status: '5.7.1',
      text: '5.7.1 Not 5.7.1 for you',
      lines: ['5.7.1 Not', '5.7.1 for', 'you'],
    })
  })
})
