import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { blockEdit, type Edit, linkEdit, pictureEdit, toggleAround, toggleHeading, toggleLines } from './edits.ts'

/** A text with its selection between brackets of this kind: «». */
const run = (marked: string, action: (selected: { text: string; from: number; to: number }) => Edit): string => {
  const from = marked.indexOf('«')
  const to = marked.indexOf('»') - 1
  const text = marked.replace(/[«»]/g, '')
  const edit = action({ text, from, to })
  const after = text.slice(0, edit.from) + edit.insert + text.slice(edit.to)
  return `${after.slice(0, edit.anchor)}«${after.slice(edit.anchor, edit.head)}»${after.slice(edit.head)}`
}

describe('actions on Markdown', () => {
  test('signs go around the selection, and away again', () => {
    assert.equal(
      run('a «b» c', (it) => toggleAround(it, '**')),
      'a **«b»** c',
    )
    assert.equal(
      run('a **«b»** c', (it) => toggleAround(it, '**')),
      'a «b» c',
    )
    assert.equal(
      run('a «**b**» c', (it) => toggleAround(it, '**')),
      'a «b» c',
    )
    assert.equal(
      run('«»', (it) => toggleAround(it, '**')),
      '**«»**',
    )
    assert.equal(
      run('**«b»**', (it) => toggleAround(it, '*')),
      '***«b»***',
    )
    assert.equal(
      run('***«b»***', (it) => toggleAround(it, '*')),
      '**«b»**',
    )
  })

  test('lines begin with a sign, and lose it when all have it', () => {
    assert.equal(
      run('«one\ntwo»', (it) => toggleLines(it, 'bullets')),
      '«- one\n- two»',
    )
    assert.equal(
      run('- o«ne\n- tw»o', (it) => toggleLines(it, 'bullets')),
      '«one\ntwo»',
    )
    assert.equal(
      run('- o«ne\n- tw»o', (it) => toggleLines(it, 'numbers')),
      '«1. one\n2. two»',
    )
    assert.equal(
      run('a\n«»\nb', (it) => toggleLines(it, 'bullets')),
      'a\n- «»\nb',
    )
    assert.equal(
      run('say «it»', (it) => toggleLines(it, 'quote')),
      '> say it«»',
    )
  })

  test('a heading is of another level, or none', () => {
    assert.equal(
      run('one\ntw«»o', (it) => toggleHeading(it, 2)),
      'one\n## two«»',
    )
    assert.equal(
      run('## tw«»o', (it) => toggleHeading(it, 3)),
      '### two«»',
    )
    assert.equal(
      run('## tw«»o', (it) => toggleHeading(it, 2)),
      'two«»',
    )
  })

  test('links and pictures hold whatever their words and addresses are', () => {
    assert.equal(
      run('see «it»', (it) => linkEdit(it, '/a (b)', 'x')),
      'see [it](/a%20%28b%29)«»',
    )
    assert.equal(
      run('see «»', (it) => linkEdit(it, '/a', 'A [b]')),
      'see [A \\[b\\]](/a)«»',
    )
    assert.equal(
      run('one«»', (it) => pictureEdit(it, '/a.png', 'A')),
      'one\n\n![A](/a.png)«»',
    )
  })

  test('a block stands apart from its neighbours', () => {
    assert.equal(
      run('a«»b', (it) => blockEdit(it, 'X')),
      'a\n\nX«»\n\nb',
    )
    assert.equal(
      run('a\n\n«»\n\nb', (it) => blockEdit(it, 'X')),
      'a\n\nX«»\n\nb',
    )
  })
})
