import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markedWords, splitMarked } from './highlight.ts'

const shown = (text: string, q: string): string =>
  splitMarked(text, markedWords(q))
    .map(({ text: piece, isMarked }) => (isMarked ? `[${piece}]` : piece))
    .join('')

test('the words of a search are marked where a word begins with them', () => {
  assert.equal(shown('Ferry plan: the ferries', 'fer'), '[Fer]ry plan: the [fer]ries')
  assert.equal(shown('Transfer', 'fer'), 'Transfer')
  assert.equal(shown('a planned plan', 'plan planned'), 'a [planned] [plan]')
})

test('case and accents make no difference, and the text stays as it is', () => {
  assert.equal(shown('Über den Café-Plan', 'uber cafe'), '[Über] den [Café]-Plan')
  assert.equal(shown('ﬁne', 'fi'), '[ﬁ]ne')
})

test('phrases, senders and beginnings are marked; what must be missing and other operators are not', () => {
  assert.deepEqual(markedWords('"ferry plan" from:Ann inv* -gone has:attachment is:unread OR x'), [
    ...['ferry', 'plan', 'ann', 'inv', 'x'],
  ])
  assert.deepEqual(markedWords(''), [])
  assert.equal(shown('Nothing', ''), 'Nothing')
})

test('in scripts without spaces words are found everywhere', () => {
  assert.equal(shown('東京事務所', '事務'), '東京[事務]所')
})
