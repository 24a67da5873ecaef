import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseEmail } from './email.ts'

describe('parseEmail', () => {
  const accepted = [
    ['Ann@Example.TEST', 'ann@example.test'],
    ['  ann@example.test\n', 'ann@example.test'],
    ["o'neil+news@sub.example.test", "o'neil+news@sub.example.test"],
    ['ann@münchen.test', 'ann@xn--mnchen-3ya.test'],
    ['ann@MÜNCHEN.test', 'ann@xn--mnchen-3ya.test'],
    ['a@b.c', 'a@b.c'],
  ]
  for (const [given = '', expected] of accepted)
    test(`'${given.trim()}' is read as ${expected}`, () => assert.equal(parseEmail(given), expected))

  const refused = [
    '',
    'ann',
    'ann@',
    '@example.test',
    'ann@localhost',
    'ann@@example.test',
    'a nn@example.test',
    'ann@exa mple.test',
    '.ann@example.test',
    'ann.@example.test',
    'a..n@example.test',
    'ann@-example.test',
    'ann@example..test',
    'ann@example.test.',
    'ann@127.0.0.1',
    'ann@１.２.３.４',
    'ann@[127.0.0.1]',
    '"ann"@example.test',
    'ann@example.test\r\nBcc: x@example.test',
    'ann@example.test, bob@example.test',
    'ann@example.test/path',
    'ann@müller.test/path',
    'ann@u:p@müller.test',
    'ann\u0000@example.test',
    `${'a'.repeat(65)}@example.test`,
    `ann@${'a'.repeat(64)}.test`,
    `ann@${'a.'.repeat(130)}test`,
  ]
  for (const given of refused)
    test(`${JSON.stringify(given.slice(0, 40))} is no address`, () => assert.equal(parseEmail(given), null))

  test('a letter that only becomes ASCII in lower case is not taken for one', () => {
    assert.equal('\u212Aate'.toLowerCase(), 'kate')
    assert.equal(parseEmail('\u212Aate@example.test'), null)
  })

  test('what comes out is read as itself', () => {
    for (const [given = ''] of accepted) {
      const once = parseEmail(given)
      assert.equal(parseEmail(once ?? ''), once)
    }
  })
})
