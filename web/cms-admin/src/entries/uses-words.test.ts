import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EntryUse } from '@stoa/cms-model/entries.ts'
import { usesWords } from './uses-words.ts'

const menu: EntryUse = { kind: 'menu', name: 'main', label: 'Main' }
const entry = (title: string): EntryUse => ({
  kind: 'entry',
  id: title,
  type: 'page',
  slug: 'a-slug',
  title,
  status: 'draft',
  locale: 'en',
  live: false,
})

test('the places that lead to an entry are named, the first ones of many', () => {
  assert.match(usesWords({ items: [menu], total: 1 }), /used in 1 place: the menu “Main”\. /)
  assert.match(
    usesWords({ items: [menu, entry('A'), entry('')], total: 3 }),
    /3 places: the menu “Main”, “A”, and “a-slug”\./,
  )
  const many = ['A', 'B', 'C', 'D'].map(entry)
  assert.match(usesWords({ items: many, total: 104 }), /104 places: “A”, “B”, “C”, and 101 more\./)
  assert.equal(usesWords({ items: [], total: 0 }), 'No entries or menus link to it.')
})
