import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ExportedMark, maildirName, mboxMessage } from './mbox.ts'

const receivedAt = new Date('2026-03-01T12:34:56.000Z')
const mark: ExportedMark = { keywords: [], isDeleted: false, receivedAt }
const written = (text: string, given: Partial<ExportedMark> = {}): string =>
  Buffer.concat([...mboxMessage(Buffer.from(text, 'latin1'), { ...mark, ...given })]).toString('latin1')
const HEAD = 'From MAILER-DAEMON Sun Mar  1 12:34:56 2026\nStatus: O\n'

describe('an mbox file', () => {
  test('has lines with LF, quotes those that begin like a message, and ends each with an empty line', () => {
    const text = 'Subject: x\r\n\r\nFrom here\r\n>From there\r\n>>From\r\nnot From \r\nFrom '
    assert.equal(written(text), `${HEAD}Subject: x\n\n>From here\n>>From there\n>>From\nnot From \n>From \n\n`)
    assert.equal(written('a\r\n'), `${HEAD}a\n\n`)
    assert.equal(written(''), `${HEAD}\n`)
  })

  test('can be unquoted to what it was, whatever is cut where', () => {
    for (const length of [65_530, 65_535, 65_536, 65_537, 131_072]) {
      const text = `${'x'.repeat(length)}\r\nFrom a\r\n${'From b\r\n'.repeat(20_000)}${'y'.repeat(length)}From c\r\n`
      const body = written(text).slice(HEAD.length)
      const lines = body.slice(0, -2).split('\n')
      assert.equal(lines.map((line) => line.replace(/^>(?=>*From )/, '')).join('\r\n'), text.slice(0, -2))
      assert.equal(lines.filter((line) => line.startsWith('From ')).length, 0)
    }
  })

  test('keeps flags', () => {
    const keywords = ['$seen', '$flagged', 'work']
    assert.match(written('a\r\n', { keywords }), /\nStatus: RO\nX-Status: F\nX-Keywords: work\na\n/)
  })
})

test('a Maildir name has the flags in order', () => {
  const keywords = ['$seen', '$answered', '$draft', '$forwarded', '$flagged']
  assert.equal(maildirName('7', { keywords, isDeleted: true, receivedAt }), '1772368496.7.stoa:2,DFPRST')
  assert.equal(maildirName('7', mark), '1772368496.7.stoa:2,')
})
