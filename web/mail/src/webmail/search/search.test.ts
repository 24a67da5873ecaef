import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isHalfTyped, searchProblems, searchWords } from './operators.ts'
import { readSearches, withSearch } from './recent-searches.ts'
import { suggestionsFor, typedWord } from './suggestions.ts'

const folders = [
  { name: 'INBOX', path: 'INBOX', role: 'inbox' as const },
  { name: 'My notes', path: 'Work/My notes', role: null },
]
const known = {
  folders,
  labels: [
    { name: 'tax', display_name: 'tax' },
    { name: 'travel', display_name: 'Reisen' },
  ],
  contacts: [{ name: 'Ann Lee', email: 'ann@outside.test' }],
  recent: ['from:bob', 'invoice'],
}
const texts = (typed: string) => suggestionsFor(typed, known).map(({ text }) => text)

test('what the service understands raises no question', () => {
  const fine =
    'from:ann "final draft" -is:read has:attachment in:inbox in:"work/my notes" before:2026-03 after:7d larger:5m https://a.test 12:30 (a OR b)'
  assert.deepEqual(searchProblems(fine, folders), [])
})

test('operators that are none and values that mean nothing are said, each with its word', () => {
  const problems = searchProblems('form:ann is:wrong before:2026-02-30 larger:huge in:nowhere has:files frm:x', folders)
  assert.deepEqual(
    problems.map(({ word }) => word),
    ['form:ann', 'is:wrong', 'before:2026-02-30', 'larger:huge', 'in:nowhere', 'has:files', 'frm:x'],
  )
  assert.match(searchProblems('subj:x', folders)[0]?.message ?? '', /Did you mean “subject:”/)
})

test('words are taken apart as the service does it', () => {
  assert.deepEqual(
    searchWords('from:"Ann Lee" x').map(({ operator, value }) => [operator, value]),
    [
      ['from', 'Ann Lee'],
      ['', 'x'],
    ],
  )
})

test('the word that is typed is the one behind the last blank outside of quotes', () => {
  assert.deepEqual(typedWord('a -from:"ann l'), { before: 'a -', operator: 'from', value: 'ann l' })
  assert.deepEqual(typedWord('hello '), { before: 'hello ', operator: '', value: '' })
})

test('an empty box offers the last searches, then operators', () => {
  assert.deepEqual(texts('').slice(0, 3), ['from:bob', 'invoice', 'from:'])
})

test('a word becomes an operator or a person, a value one that fits', () => {
  assert.deepEqual(texts('x sub'), ['x subject:'])
  assert.deepEqual(texts('ann'), ['from:ann@outside.test '])
  assert.deepEqual(texts('from:ann '.trim()), ['from:ann@outside.test '])
  assert.deepEqual(texts('is:unr'), ['is:unread '])
  assert.deepEqual(texts('in:note'), ['in:"work/my notes" '])
  assert.deepEqual(texts('label:t'), ['label:tax ', 'label:travel '])
  assert.deepEqual(texts('nonsense:x'), [])
})

test('searches are remembered once each, the last first, and only a few', () => {
  assert.deepEqual(withSearch(['a', 'b'], ' b '), ['b', 'a'])
  assert.deepEqual(withSearch(['a'], ''), ['a'])
  assert.equal(
    withSearch(
      Array.from({ length: 20 }, (_, index) => `s${index}`),
      'new',
    ).length,
    8,
  )
  assert.deepEqual(readSearches(['a', 1, '', null]), ['a'])
  assert.deepEqual(readSearches('a'), [])
})

test('a search waits while an operator is only begun', () => {
  for (const text of ['from:', 'a is:', 'is:unr', '-has:att']) assert.equal(isHalfTyped(text), true, text)
  for (const text of ['from:a', 'is:unread', 'is:wrong', 'nonsense:', 'is: x', ''])
    assert.equal(isHalfTyped(text), false, text)
})

test('a person who is a contact and a sender is offered once', () => {
  const twice = { ...known, contacts: [...known.contacts, { name: null, email: 'ann@outside.test' }] }
  assert.deepEqual(
    suggestionsFor('from:ann', twice).map(({ label }) => label),
    ['Ann Lee'],
  )
})
