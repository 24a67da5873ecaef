import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contentDisposition, isRangeWanted, parseRange } from './ranges.ts'

describe('a Range header', () => {
  for (const [header, expected] of [
    [undefined, null],
    ['', null],
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=2-4', { start: 2, end: 4 }],
    ['Bytes= 2-', { start: 2, end: 9 }],
    ['bytes=2-99', { start: 2, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-99', { start: 0, end: 9 }],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=10-20', 'unsatisfiable'],
    ['bytes=4-2', null],
    ['bytes=-', null],
    ['bytes=0-1,3-4', null],
    ['bytes=a-b', null],
    ['bytes=-1-2', null],
    ['items=0-1', null],
    [`bytes=${'9'.repeat(200)}-`, null],
  ] as const)
    test(`${String(header).slice(0, 30)} of ten bytes means ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(parseRange(header, 10), expected)
    })

  test('nothing of an empty file can be asked for', () => {
    assert.equal(parseRange('bytes=0-', 0), 'unsatisfiable')
    assert.equal(parseRange('bytes=-1', 0), 'unsatisfiable')
  })

  test('counts only for a client with the same representation', () => {
    assert.equal(isRangeWanted(undefined, '"a"'), true)
    assert.equal(isRangeWanted('"a"', '"a"'), true)
    for (const other of ['"b"', 'W/"a"', 'Wed, 21 Oct 2015 07:28:00 GMT'])
      assert.equal(isRangeWanted(other, '"a"'), false)
  })
})

test('a file name cannot break out of its header, and is sent unchanged', () => {
  assert.equal(contentDisposition('inline', 'a b.png'), `inline; filename="a b.png"; filename*=UTF-8''a%20b.png`)
  assert.equal(
    contentDisposition('attachment', 'ü"\\\r\nX: y%\'(*).svg'),
    `attachment; filename="_____X: y_'(*).svg"; filename*=UTF-8''%C3%BC%22%5C%0D%0AX%3A%20y%25%27%28%2A%29.svg`,
  )
})
