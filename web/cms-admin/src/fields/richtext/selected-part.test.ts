import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EditorState, TextSelection } from '@tiptap/pm/state'
import { selectedPart } from './selected-part.ts'
import { page, parseStored } from './testing/document.ts'

/** Selects from the first of these words to the end of the last. */
const select = (html: string, first: string, last = first) => {
  const doc = parseStored(html)
  let from = -1
  let to = -1
  doc.descendants((node, at) => {
    const start = node.text?.indexOf(first) ?? -1
    const end = node.text?.indexOf(last) ?? -1
    if (start >= 0 && from < 0) from = at + start
    if (end >= 0) to = at + end + last.length
  })
  const state = EditorState.create({ doc, selection: TextSelection.create(doc, from, to) })
  const part = selectedPart(state, html, page)
  assert.ok(part)
  return part
}

describe('what is selected in rich text', () => {
  test('words are a paragraph of their own, and stay where they are', () => {
    const part = select('<h2>By the <strong>wide</strong> sea</h2><p>Two</p>', 'the', 'wide')
    assert.equal(part.content, '<h2>the <strong>wide</strong></h2>')
    assert.equal(part.replaced('<h2>a <em>calm</em></h2>'), '<h2>By a <em>calm</em> sea</h2><p>Two</p>')
    assert.equal(part.replaced('<p>a calm</p>'), '<h2>By a calm sea</h2><p>Two</p>')
  })

  test('several paragraphs keep what is before and after them', () => {
    const part = select('<p>One two</p><p>Three</p><p>Four five</p>', 'two', 'Four')
    assert.equal(part.content, '<p>two</p><p>Three</p><p>Four</p>')
    assert.equal(part.replaced('<p>2</p><p>3</p><p>4</p>'), '<p>One 2</p><p>3</p><p>4 five</p>')
    assert.equal(part.replaced('<p>2 to 4</p>'), '<p>One 2 to 4 five</p>')
  })

  test('items of a list stay items', () => {
    const part = select('<ul><li>One</li><li>Two</li><li>Three</li></ul>', 'Two', 'Three')
    assert.equal(part.content, '<ul><li>Two</li><li>Three</li></ul>')
    assert.equal(part.replaced('<ul><li>2</li><li>3</li></ul>'), '<ul><li>One</li><li>2</li><li>3</li></ul>')
  })

  test('below it is after the block that it ends in', () => {
    const part = select('<ul><li>One</li><li>Two</li></ul><p>End</p>', 'One')
    assert.equal(part.followedBy('<p>New</p>'), '<ul><li>One</li><li>Two</li></ul><p>New</p><p>End</p>')
  })

  test('links keep the entry that they lead to', () => {
    const link = '<a href="/a" data-entry-id="0190a1b2-0000-7000-8000-000000000001">sea</a>'
    const part = select(`<p>By the ${link} now</p>`, 'sea')
    assert.equal(part.content, `<p>${link}</p>`)
    assert.equal(
      part.replaced(`<p>${link.replace('sea', 'lake')}</p>`),
      `<p>By the ${link.replace('sea', 'lake')} now</p>`,
    )
  })

  test('nothing is no part', () => {
    const doc = parseStored('<p>One</p>')
    assert.equal(selectedPart(EditorState.create({ doc }), '<p>One</p>', page), null)
  })
})
