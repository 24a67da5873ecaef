import assert from 'node:assert/strict'
import { get as httpGet, type IncomingHttpHeaders } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type DeliverySite, type Reader, startDelivery } from './testing/site.ts'

let site: DeliverySite
let reader: Reader
before(async () => {
  site = await startDelivery()
  reader = await site.reader()
  await site.addType('page', [{ key: 'body', type: 'textarea' }])
  await site.live({ type: 'page', title: 'Long', data: { body: 'many words '.repeat(500) } })
})
after(() => site.close())

type Raw = { status: number; headers: IncomingHttpHeaders; bytes: Buffer }
/** Over a socket, because `fetch` decodes. */
const raw = (path: string, headers: Record<string, string>): Promise<Raw> =>
  new Promise((resolve, reject) => {
    httpGet(`${site.url}${path}`, { headers: { 'x-api-key': reader.key, ...headers } }, async (response) => {
      const bytes = Buffer.concat(await Array.fromAsync(response))
      resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes })
    }).on('error', reject)
  })

describe('delivery and the description of the API', () => {
  for (const path of ['/content/page', '/content/page/long', '/openapi.json'])
    test(`${path} is sent in br, gzip or as it is, each with a strong validator that answers 304`, async () => {
      const plain = await raw(path, {})
      assert.equal(plain.headers['content-encoding'], undefined)
      const br = await raw(path, { 'accept-encoding': 'gzip, deflate, br' })
      const gzip = await raw(path, { 'accept-encoding': 'gzip' })
      assert.deepEqual([br.headers['content-encoding'], gzip.headers['content-encoding']], ['br', 'gzip'])
      assert.deepEqual(brotliDecompressSync(br.bytes), plain.bytes)
      assert.deepEqual(gunzipSync(gzip.bytes), plain.bytes)
      assert.ok(br.bytes.length < plain.bytes.length / 2)
      assert.equal(Number(br.headers['content-length']), br.bytes.length)
      const etags = [plain, br, gzip].map(({ headers }) => headers.etag ?? '')
      assert.equal(new Set(etags).size, 3)
      for (const etag of etags) assert.match(etag, /^"[\w-]+"$/)
      for (const { headers } of [plain, br, gzip]) assert.match(headers.vary ?? '', /Accept-Encoding/)
      for (const [accepted, etag = ''] of [
        ['', etags[0]],
        ['br', etags[1]],
        ['gzip', etags[2]],
      ] as const) {
        const again = await raw(path, { 'accept-encoding': accepted, 'if-none-match': etag })
        assert.deepEqual([again.status, again.bytes.length, again.headers.etag], [304, 0, etag])
      }
      const other = await raw(path, { 'accept-encoding': 'br', 'if-none-match': etags[0] ?? '' })
      assert.deepEqual([other.status, other.headers.etag], [200, etags[1]])
    })

  test('a change is seen at once in every encoding', async () => {
    const before = await raw('/content/page/long', { 'accept-encoding': 'br' })
    const { id } = JSON.parse(brotliDecompressSync(before.bytes).toString())
    await site.editor.client.put(`/api/entries/${id}`, { data: { body: 'other words '.repeat(500) } })
    for (const accepted of ['br', 'gzip', '']) {
      const after = await raw('/content/page/long', {
        'accept-encoding': accepted,
        'if-none-match': before.headers.etag ?? '',
      })
      assert.equal(after.status, 200)
    }
    const after = await raw('/content/page/long', { 'accept-encoding': 'br' })
    assert.match(brotliDecompressSync(after.bytes).toString(), /other words/)
  })
})
