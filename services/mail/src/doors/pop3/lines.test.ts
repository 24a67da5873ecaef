import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { wireGrowth } from '../../formats/mime/wire.ts'
import { wireLines } from './lines.ts'

async function* chunksOf(text: string, sizes: readonly number[] = []): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text, 'latin1')
  let at = 0
  for (let n = 0; at < bytes.length; n += 1) {
    const size = sizes.length === 0 ? bytes.length : (sizes[n % sizes.length] ?? 1)
    yield bytes.subarray(at, at + size)
    at += size
  }
}

const wire = async (text: string, options: { bodyLines?: number; sizes?: readonly number[] } = {}): Promise<string> => {
  const { sizes, ...rest } = options
  const pieces: Buffer[] = []
  for await (const piece of wireLines(chunksOf(text, sizes), rest)) pieces.push(piece)
  return Buffer.concat(pieces).toString('latin1')
}

/** What a client makes of it. */
const unstuff = (text: string): string => text.replace(/(^|\n)\./g, '$1')

describe('a message on the wire', () => {
  const cases: [string, string, string][] = [
    ['nothing', '', ''],
    ['a line', 'a\r\n', 'a\r\n'],
    ['a line without an end', 'a', 'a\r\n'],
    ['lone LFs', 'a\nb\n\nc\n', 'a\r\nb\r\n\r\nc\r\n'],
    ['lone CRs', 'a\rb\r\n', 'a\rb\r\n'],
    ['a CR at the end', 'a\r', 'a\r\r\n'],
    ['dots', '.\r\n..\r\n.a\r\nb.\r\n', '..\r\n...\r\n..a\r\nb.\r\n'],
    ['a dot after a lone LF', 'a\n.\nb', 'a\r\n..\r\nb\r\n'],
    ['a dot after a lone CR', 'a\r.\r\n', 'a\r.\r\n'],
    ['CR CR LF', 'a\r\r\nb', 'a\r\r\nb\r\n'],
  ]
  for (const [what, from, to] of cases)
    test(`with ${what} is sent whole, however it is cut`, async () => {
      assert.equal(await wire(from), to)
      assert.equal(await wire(from, { sizes: [1] }), to)
      assert.equal(wireGrowth(Buffer.from(from, 'latin1')), unstuff(to).length - from.length)
    })

  const messages = fc.array(fc.constantFrom('\r', '\n', '.', 'a', '\r\n', '\r\n.', ' '), { maxLength: 60 })
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 5 })

  test('never has a lone LF or a closing dot, and its size is known before', () =>
    fc.assert(
      fc.asyncProperty(messages, sizes, async (parts, cuts) => {
        const text = parts.join('')
        const sent = await wire(text, { sizes: cuts })
        assert.doesNotMatch(sent, /(^|[^\r])\n/)
        assert.equal(`\r\n${sent}`.includes('\r\n.\r\n'), false)
        const received = unstuff(sent)
        assert.equal(received.length, text.length + wireGrowth(Buffer.from(text, 'latin1')))
        const isWhole = text === '' || text.endsWith('\n')
        assert.equal(received.replaceAll('\r\n', '\n'), text.replaceAll('\r\n', '\n') + (isWhole ? '' : '\n'))
        assert.equal(await wire(text), sent)
      }),
      { seed: 7, numRuns: 500 },
    ))

  test('begins with its first lines when only those are asked for', () =>
    fc.assert(
      fc.asyncProperty(messages, sizes, fc.nat(5), async (parts, cuts, bodyLines) => {
        const text = parts.join('')
        const lines = (await wire(text)).split('\r\n')
        const blank = lines.indexOf('')
        const all = lines.slice(0, -1)
        const kept = blank === -1 || blank >= all.length ? all : all.slice(0, blank + 1 + bodyLines)
        const expected = kept.map((line) => `${line}\r\n`).join('')
        assert.equal(await wire(text, { bodyLines, sizes: cuts }), expected)
      }),
      { seed: 11, numRuns: 500 },
    ))

  test('is not read further than it is asked for', async () => {
    let read = 0
    async function* endless(): AsyncGenerator<Buffer> {
      yield Buffer.from('Subject: x\r\n\r\n')
      for (;;) {
        read += 1
        yield Buffer.from('line\r\n'.repeat(100))
      }
    }
    let sent = ''
    for await (const piece of wireLines(endless(), { bodyLines: 150 })) sent += piece.toString()
    assert.equal(sent, `Subject: x\r\n\r\n${'line\r\n'.repeat(150)}`)
    assert.equal(read, 2)
  })
})
