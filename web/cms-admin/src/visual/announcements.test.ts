import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { articleType } from '../entries/session/testing/entries.ts'
import { changeNews, layoutNews, stepBetween } from './announcements.ts'
import { movedBy } from './layout.ts'

const EMPTY = { order: [], hidden: [] }
const section = (id: string, movable = true) => ({ id, movable, group: 0, within: null })
const sections = [section('hero', false), section('books'), section('events'), section('quote')]
const known = {
  sections,
  labelOf: (id: string) => id[0]?.toUpperCase() + id.slice(1),
  fields: articleType.fields,
}

describe('what is said about a page', () => {
  test('is where a section has gone, among all of its group', () => {
    const down = movedBy(sections, EMPTY, 'books', 1)
    assert.equal(layoutNews(EMPTY, down, known, 'books'), 'Moved Books to position 3 of 4')
    assert.equal(layoutNews(EMPTY, down, known, 'events'), 'Moved Events to position 2 of 4')
    assert.equal(layoutNews(EMPTY, movedBy(sections, down, 'books', 1), known), 'Moved Books to position 4 of 4')
    const over = [section('books'), section('hero', false), section('events')]
    const jumped = movedBy(over, EMPTY, 'books', 1)
    assert.equal(layoutNews(EMPTY, jumped, { ...known, sections: over }, 'books'), 'Moved Books to position 3 of 3')
  })

  test('is what was hidden and shown, and nothing where all is as it was', () => {
    const hidden = { order: [], hidden: ['quote'] }
    assert.equal(layoutNews(EMPTY, hidden, known), 'Quote hidden')
    assert.equal(layoutNews(hidden, EMPTY, known), 'Quote shown')
    assert.equal(layoutNews(EMPTY, { order: ['books'], hidden: [] }, known), null)
  })

  test('is which change was undone or done again', () => {
    const history = (past: number, future: number) => ({ past: Array(past), future: Array(future) })
    assert.equal(stepBetween(history(2, 0), history(1, 1)), 'Undone')
    assert.equal(stepBetween(history(1, 1), history(2, 0)), 'Redone')
    assert.equal(stepBetween(history(1, 1), history(2, 1)), null)
    const values = { title: 'A', slug: 'a', data: { summary: 's' } }
    assert.equal(changeNews(values, { title: 'B', slug: 'b', data: { summary: 't' } }, known), 'Title, Summary')
    const moved = { ...values, data: { summary: 's', __layout: { order: [], hidden: ['quote'] } } }
    assert.equal(changeNews(values, moved, known), 'Quote hidden')
  })
})
