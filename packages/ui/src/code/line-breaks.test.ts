import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EditorState } from '@codemirror/state'
import fc from 'fast-check'
import { changedPart, lineBreakOf } from './line-breaks.ts'

describe('line breaks', () => {
  test('every text comes back from CodeMirror byte for byte', () => {
    const piece = fc.constantFrom('a', '\n', '\r\n', '\r', ' ', 'é😀')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        const state = EditorState.create({
          doc: text,
          extensions: EditorState.lineSeparator.of(lineBreakOf(text)),
        })
        assert.equal(state.sliceDoc(), text)
      }),
      { seed: 20261115, numRuns: 1000 },
    )
  })

  test('only what differs is replaced', () => {
    assert.deepEqual(changedPart('one two three', 'one 2 three'), { from: 4, to: 7, insert: '2' })
    assert.deepEqual(changedPart('aa', 'aaa'), { from: 2, to: 2, insert: 'a' })
    assert.deepEqual(changedPart('', 'x'), { from: 0, to: 0, insert: 'x' })
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b') }),
        fc.string({ unit: fc.constantFrom('a', 'b') }),
        (a, b) => {
          const { from, to, insert } = changedPart(a, b)
          assert.equal(a.slice(0, from) + insert + a.slice(to), b)
        },
      ),
      { seed: 20261115 },
    )
  })
})
