import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { AwsV4Signer } from 'aws4fetch'
import { type FakeS3, startFakeS3 } from './fake-s3.ts'
import { computeSignature, type SigV4Rules, verifySigV4 } from './sigv4.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe('the signature check', () => {
  const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
  const empty = sha256('')
  // "Example: GET Object" of AWS's Signature Version 4 documentation for S3.
  const request = (signature: string, range = 'bytes=0-9') => ({
    method: 'GET',
    target: '/test.txt',
    rawHeaders: [
      ...['Host', 'examplebucket.s3.amazonaws.com', 'Range', range, 'x-amz-content-sha256', empty],
      ...['x-amz-date', '20130524T000000Z', 'Authorization'],
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,' +
        `SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=${signature}`,
    ],
  })
  const published = 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41'
  const rules: SigV4Rules = {
    secretOf: (key: string) => (key === 'AKIAIOSFODNN7EXAMPLE' ? secret : undefined),
    region: 'us-east-1',
    service: 's3',
    now: new Date('2013-05-24T00:00:00Z'),
  }

  test("accepts AWS's published GET Object example and computes its signature", () => {
    assert.equal(verifySigV4(request(published), rules), null)
    const scope = { secret, date: '20130524T000000Z', region: 'us-east-1', service: 's3' }
    const signedNames = ['host', 'range', 'x-amz-content-sha256', 'x-amz-date']
    assert.equal(computeSignature(request(published), { ...scope, signedNames }), published)
  })

  test("computes AWS's published PUT Object and List Objects signatures", () => {
    const scope = { secret, date: '20130524T000000Z', region: 'us-east-1', service: 's3' }
    const put = {
      method: 'PUT',
      target: '/test%24file.text',
      rawHeaders: [
        ...['Date', 'Fri, 24 May 2013 00:00:00 GMT', 'Host', 'examplebucket.s3.amazonaws.com'],
        ...['x-amz-content-sha256', sha256('Welcome to Amazon S3.'), 'x-amz-date', '20130524T000000Z'],
        ...['x-amz-storage-class', 'REDUCED_REDUNDANCY'],
      ],
    }
    const putNames = ['date', 'host', 'x-amz-content-sha256', 'x-amz-date', 'x-amz-storage-class']
    assert.equal(
      computeSignature(put, { ...scope, signedNames: putNames }),
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    )
    const list = {
      method: 'GET',
      target: '/?max-keys=2&prefix=J',
      rawHeaders: [
        'Host',
        'examplebucket.s3.amazonaws.com',
        'x-amz-content-sha256',
        empty,
        'x-amz-date',
        '20130524T000000Z',
      ],
    }
    assert.equal(
      computeSignature(list, { ...scope, signedNames: ['host', 'x-amz-content-sha256', 'x-amz-date'] }),
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    )
  })

  test('refuses any change, with the code that S3 gives', () => {
    const code = (signed: ReturnType<typeof request>, changed: Partial<SigV4Rules> = {}) =>
      verifySigV4(signed, { ...rules, ...changed })?.code
    assert.equal(code(request(published.replace('f', 'e'))), 'SignatureDoesNotMatch')
    assert.equal(code(request(published, 'bytes=0-8')), 'SignatureDoesNotMatch')
    assert.equal(code({ ...request(published), target: '/test.txt?x' }), 'SignatureDoesNotMatch')
    assert.equal(code({ ...request(published), method: 'HEAD' }), 'SignatureDoesNotMatch')
    assert.equal(code(request(published), { secretOf: () => 'another' }), 'SignatureDoesNotMatch')
    assert.equal(code(request(published), { secretOf: () => undefined }), 'InvalidAccessKeyId')
    assert.equal(code(request(published), { region: 'eu-west-1' }), 'AuthorizationHeaderMalformed')
    assert.equal(code(request(published), { now: new Date('2013-05-24T00:15:01Z') }), 'RequestTimeTooSkewed')
    assert.equal(code(request(published), { now: new Date('2013-05-24T00:14:59Z') }), undefined)
    assert.equal(
      code({ ...request(published), rawHeaders: request(published).rawHeaders.slice(0, -2) }),
      'AccessDenied',
    )
    const unsigned = {
      ...request(published),
      rawHeaders: [...request(published).rawHeaders, 'x-amz-acl', 'public-read'],
    }
    assert.equal(code(unsigned), 'AccessDenied')
  })
})

