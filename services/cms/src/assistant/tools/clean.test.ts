import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runs } from '@stoa/tests/lib/runs.ts'
import { leastWorkMs } from '@stoa/tests/lib/work.ts'
import type { Json } from '../../people/call-route/call-route.ts'
import { cleanContent, cleanText, MAX_STRING } from './clean.ts'
import { fitResult, MAX_RESULT } from './fit.ts'

const cleaned = (text: string) => cleanText(text).text

describe('a text of the site, as a model reads it', () => {
  test('has no zero-width, bidi and tag characters', () => {
    const ranges = [
      [0x200b, 0x200f],
      [0x2028, 0x202e],
      [0x2060, 0x2064],
      [0xfeff, 0xfeff],
      [0xe0000, 0xe007f],
    ] as const
    for (const [from, to] of ranges)
      for (let code = from; code <= to; code += 1)
        assert.equal(cleaned(`a${String.fromCodePoint(code)}b`), 'ab', code.toString(16))
    assert.equal(cleaned('\u2066evil\u2069'), 'evil')
    assert.equal(cleaned('a\u0000b\u001bc\nd\te'), 'abc\nd\te')
  })

  test('keeps what people see', () => {
    for (const text of ['Grüße, 世界 ❤️ – “quoted” 5 < 6 > 4', '<p>One <em>two</em></p>', 'a <b and c', 'x <!-y', ''])
      assert.equal(cleaned(text), text)
    const plain =
      '<p style="color: #333; font-size: 10px; opacity: 0.5; margin: -10px">seen</p><img src="/a.png" alt="A">'
    assert.equal(cleaned(plain), plain)
  })

  const hidden = [
    ['a comment', 'a<!-- evil -->b'],
    ['a comment that is split by another', 'a<!<!-- x -->-- evil -->b'],
    ['a comment that is split by an unseen character', 'a<!\u200b-- evil -->b'],
    ['an element of no display', 'a<span style="display:none">evil</span>b'],
    ['one that is written otherwise', "a<SPAN STYLE = 'DISPLAY :  None !important'>evil</sPan>b"],
    ['one with an escape', 'a<span style="d\\69splay:none">evil</span>b'],
    ['one with an entity', 'a<span style="display&#58;none">evil</span>b'],
    ['one with a comment inside of its style', 'a<span style="display:/* x */none">evil</span>b'],
    ['one without quotes', 'a<span class=x style=display:none>evil</span>b'],
    ['one inside of others of its name', 'a<div hidden>evil<div>evil</div>evil</div>b'],
    ['visibility', 'a<i style="x:y; visibility: hidden">evil</i>b'],
    ['opacity', 'a<i style="opacity:0.0">evil</i>b'],
    ['no size of letters', 'a<i style="font-size:0px">evil</i>b'],
    ['no colour', 'a<i style="color:transparent">evil</i>b'],
    ['a colour that is not seen', 'a<i style="color: rgba(0, 0, 0, 0)">evil</i>b'],
    ['a place outside of the page', 'a<i style="position:absolute; left:-9999px">evil</i>b'],
    ['an indent outside of the page', 'a<i style="text-indent:-999em">evil</i>b'],
    ['a box without size', 'a<i style="height:0;overflow:hidden">evil</i>b'],
    ['a script', 'a<script>evil</script>b'],
    ['a template', 'a<template><p>evil</p></template>b'],
    ['a tag that the removal of another one joins', 'a<<i hidden>x</i>span hidden>evil</span>b'],
  ] as const
  for (const [what, text] of hidden)
    test(`has nothing that hides: ${what}`, () => {
      const shown = cleaned(text)
      assert.doesNotMatch(shown, /evil/)
      assert.match(shown, /^a.*b$/)
    })

  test('ends where a hidden part has no end', () => {
    assert.equal(cleaned('a<!-- evil'), 'a')
    assert.equal(cleaned('a<div hidden>evil'), 'a')
  })

  test('is cut at its limit, between characters', () => {
    const longest = 'x'.repeat(MAX_STRING)
    assert.deepEqual(cleanText(longest), { text: longest, isCut: false, hasHidden: false })
    const { text, isCut } = cleanText('😀'.repeat(MAX_STRING))
    assert.ok(isCut && text.length <= MAX_STRING && text.isWellFormed() && text.endsWith('…'))
  })

  test('is cleaned with work that grows as it does', () => {
    const attacks = [
      '<!',
      '<a ',
      '<a b="',
      "<a b='",
      '<i hidden>',
      '<i hidden><i>',
      '-',
      ' ',
      '<a\u0020\u0020=',
      '</i>',
    ]
    for (const part of attacks) {
      const text = part.repeat(2_000_000 / part.length)
      assert.ok(leastWorkMs(() => cleanText(text), { enough: 400 }) < 400, part)
    }
  })
})

