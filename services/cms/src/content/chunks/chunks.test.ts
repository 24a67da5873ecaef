import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contentFields, type FieldInput } from '@stoa/cms-model/fields/field.ts'
import { cleanData, type Data } from '@stoa/cms-model/fields/values.ts'
import { workMs } from '@stoa/tests/lib/work.ts'
import fc from 'fast-check'
import { CHUNK_LENGTH, chunksOf, MAX_CHUNKED_LENGTH, MAX_CHUNKS, textConfigOf } from './chunks.ts'

const SEED = 20260301

const chunk = (fields: FieldInput[], data: Data) => {
  const parsed = contentFields.parse(fields)
  return chunksOf(parsed, cleanData(parsed, data))
}

describe('what an entry is cut into', () => {
  test('headings part rich text and Markdown, and stand above their pieces', () => {
    const html =
      '<p>Intro.</p><h2>Hours</h2><p>Monday to Friday</p><ul><li>9</li><li>17</li></ul><h3>Sunday</h3><p>Closed</p>'
    assert.deepEqual(chunk([{ key: 'body', type: 'richtext' }], { body: html }), [
      { heading: 'Body', body: 'Intro.' },
      { heading: 'Hours', body: 'Monday to Friday\n9\n17' },
      { heading: 'Sunday', body: 'Closed' },
    ])
    const markdown = 'Intro.\n\n## Our *hours*\n- [Monday](/mo) to **Friday**\n### Sunday ###\nClosed'
    assert.deepEqual(chunk([{ key: 'body', type: 'markdown' }], { body: markdown }), [
      { heading: 'Body', body: 'Intro.' },
      { heading: 'Our hours', body: 'Monday to Friday' },
      { heading: 'Sunday', body: 'Closed' },
    ])
  })

  test('short fields say what they are; an item of a list stands below its first line', () => {
    const fields: FieldInput[] = [
      { key: 'price', type: 'number', label: 'Price in euros' },
      { key: 'size', type: 'select', options: [{ value: 'l', label: 'Large' }] },
      {
        key: 'faq',
        type: 'list',
        fields: [
          { key: 'q', type: 'text' },
          { key: 'a', type: 'textarea' },
        ],
      },
    ]
    assert.deepEqual(chunk(fields, { price: 20, size: 'l', faq: [{ q: 'May I return it?', a: 'Within 30 days.' }] }), [
      { heading: '', body: 'Price in euros: 20\nSize: Large' },
      { heading: 'May I return it?', body: 'Within 30 days.' },
    ])
  })

  test('hidden fields are left out, also inside of lists, and so are values that fit no field', () => {
    const fields: FieldInput[] = [
      { key: 'open', type: 'text' },
      { key: 'secret', type: 'text', hidden: true },
      { key: 'count', type: 'number' },
      {
        key: 'rows',
        type: 'list',
        fields: [
          { key: 'name', type: 'text' },
          { key: 'note', type: 'textarea', hidden: true },
        ],
      },
    ]
    const data = {
      open: 'seen',
      secret: 'classified',
      count: 'classified',
      rows: [{ name: 'row', note: 'classified' }],
    }
    assert.deepEqual(chunk(fields, data), [
      { heading: '', body: 'Open: seen' },
      { heading: 'Rows', body: 'row' },
    ])
  })

  test('an entry without text is one piece, to be found by its title', () => {
    assert.deepEqual(chunk([{ key: 'body', type: 'richtext' }], {}), [{ heading: '', body: '' }])
  })

  test('no word is lost, none is torn, and no piece is too long', () => {
    const word = fc.stringMatching(/^[a-zäöüß]{1,30}[.!?]?$/)
    const paragraphs = fc.array(fc.array(word, { minLength: 1, maxLength: 80 }), { maxLength: 12 })
    const sections = fc.array(fc.record({ heading: fc.array(word, { minLength: 1, maxLength: 5 }), paragraphs }), {
      maxLength: 5,
    })
    fc.assert(
      fc.property(sections, fc.boolean(), (given, isHtml) => {
        const text = given
          .map(({ heading, paragraphs: own }) =>
            isHtml
              ? `<h2>${heading.join(' ')}</h2>${own.map((line) => `<p>${line.join(' ')}</p>`).join('')}`
              : `\n## ${heading.join(' ')}\n\n${own.map((line) => line.join(' ')).join('\n\n')}\n`,
          )
          .join('')
        const chunks = chunk([{ key: 'body', type: isHtml ? 'richtext' : 'markdown' }], { body: text })
        const below = given.flatMap(({ heading, paragraphs: own }) => (own.length === 0 ? heading : own.flat()))
        assert.deepEqual(chunks.flatMap(({ body }) => body.split(/\s+/)).filter(Boolean), below)
        const headings = new Set(chunks.flatMap(({ heading, body }) => [heading, body]))
        for (const { heading } of given) assert.ok(headings.has(heading.join(' ')))
        for (const { body } of chunks) assert.ok(body.length <= CHUNK_LENGTH)
      }),
      { seed: SEED, numRuns: 150 },
    )
  })

  test('text without a space is cut between characters, and only so much of it is kept', () => {
    const chunks = chunk([{ key: 'body', type: 'textarea' }], { body: '😀'.repeat(150_000) })
    for (const { body } of chunks) assert.ok(body.isWellFormed() && body.length <= CHUNK_LENGTH)
    const kept = chunks.reduce((sum, { body }) => sum + body.length, 0)
    assert.ok(kept <= MAX_CHUNKED_LENGTH && kept > MAX_CHUNKED_LENGTH - CHUNK_LENGTH)
  })
})

describe('hostile text', () => {
  test('a heading without end is text, and a heading above every word makes only so many pieces', () => {
    const long = 'word '.repeat(10_000).trim()
    for (const [type, body] of [
      ['richtext', `<h2>${long}</h2><p>below</p>`],
      ['markdown', `## ${long}\n\nbelow`],
    ] as const) {
      const chunks = chunk([{ key: 'body', type }], { body })
      assert.ok(chunks.every(({ heading }) => heading === 'Body'))
      assert.equal(chunks.flatMap(({ body: text }) => text.split(/\s+/)).join(' '), `${long} below`)
    }
    const sections = Array.from({ length: 5_000 }, (_, n) => `## h${n}\n\nb\n\n`).join('')
    assert.equal(chunk([{ key: 'body', type: 'markdown' }], { body: sections }).length, MAX_CHUNKS)
  })

  test('a line made to keep patterns busy costs no more than its length', () => {
    const lines = [
      `# ${' '.repeat(100_000)}x`,
      `a${'_'.repeat(100_000)}a`,
      '['.repeat(100_000),
      '<'.repeat(100_000),
      '![a]('.repeat(20_000),
    ]
    const began = workMs()
    for (const line of lines) chunk([{ key: 'body', type: 'markdown' }], { body: line })
    assert.ok(workMs() - began < 3_000)
  })
})

test('a language has its own rules for words, and one that PostgreSQL does not know has plain ones', () => {
  assert.deepEqual(['en', 'en-GB', 'de-AT', 'pt-BR', 'ja', 'pl'].map(textConfigOf), [
    'english',
    'english',
    'german',
    'portuguese',
    'simple',
    'simple',
  ])
})
