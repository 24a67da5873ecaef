import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { acceptedEncoding, variantsOf } from './compression.ts'

describe('the encoding of an answer', () => {
  for (const [accepted, expected] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['GZIP ; q=0.5', 'gzip'],
    ['br;q=0.1, gzip;q=0.9', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.000', null],
    ['identity, br;q=0.5', null],
    ['identity;q=0.5, br;q=0.5', 'br'],
    ['*', null],
    ['brotli, x-br', null],
    ['deflate', null],
    ['br;q=nonsense', 'br'],
    ['', null],
    [undefined, null],
    [`${'a,'.repeat(10_000)}br`, null],
  ] as const)
    test(`for "${accepted?.slice(0, 40)}" is ${expected ?? 'none'}`, () =>
      assert.equal(acceptedEncoding(accepted), expected))
})

describe('variants of a body', () => {
  const body = JSON.stringify({ items: Array.from({ length: 100 }, (_, index) => ({ index })) })
  const options = { contentType: 'application/json', etag: '"abc"', headers: { 'x-own': '1' } }
  const ask = (accepted: string, etag?: string) => ({
    headers: { 'accept-encoding': accepted, ...(etag !== undefined && { 'if-none-match': etag }) },
  })

  test('are made once each, counted, and have validators of their own', async () => {
    const kept: number[] = []
    const variants = variantsOf(body, options, (bytes) => kept.push(bytes))
    const [br, again] = await Promise.all([variants.answer(ask('br')), variants.answer(ask('br'))])
    assert.equal(br, again)
    assert.equal(await variants.answer(ask('br')), br)
    const gzip = await variants.answer(ask('gzip'))
    assert.ok(br.body instanceof Buffer && gzip.body instanceof Buffer)
    assert.equal(brotliDecompressSync(br.body).toString(), body)
    assert.equal(gunzipSync(gzip.body).toString(), body)
    assert.deepEqual(kept, [br.body.length, gzip.body.length])
    assert.deepEqual(
      [br, gzip, variants.plain].map((variant) => variant.options.etag),
      ['"abc-br"', '"abc-gzip"', '"abc"'],
    )
    assert.deepEqual(br.options.headers, { 'x-own': '1', 'content-encoding': 'br' })
    assert.equal(await variants.answer(ask('identity')), variants.plain)
  })

  test('are not made for a client that has them', async () => {
    const kept: number[] = []
    const variants = variantsOf(body, options, (bytes) => kept.push(bytes))
    const fresh = await variants.answer(ask('br', '"abc-br"'))
    assert.deepEqual([fresh.body, fresh.options.etag, kept], [null, '"abc-br"', []])
    assert.ok((await variants.answer(ask('br', '"abc"'))).body instanceof Buffer)
  })

  test('of a short body are the body itself', async () => {
    const short = variantsOf('{}', options)
    assert.equal(await short.answer(ask('br')), short.plain)
  })
})
