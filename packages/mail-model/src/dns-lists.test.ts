import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { allowlists, blocklists, formatDnsList, matchesCodes, parseDnsList } from './dns-lists.ts'

describe('a DNS list', () => {
  for (const [given, wanted] of [
    ['zen.example.org', 'zen.example.org'],
    [' Zen.Example.ORG. ', 'zen.example.org'],
    ['zen.example.org*4', 'zen.example.org*4'],
    ['zen.example.org*2.5', 'zen.example.org*2.5'],
    ['zen.example.org * reject', 'zen.example.org*reject'],
    ['zen.example.org = 127.0.0.[2..4;10;11] * 3', 'zen.example.org=127.0.0.[2..4;10;11]*3'],
    ['multi.example.org&0.0.0.12*2', 'multi.example.org&0.0.0.12*2'],
  ] as const)
    test(`“${given}” is written ${wanted}`, () => {
      const list = parseDnsList(given)
      assert.equal(list && formatDnsList(list), wanted)
    })

  for (const wrong of [
    '',
    'zen',
    'https://zen.example.org',
    'zen.example.org*0',
    'zen.example.org*99',
    'zen.example.org*-3',
    'zen.example.org=127.0.0',
    'zen.example.org=127.0.0.256',
    'zen.example.org=127.0.0.[4..2]',
    'zen.example.org=127.0.0.[]',
    'zen.example.org&0.0.0.0',
    'zen.example.org=127.0.0.2&0.0.0.2',
    `${'a.'.repeat(200)}example.org`,
  ])
    test(`“${wrong.slice(0, 40)}” is none`, () => assert.equal(parseDnsList(wrong), null))

  test('counts answers by their numbers or by their bits', () => {
    const counts = (list: string, answer: string) => matchesCodes(parseDnsList(list)?.codes ?? null, answer)
    assert.equal(counts('x.example', '127.0.0.9'), true)
    assert.deepEqual(
      ['127.0.0.1', '127.0.0.2', '127.0.0.4', '127.0.0.10', '127.0.1.2'].map((answer) =>
        counts('x.example=127.0.0.[2..4;10]', answer),
      ),
      [false, true, true, true, false],
    )
    assert.deepEqual(
      ['127.0.0.2', '127.0.0.4', '127.0.0.6'].map((answer) => counts('x.example&0.0.0.4', answer)),
      [false, true, true],
    )
  })

  test('is taken once, with nine others at most, and rejects only as a blocklist', () => {
    assert.deepEqual(blocklists.parse(['b.example.org', 'B.example.org.']), ['b.example.org'])
    const eleven = Array.from({ length: 11 }, (_, nth) => `l${nth}.example.org`)
    assert.equal(blocklists.safeParse(eleven).success, false)
    assert.equal(blocklists.safeParse(['b.example.org*reject']).success, true)
    assert.equal(allowlists.safeParse(['w.example.org*reject']).success, false)
    assert.equal(allowlists.safeParse('w.example.org').success, false)
  })
})