/** Numbers that are the same in every run. */
const numbers = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}
const PIECES = [
  '<',
  '>',
  '!',
  '--',
  '<!--',
  '-->',
  '"',
  "'",
  '=',
  ' ',
  '/',
  'hidden',
  'style="display:none"',
  '<i',
  '</i>',
]
PIECES.push(
  '<script',
  '</script>',
  'evil',
  'é',
  '😀',
  '\ud83d',
  '\udc41',
  '\udb40',
  '\u200b',
  '\u202e',
  '…',
  '\n',
  'x'.repeat(900),
)

test('random contents are never longer than the limits, and cleaning them again changes nothing', () => {
  for (let run = 0; run < runs(100, 3_000); run += 1) {
    const random = numbers(run + 1)
    const pick = (count: number) => Math.floor(random() * count)
    const text = () => Array.from({ length: pick(12) }, () => PIECES[pick(PIECES.length)] ?? '').join('')
    const json = (depth: number): Json => {
      const kind = pick(depth > 3 ? 3 : 6)
      if (kind < 2) return text().repeat(pick(8) ? 1 : 12)
      if (kind === 2) return pick(2) ? pick(1000) : null
      if (kind < 5) return Array.from({ length: pick(6) }, () => json(depth + 1))
      return Object.fromEntries(Array.from({ length: pick(5) }, () => [text().slice(0, 300), json(depth + 1)]))
    }
    const result = { total: 5, nextOffset: null, rows: [json(0), json(1), json(1)], other: json(2) }
    const once = cleanContent(result).value
    assert.deepEqual(cleanContent(once).value, once, `seed ${run + 1}`)
    const shown = fitResult(result)
    assert.ok(shown.length <= MAX_RESULT, `seed ${run + 1}`)
    assert.equal(JSON.parse(shown)._untrusted, true)
  }
})

describe('a result', () => {
  test('says of itself that it is content, and nothing else when all of it is there', () => {
    assert.deepEqual(JSON.parse(fitResult({ rows: [1] })), { rows: [1], _untrusted: true })
  })

  test('with a text that is too long says that it was cut', () => {
    const shown = JSON.parse(fitResult({ entry: { body: 'x'.repeat(5_000) } }))
    assert.equal(shown.entry.body.length, MAX_STRING)
    assert.equal(shown.truncated, true)
    assert.match(shown.hint, /4000 characters/)
  })

  test('with a text that had hidden parts says so: they go with the text that replaces it', () => {
    const shown = JSON.parse(fitResult({ entry: { body: 'a<!-- b -->' } }))
    assert.match(shown.hint, /invisible parts/)
    assert.equal('truncated' in shown, false)
    assert.equal('hint' in JSON.parse(fitResult({ entry: { body: 'a\u200bb <p>c</p>' } })), false)
  })

  test('with too many rows has as many as fit, and says where the others begin', () => {
    const rows = Array.from({ length: 50 }, (_, n) => ({ n, text: 'x'.repeat(1_000) }))
    const shown = JSON.parse(fitResult({ total: 90, nextOffset: 70, rows }, 20))
    assert.ok(shown.rows.length > 15 && shown.rows.length < 24)
    assert.equal(shown.nextOffset, 20 + shown.rows.length)
    assert.equal(shown.truncated, true)
    assert.match(shown.hint, new RegExp(`offset ${shown.nextOffset}\\.`))
    const unpaged = JSON.parse(fitResult({ rows }))
    assert.equal('nextOffset' in unpaged, false)
    assert.match(unpaged.hint, /Only \d+ of these 50 rows fit/)
  })

  test('of more than anybody reads costs little work', () => {
    const rows = Array.from({ length: 50 }, () => ({ data: Array.from({ length: 50_000 }, () => 'x') }))
    const fit = () => assert.ok(fitResult({ total: 50, nextOffset: null, rows }).length <= MAX_RESULT)
    assert.ok(leastWorkMs(fit, { enough: 600 }) < 600)
  })

  test('of one record that is too long shows the beginning of all its parts', () => {
    const data = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`key${n}`, 'x'.repeat(4_000)]))
    const shown = JSON.parse(fitResult({ entry: { id: 'a', data } }))
    assert.equal(Object.keys(shown.entry.data).length, 30)
    assert.equal(shown.truncated, true)
  })
})
