import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type FieldActionName, fieldActionNames } from '@stoa/cms-model/assistant.ts'
import type { FieldKind } from './clean.ts'
import { flagsOf } from './flags.ts'

type Case = readonly [FieldActionName, FieldKind, before: string, after: string, flags: readonly string[]]

const ID = '0190a1b2-0000-7000-8000-000000000001'
const link = (href: string, text: string) => `<p><a href="${href}">${text}</a></p>`

const cases: readonly Case[] = [
  ['rewrite', 'text', 'From 9 to 17', 'From 9 until 17', []],
  ['rewrite', 'text', 'From 9 to 17', 'From 9 to 18', ['numbers']],
  ['rewrite', 'text', 'It has 3 rooms', 'It has rooms', ['numbers']],
  ['fix', 'text', 'Costs 1,000.50', 'Costs 1.000,50', ['numbers']],
  ['translate', 'text', 'Costs 1,000.50', 'Kostet 1.000,50', []],
  ['translate', 'text', 'In 2026', 'عام ٢٠٢٦', []],
  ['translate', 'text', 'In 2026', 'عام ٢٠٢٧', ['numbers']],
  ['translate', 'text', 'Hello {name}, {{count}} new', 'Hallo {name}, {{count}} neue', []],
  ['translate', 'text', 'Hello {name}', 'Hallo {Name}', ['placeholders']],
  ['translate', 'text', 'Hello {0}', 'Hallo', ['placeholders']],
  ['translate', 'text', 'See https://a.example/x.', 'Siehe https://a.example/x!', []],
  ['translate', 'text', 'See https://a.example/x', 'Siehe https://a.example/y', ['links']],
  ['tone', 'text', 'Write to Ada@a.example', 'Do write to ada@a.example', []],
  ['tone', 'text', 'Write to ada@a.example', 'Write to adam@a.example', ['emails']],
  ['shorten', 'text', '3 boats, 5 quays', '3 boats', []],
  ['shorten', 'text', '3 boats, 5 quays', '4 boats', ['numbers']],
  ['summarise', 'textarea', 'Long https://a.example', 'Short', []],
  ['title', 'textarea', 'Long', 'Top 10', ['numbers']],
  ['expand', 'textarea', 'Boats', '40 boats', ['numbers']],
  ['custom', 'text', '3 boats', '3 ships', []],
  ['rewrite', 'markdown', '[a](/x)', '[b](/x)', []],
  ['rewrite', 'markdown', '[a](/x)', '[b](/y)', ['links']],
  ['translate', 'richtext', link('/a', 'One'), link('/a', 'Eins'), []],
  ['translate', 'richtext', link('/a', 'One'), link('/b', 'Eins'), ['links']],
  ['translate', 'richtext', link('/a', 'One'), '<p>Eins</p>', ['formatting', 'links']],
  [
    'translate',
    'richtext',
    `<p><a href="/a" data-entry-id="${ID}">One</a></p>`,
    '<p><a href="/a">Eins</a></p>',
    ['links'],
  ],
  ['fix', 'richtext', '<p>a <strong>b</strong></p>', '<p>a <em>b</em></p>', ['formatting']],
  ['fix', 'richtext', '<p>a <strong>b</strong> c</p>', '<p><strong>a</strong> b c</p>', []],
  ['shorten', 'richtext', '<p>a</p><p>b</p>', '<p>a</p>', []],
  ['expand', 'richtext', '<p>a</p>', '<p>a</p><p>b</p>', []],
  ['fix', 'formatted', 'a <i>b</i>', 'a b', ['formatting']],
  ['title', 'select', '2 news', 'News', []],
  ['custom', 'text', '', 'In 2026', []],
  ['alt', 'text', 'Old 2', 'New 3', []],
]

describe('what to look at before a suggestion is used', () => {
  for (const [action, kind, before, after, flags] of cases)
    test(`${action} of ${kind}: ${before} → ${after}`, () =>
      assert.deepEqual(flagsOf({ action, kind, before, after, isPart: false }), flags))

  test('a part of rich text keeps its tags, whatever is asked for', () => {
    const change = { kind: 'richtext', before: '<p>a</p><p>b</p>', after: '<p>a</p>' } as const
    for (const action of ['shorten', 'summarise', 'rewrite'] as const)
      assert.deepEqual(flagsOf({ action, ...change, isPart: true }), ['formatting'])
  })

  test('what a person asks for is no surprise', () => {
    const change = { action: 'custom', kind: 'text', before: 'Open until 17', isPart: false } as const
    const instruction = 'We are open until 18 now'
    assert.deepEqual(flagsOf({ ...change, after: 'Open until 18', instruction }), [])
    assert.deepEqual(flagsOf({ ...change, after: 'Open until 19', instruction }), ['numbers'])
    assert.deepEqual(flagsOf({ ...change, after: 'Open', instruction }), ['numbers'])
  })

  test('the same text has none', () => {
    const before = `<p>On 3.4. {name} wrote to <a href="mailto:a@b.example">a@b.example</a>, www.a.example</p>`
    for (const action of fieldActionNames)
      assert.deepEqual(flagsOf({ action, kind: 'richtext', before, after: before, isPart: true }), [])
  })
})
