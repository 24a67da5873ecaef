import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { qrPicture, qrSvg } from './picture.ts'

/** The modules without the quiet zone, as rows of text. */
const picture = (text: string): string[] => {
  const { size, path } = qrPicture(text)
  const dark = new Set([...path.matchAll(/M(\d+ \d+)h1v1h-1z/g)].map((match) => match[1]))
  const inside = Array.from({ length: size - 8 }, (_, index) => index + 4)
  return inside.map((y) => inside.map((x) => (dark.has(`${x} ${y}`) ? '#' : '.')).join(''))
}

const digest = (text: string): string =>
  createHash('sha256').update(picture(text).join('\n')).digest('hex').slice(0, 16)

describe('QR codes', () => {
  // These were read back with zbar
  test('a short text is drawn as scanners read it', () => {
    assert.deepEqual(picture('Stoa'), [
      '#######.##.##.#######',
      '#.....#.##.#..#.....#',
      '#.###.#.###.#.#.###.#',
      '#.###.#...#...#.###.#',
      '#.###.#.###.#.#.###.#',
      '#.....#...###.#.....#',
      '#######.#.#.#.#######',
      '.........#.##........',
      '#..######...##..#.###',
      '###....#..#.#.#.####.',
      '#.#..####....##.#####',
      '..#.##.#..##......###',
      '.#.#..##.#....#..#.##',
      '........#..##..#.#..#',
      '#######.###.######...',
      '#.....#.##.###.####.#',
      '#.###.#.#.###.##.#.##',
      '#.###.#.##.##...###..',
      '#.###.#..#....#...###',
      '#.....#......##.#.###',
      '#######.####......#..',
    ])
  })

  test('several blocks and the version are drawn as scanners read them', () => {
    const address =
      'otpauth://totp/cms.example.com:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=cms.example.com'
    assert.equal(digest(address), 'be958304651a73ac')
    assert.equal(digest('abcdefghij'.repeat(40)), 'f6b6504b0b6613f2')
  })

  test('the size grows with the text, and ends', () => {
    assert.equal(qrPicture('x'.repeat(14)).size, 21 + 8)
    assert.equal(qrPicture('x'.repeat(15)).size, 25 + 8)
    assert.equal(qrPicture('ü'.repeat(7)).size, 21 + 8)
    assert.equal(qrPicture('x'.repeat(666)).size, 97 + 8)
    assert.throws(() => qrPicture('x'.repeat(667)), RangeError)
  })

  test('the picture has the quiet zone around every dark module, and white below them', () => {
    const { size, path } = qrPicture('Stoa')
    assert.equal(size, 21 + 8)
    const dark = picture('Stoa').join('').replaceAll('.', '').length
    assert.equal(path.split('M').length - 1, dark)
    assert.ok(path.startsWith('M4 4h1v1h-1z'))
    assert.equal(
      qrSvg('Stoa'),
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 29 29" shape-rendering="crispEdges"><rect width="29" height="29" fill="white"/><path d="${path}" fill="black"/></svg>`,
    )
  })
})
