import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { foldText } from './text-forms.ts'
import { indexText, indexWords, queryWords, SEARCH_FIELDS, type SearchTexts, tsquery } from './words.ts'

const NOTHING: SearchTexts = { subject: '', from: '', to: '', cc: '', bcc: '', body: '', attachments: '' }
const bodyWords = (body: string) => indexWords({ ...NOTHING, body: foldText(body) }).map((word) => word.slice(1))
const typed = (text: string) => queryWords(text)?.map(({ word, isPrefix }) => word + (isPrefix ? '*' : '')) ?? null

/** As PostgreSQL matches. */
const matches = (body: string, query: string): boolean => {
  const words = bodyWords(body)
  return (queryWords(query) ?? []).every(({ word, isPrefix }) =>
    words.some((each) => (isPrefix ? each.startsWith(word) : each === word)),
  )
}

describe('folding', () => {
  test('leaves out case, marks, widths and kinds of space', () => {
    assert.equal(foldText('  ÀÉî\u00a0\t ＡＢＣ ﬁ Straße İ'), 'aei abc fi strasse i')
    assert.equal(foldText('Ἀθῆναι ΟΔΟΣ'), foldText('αθηναι οδοσ'))
    assert.equal(foldText('한국어 が'), '한국어 か')
  })

  test('gives text that can be stored and is stable', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const folded = foldText(text)
        assert.ok(folded.isWellFormed() && !folded.includes('\0'))
        assert.equal(foldText(folded), folded)
      }),
      { seed: 5, numRuns: 500 },
    )
  })
})

describe('words', () => {
  test('are runs of letters and digits', () => {
    assert.deepEqual(bodyWords('Hello, world: 42 foo_bar'), ['hello', 'world', '42', 'foo', 'bar'])
    assert.deepEqual(bodyWords('ann.lee@example.org'), ['ann', 'lee', 'example', 'org'])
  })

  test('of scripts without spaces are pairs of characters', () => {
    assert.deepEqual(bodyWords('東京都 abc漢'), ['東京', '京都', '都', 'abc', '漢'])
    assert.deepEqual(typed('東京都'), ['東京', '京都'])
    assert.deepEqual(typed('都'), ['都*'])
    assert.ok(matches('東京都に住む', '京都'))
    assert.ok(matches('東京都', '都'))
    assert.ok(!matches('東京都', '京東'))
  })

  test('that are typed may end with a star', () => {
    assert.deepEqual(typed('Inv* paid'), ['inv*', 'paid'])
    assert.equal(typed(' *** ,, '), null)
  })

  test('carry the letter of their field', () => {
    const words = indexWords({ ...NOTHING, subject: 'plan', from: 'ann', attachments: 'plan.pdf' })
    assert.deepEqual(words, ['splan', 'fann', 'aplan', 'apdf'])
    assert.equal(tsquery([{ word: 'plan', isPrefix: true }], ['subject', 'body']), `('splan':* | 'bplan':*)`)
  })

  test('are bounded in number and length', () => {
    const many = Array.from({ length: 50_000 }, (_, n) => `w${n}`).join(' ')
    assert.equal(bodyWords(many).length, 12_000)
    assert.equal(bodyWords('x'.repeat(5000))[0]?.length, 48)
    assert.ok(matches('x'.repeat(5000), 'x'.repeat(5000)))
    assert.ok(Buffer.byteLength(indexText({ ...NOTHING, body: 'é'.repeat(2_000_000) })) <= 410_000)
  })

  test('that a text has are found by typing it', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), { maxLength: 6 }), (pieces) => {
        const text = pieces.join(' ')
        const query = text.replaceAll('*', ' ')
        assert.ok(matches(query, query), JSON.stringify(text))
      }),
      { seed: 7, numRuns: 500 },
    )
  })

  test('make a query that PostgreSQL can read: letters, digits and nothing else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const { word } of queryWords(text) ?? []) assert.match(word, /^[\p{L}\p{N}\p{M}]+$/u)
        assert.ok(SEARCH_FIELDS.length > 0)
      }),
      { seed: 9, numRuns: 500 },
    )
  })
})

test('plain ASCII is folded and split as any other text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
      const marked = foldText(`${text} \u00e9`)
      assert.equal(`${foldText(text)} e`.trim(), marked)
      assert.deepEqual([...bodyWords(`${text} e`)], [...bodyWords(`${text} \u00e9`)])
    }),
    { seed: 13, numRuns: 1_000 },
  )
})
