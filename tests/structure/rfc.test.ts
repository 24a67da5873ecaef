import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { read, trackedFiles } from './tree.ts'

const SOURCE = 'services/mail/src/'
const rows = read('docs/rfc.md')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
const listed = rows.flatMap(([, cell = '']) => cell.split(', '))
const files = trackedFiles().filter((file) => file.startsWith(SOURCE) && file.endsWith('.ts'))

describe('docs/rfc.md', () => {
  test('names places that exist, and each RFC once', () => {
    const twice = listed.filter((number, index) => listed.indexOf(number) !== index)
    const wrong = rows.flatMap(([, number, , , cell = '']) => {
      const places = [...cell.matchAll(/`([^`]+)`/g)].map(([, place = '']) => place)
      if (places.length === 0) return [`${number} has no place`]
      return places.filter((place) => !files.includes(SOURCE + place)).map((place) => `${number}: ${place}`)
    })
    assert.deepEqual([twice, wrong], [[], []])
  })

  test('has every RFC that the code cites', () => {
    const cited = files.flatMap((file) =>
      [...read(file).matchAll(/RFC (\d{3,5})/g)].map(([, number = '']) => ({ file, number })),
    )
    const missing = cited
      .filter(({ number }) => !listed.includes(number))
      .map(({ file, number }) => `${number} ${file}`)
    assert.deepEqual([...new Set(missing)], [])
  })
})