describe('the server', () => {
  let s3: FakeS3
  before(async () => {
    s3 = await startFakeS3({ pageSize: 2 })
  })
  after(() => s3.close())
  beforeEach(() => {
    s3.objects.clear()
    s3.requests.length = 0
  })

  type Call = {
    method?: string
    body?: string
    headers?: Record<string, string>
    secretKey?: string
    hash?: string
    datetime?: string
  }
  const call = async (
    path: string,
    { method = 'GET', body = '', headers = {}, secretKey, hash, datetime }: Call = {},
  ) => {
    const signer = new AwsV4Signer({
      url: `${s3.endpoint}${path}`,
      method,
      headers: { 'x-amz-content-sha256': hash ?? sha256(body), ...headers },
      accessKeyId: s3.accessKey,
      secretAccessKey: secretKey ?? s3.secretKey,
      region: s3.region,
      service: 's3',
      ...(datetime && { datetime }),
    })
    const signed = await signer.sign()
    const response = await fetch(signed.url, { method, headers: signed.headers, ...(body && { body }) })
    return { status: response.status, text: await response.text(), headers: response.headers }
  }
  const codeOf = ({ text }: { text: string }) => /<Code>(\w+)</.exec(text)?.[1]

  test('stores, gives, describes and deletes objects', async () => {
    assert.equal((await call('/bucket/a/b%20c', { method: 'PUT', body: 'hello' })).status, 200)
    assert.equal(s3.objects.get('a/b c')?.bytes.toString(), 'hello')
    const got = await call('/bucket/a/b%20c')
    assert.deepEqual(
      [got.status, got.text, got.headers.get('etag')],
      [200, 'hello', '"5d41402abc4b2a76b9719d911017c592"'],
    )
    const head = await call('/bucket/a/b%20c', { method: 'HEAD' })
    assert.deepEqual([head.status, head.headers.get('content-length'), head.text], [200, '5', ''])
    assert.equal((await call('/bucket/a/b%20c', { method: 'DELETE' })).status, 204)
    assert.equal(codeOf(await call('/bucket/a/b%20c')), 'NoSuchKey')
    assert.equal(s3.objects.size, 0)
    assert.equal((await call('/bucket/a/b%20c', { method: 'DELETE' })).status, 204)
  })

  test('gives ranges', async () => {
    await call('/bucket/x', { method: 'PUT', body: '0123456789' })
    const part = async (range: string) => {
      const { status, text, headers } = await call('/bucket/x', { headers: { range } })
      return status === 206 ? `${text} ${headers.get('content-range')}` : status
    }
    assert.equal(await part('bytes=2-4'), '234 bytes 2-4/10')
    assert.equal(await part('bytes=8-'), '89 bytes 8-9/10')
    assert.equal(await part('bytes=-3'), '789 bytes 7-9/10')
    assert.equal(await part('bytes=5-100'), '56789 bytes 5-9/10')
    assert.equal(await part('bytes=10-'), 416)
    assert.equal(await part('bytes=4-2'), 416)
  })

  test('lists by prefix in pages', async () => {
    for (const key of ['p/3', 'p/1', 'q/1', 'p/2']) await call(`/bucket/${key}`, { method: 'PUT', body: key })
    const first = await call('/bucket?list-type=2&prefix=p%2F')
    assert.deepEqual(
      [...first.text.matchAll(/<Key>(.*?)</g)].map(([, key]) => key),
      ['p/1', 'p/2'],
    )
    const token = /<NextContinuationToken>(.*?)</.exec(first.text)?.[1] ?? ''
    const second = await call(`/bucket?list-type=2&prefix=p%2F&continuation-token=${token}`)
    assert.deepEqual(
      [...second.text.matchAll(/<Key>(.*?)</g)].map(([, key]) => key),
      ['p/3'],
    )
    assert.match(second.text, /<IsTruncated>false</)
  })

  test('refuses wrong keys, wrong hashes, old dates and other buckets, and changes nothing', async () => {
    const put = { method: 'PUT', body: 'new' }
    await call('/bucket/x', { method: 'PUT', body: 'old' })
    assert.equal(codeOf(await call('/bucket/x', { ...put, secretKey: 'wrong' })), 'SignatureDoesNotMatch')
    assert.equal(codeOf(await call('/bucket/x', { ...put, hash: sha256('other') })), 'XAmzContentSHA256Mismatch')
    assert.equal(codeOf(await call('/bucket/x', { ...put, hash: 'UNSIGNED-PAYLOAD' })), 'XAmzContentSHA256Mismatch')
    assert.equal(codeOf(await call('/bucket/x', { ...put, datetime: '20130524T000000Z' })), 'RequestTimeTooSkewed')
    assert.equal(codeOf(await call('/other/x', put)), 'NoSuchBucket')
    assert.equal((await call('/bucket/x?acl', put)).status, 501)
    assert.equal((await fetch(`${s3.endpoint}/bucket/x`)).status, 403)
    assert.equal(s3.objects.get('x')?.bytes.toString(), 'old')
    assert.equal(s3.objects.size, 1)
  })

  test('an upload that is cut stores nothing', async () => {
    const socket = connect(Number(new URL(s3.endpoint).port), '127.0.0.1')
    socket.on('error', () => socket.destroy())
    await once(socket, 'connect')
    socket.write('PUT /bucket/x HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf')
    socket.destroy()
    await once(socket, 'close')
    assert.equal((await call('/bucket/x')).status, 404)
    assert.equal(s3.objects.size, 0)
  })

  test('fails as scripted: a status, a delay, a cut before and after the effect', async () => {
    s3.fail({ status: 503, times: 2 })
    assert.equal((await call('/bucket/x', { method: 'PUT', body: 'a' })).status, 503)
    assert.equal((await call('/bucket/x', { method: 'PUT', body: 'a' })).status, 503)
    assert.equal(s3.objects.size, 0)
    assert.equal((await call('/bucket/x', { method: 'PUT', body: 'a' })).status, 200)

    s3.fail({ cut: 'before', match: ({ method, key }) => method === 'PUT' && key === 'y' })
    assert.equal((await call('/bucket/x')).status, 200)
    await assert.rejects(call('/bucket/y', { method: 'PUT', body: 'a' }))
    assert.equal(s3.objects.has('y'), false)

    s3.fail({ cut: 'after' })
    await assert.rejects(call('/bucket/y', { method: 'PUT', body: 'a' }))
    assert.equal(s3.objects.has('y'), true)

    await call('/bucket/z', { method: 'PUT', body: 'z'.repeat(1000) })
    s3.fail({ cut: 'after', match: ({ method }) => method === 'GET' })
    await assert.rejects(call('/bucket/z'))

    const start = performance.now()
    s3.fail({ delayMs: 50 })
    assert.equal((await call('/bucket/z')).text.length, 1000)
    assert.ok(performance.now() - start >= 45)
    assert.equal(s3.requests.filter(({ status }) => status === 'cut').length, 3)
  })
})
