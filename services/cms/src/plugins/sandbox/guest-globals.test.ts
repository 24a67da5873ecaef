import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createContext, runInContext, runInThisContext } from 'node:vm'
import { guestText } from './guest-text.ts'
import { guestUrl } from './guest-url.ts'

/** A realm that has none of them by itself, as QuickJS. */
const realm = createContext({})
const ask = (code: string): unknown => JSON.parse(String(runInContext(`JSON.stringify(${code})`, realm)))
runInContext(`(${guestText})(); (${guestUrl})()`, realm)

const MEMBERS = ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port'] as const
const MORE = ['pathname', 'search', 'hash'] as const
const all = [...MEMBERS, ...MORE]

const ours = (url: string, base?: string) => {
  const args = [url, base].filter((arg) => arg !== undefined).map((arg) => JSON.stringify(arg))
  return ask(`(() => { try { const u = new URL(${args.join(', ')}); return ${JSON.stringify(all)}.map((name) => u[name]) }
    catch { return 'refused' } })()`)
}
const nodes = (url: string, base?: string) => {
  if (!URL.canParse(url, base)) return 'refused'
  const parsed = new URL(url, base)
  return all.map((name) => parsed[name])
}

describe('URL of the sandbox', () => {
  const absolute = [
    'https://example.com',
    'HTTPS://User:pa%20ss@EXAMPLE.com:443/a/../b/./c?x=1&y=a b#frag ment',
    'http://example.com:8080/%7Efoo/ü?q=ü#ü',
    'https:example.com/x',
    'https:/example.com/x',
    'https:\\\\example.com\\x\\y',
    ' https://example.com/a\tb\nc ',
    'https://example.com/a//b///',
    'https://example.com/..',
    'https://example.com/a/b/..',
    'https://example.com/%2e%2E/x',
    'https://example.com?x',
    'https://example.com/?a=\'b\'&c="d"',
    'https://[::1]:8080/x',
    'https://127.1/',
    'https://0x7f.0.0.1/',
    'https://2130706433/',
    'https://192.168.0.257/',
    'https://exa mple.com/',
    'https://exa%23mple.com/',
    'https://example.com:99999/',
    'https://example.com:80a/',
    'https://',
    'https://:80/',
    'mailto:someone@example.com?subject=x y',
    'data:text/plain,hello',
    'nothing',
    '',
    '//example.com',
    'ftp://example.com:21/x',
    'https://a@b@c/',
    'https://example.com/{x}^`|',
  ]
  for (const url of absolute)
    test(`reads ${JSON.stringify(url)} as Node does`, () => {
      assert.deepEqual(ours(url), nodes(url))
    })

  const relative = [
    'x',
    '/x',
    '?y=1',
    '#z',
    '',
    '../up',
    './same',
    '//other.example/p',
    'https://abs.example',
    'a/b/../c?d#e',
  ]
  for (const url of relative)
    test(`resolves ${JSON.stringify(url)} as Node does`, () => {
      const base = 'https://user@example.com:8443/one/two?three#four'
      assert.deepEqual(ours(url, base), nodes(url, base))
    })

  test('changes with its members and its parameters', () => {
    const work = `(() => { const u = new URL('https://example.com/a?x=1&x=2&y=%20+'); u.searchParams.append('z', 'ä&b');
      u.searchParams.set('x', '3'); u.pathname = 'b c'; u.hash = 'h'; u.port = '444'; const first = u.href;
      u.search = '?only=1'; u.searchParams.delete('only'); return [first, u.href, JSON.stringify({ u })] })()`
    assert.deepEqual(ask(work), JSON.parse(JSON.stringify(runInThisContext(work))))
  })

  test('has parameters like those of Node', () => {
    const work = `(() => { const p = new URLSearchParams('?a=1&b=2&a=3&=x&y&%zz=%C3%28&plus=a+b');
      const q = new URLSearchParams({ one: 1, two: 'ü' }); const r = new URLSearchParams([['k', 'v'], ['k', '']]);
      p.sort(); return [String(p), p.get('a'), p.getAll('a'), p.has('none'), p.has('a', '3'), p.size, [...q], [...r.keys()],
        String(new URLSearchParams("!'()~*-._ +&=")), String(new URLSearchParams(q)), p.get('none')] })()`
    assert.deepEqual(ask(work), JSON.parse(JSON.stringify(runInThisContext(work))))
  })
})

describe('TextEncoder and TextDecoder of the sandbox', () => {
  test('write and read UTF-8 as Node does', () => {
    for (const text of ['', 'plain', 'Æøå', '€', '👩‍👩‍👧', '\ud800x', '\ufeffmark']) {
      const bytes = ask(`[...new TextEncoder().encode(${JSON.stringify(text)})]`)
      assert.deepEqual(bytes, [...new TextEncoder().encode(text)], JSON.stringify(text))
      assert.equal(
        ask(`new TextDecoder().decode(new Uint8Array(${JSON.stringify(bytes)}))`),
        new TextDecoder().decode(new TextEncoder().encode(text)),
      )
    }
  })

  test('put the same characters in the place of what is not UTF-8', () => {
    const cases = [
      [0xff],
      [0xc3],
      [0xc0, 0x80],
      [0xe2, 0x82],
      [0xe0, 0x80, 0x80],
      [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
      [0xf0, 0x9f, 0x41],
    ]
    for (const bytes of cases) {
      const decoded = ask(`new TextDecoder().decode(new Uint8Array(${JSON.stringify(bytes)}))`)
      assert.equal(decoded, new TextDecoder().decode(new Uint8Array(bytes)), String(bytes))
    }
    assert.throws(() => ask(`new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255]))`))
    assert.throws(() => ask(`new TextDecoder('latin1')`))
  })
})
