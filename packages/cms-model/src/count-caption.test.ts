import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { captionCounts, countCaption } from './count-caption.ts'

const FAMILY = '👨‍👩‍👧‍👦'

describe('countCaption', () => {
  const measured: [text: string, counts: Record<(typeof captionCounts)[number], number>][] = [
    ['', { utf16: 0, 'utf8-bytes': 0, x: 0, threads: 0, mastodon: 0 }],
    ['Hello', { utf16: 5, 'utf8-bytes': 5, x: 5, threads: 5, mastodon: 5 }],
    [FAMILY, { utf16: 11, 'utf8-bytes': 25, x: 2, threads: 25, mastodon: 1 }],
    ['日本語', { utf16: 3, 'utf8-bytes': 9, x: 6, threads: 3, mastodon: 3 }],
    ['example.com', { utf16: 11, 'utf8-bytes': 11, x: 23, threads: 11, mastodon: 11 }],
    ['https://example.com/a?b=c', { utf16: 25, 'utf8-bytes': 25, x: 23, threads: 25, mastodon: 23 }],
    ['@a@b.example', { utf16: 12, 'utf8-bytes': 12, x: 12, threads: 12, mastodon: 2 }],
    ['™', { utf16: 1, 'utf8-bytes': 3, x: 2, threads: 1, mastodon: 1 }],
    ['e\u0301', { utf16: 2, 'utf8-bytes': 3, x: 1, threads: 2, mastodon: 1 }],
    ['1️⃣🇩🇪👍🏽', { utf16: 11, 'utf8-bytes': 23, x: 6, threads: 23, mastodon: 3 }],
  ]
  for (const [text, counts] of measured)
    for (const count of captionCounts)
      it(`counts ${JSON.stringify(text)} as ${counts[count]} by ${count}`, () => {
        assert.equal(countCaption(count, text), counts[count])
      })

  // Published with the rules of X: WeightedTweetsCounterTest and the URL cases, as they are under config v3.
  const conformance: [string, number][] = [
    ['Hi http://test.co', 26],
    ['http://test.co', 23],
    ['https://www.twitter.com/aloha '.repeat(10), 240],
    ['故人西辞黄鹤楼，烟花三月下扬州。'.repeat(10), 320],
    ['😷'.repeat(160), 320],
    ['A\u0301B', 2],
    ['Aשּׁ', 4],
    ['H🐱☺👨‍👩‍👧‍👦', 7],
    ['🙋🏽👨‍🎤', 4],
    ['😷👾😡🔥💩', 10],
    ['\u2000\u200A\u200B\u200C\u200D ‐ ― ‖ ‘ ‟ ′ ‷', 19],
    ['Test https://test.com test https://test.com test.com test', 86],
    [`https://${'long'.repeat(20)}.com`, 92],
    ['https://user:PASSW0RD@example.com', 33],
    ['me@example.com', 14],
    ['@example.com', 12],
    ['#example.com $example.com', 25],
    ['ftp://www.example.com/', 22],
    ['file.txt and e.g. this', 22],
    ['See example.com.', 28],
    ['(http://en.wikipedia.org/wiki/A_(b))', 25],
    ['http://example.com/a_(b', 25],
    ['http://example.com/Русские_слова', 23],
    ['foo.co.jp', 23],
    ['日本example.com日本', 31],
    ['http://☃.net/', 23],
    ['http://☃-.net/', 15],
    ['http://www.domain-.com/', 23],
    ['example.com?a=b', 27],
    ['example.com/?a=b', 23],
    ['http://t.co/abc.def', 27],
    ['a.com b.org', 47],
    ['HTTPS://WWW.EXAMPLE.COM/X', 23],
    ['https://example.みんな', 23],
  ]
  for (const [text, length] of conformance)
    it(`counts ${JSON.stringify(text.slice(0, 40))} as ${length} on X`, () => {
      assert.equal(countCaption('x', text), length)
    })

  it('lets a server of Mastodon say what an address counts', () => {
    assert.equal(countCaption('mastodon', 'See https://example.com/long', { urlLength: 10 }), 14)
  })

  it('counts texts that are put together as the sum of their parts', () => {
    const parts = ['日本', FAMILY, 'https://example.com/x', 'word', 'example.org', '©️', '“quote”', '🇫🇷', 'é']
    for (const count of captionCounts)
      for (const one of parts)
        for (const other of parts)
          assert.equal(
            countCaption(count, `${one} ${other}`),
            countCaption(count, one) + 1 + countCaption(count, other),
            `${count}: ${one} ${other}`,
          )
  })

  it('counts graphemes as Unicode does, whatever stands beside what', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
    const parts = ['a', 'é', 'e\u0301', '日', 'か\u3099', '\r', '\n', '한', 'ᄀ', 'ᅡ', 'क', '्', 'ष', '\u0600', 'ำ']
    const signs = [FAMILY, '\u200D', '\uFE0F', '🇩', '👍', '🏽', '…', '\uD83D', '\u00AD', ' ']
    for (const one of [...parts, ...signs])
      for (const two of [...parts, ...signs])
        for (const three of [...parts, ...signs]) {
          const text = one + two + three
          assert.equal(countCaption('mastodon', text), [...segmenter.segment(text)].length, JSON.stringify(text))
        }
  })

  it('reads every character a bounded number of times, whatever is written', () => {
    // A second look at each rest of a text would not end within the time of a test.
    for (const part of [
      'a.',
      'a-',
      'http://',
      'a.com/(',
      '日.',
      '日',
      '(a',
      'x.co',
      'http://日',
      '_.com',
      '@a@b.',
      'e\u0301',
      '👍\u200D',
      '#️⃣',
    ])
      for (const count of captionCounts) assert.ok(countCaption(count, part.repeat(20_000)) > 0)
  })
})
