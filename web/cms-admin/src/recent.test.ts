import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRecents, withRecent } from './recent.ts'

const thing = (number: number) => ({ to: `/content/article/${number}`, label: `Article ${number}`, hint: 'Article' })

test('the latest comes first, each once, and the oldest goes', () => {
  const six = [1, 2, 3, 4, 5, 6].reduce<ReturnType<typeof readRecents>>(
    (all, number) => withRecent(all, thing(number)),
    [],
  )
  assert.deepEqual(
    six.map(({ label }) => label),
    ['Article 6', 'Article 5', 'Article 4', 'Article 3', 'Article 2', 'Article 1'],
  )
  const again = withRecent(six, { ...thing(3), label: 'Renamed' })
  assert.deepEqual(
    again.map(({ label }) => label),
    ['Renamed', 'Article 6', 'Article 5', 'Article 4', 'Article 2', 'Article 1'],
  )
  assert.equal(withRecent(six, thing(7)).length, 6)
})

test('whatever is stored, only things of this app are read', () => {
  assert.deepEqual(readRecents(undefined), [])
  assert.deepEqual(readRecents([1, { to: '//evil.example', label: 'a', hint: '' }, { to: '/media' }, thing(1)]), [
    thing(1),
  ])
})
