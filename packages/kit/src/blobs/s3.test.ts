import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { keysOf, type ObjectBench, openObjectBench, readBlob } from '@stoa/tests/lib/blob-drivers.ts'
import type { FakeS3 } from '@stoa/tests/lib/fake-s3.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { Fault } from '../errors.ts'
import { Secret } from '../secret.ts'
import { BlobError, type Blobs, blobPath } from './blobs.ts'
import { openObjectBlobs } from './s3.ts'

const limit = { maxBytes: 8 * 2 ** 20 }
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const isFault = (kind: string) => (error: unknown) => error instanceof Fault && error.kind === kind

const bytes = Buffer.from('content that must arrive whole '.repeat(1000))
const key = sha256(bytes)

describe('the object driver and a store that fails', () => {
  let bench: ObjectBench
  let s3: FakeS3
  let blobs: Blobs
  beforeEach(async () => {
    bench = await openObjectBench()
    s3 = bench.s3
    blobs = bench.blobs
  })
  afterEach(() => bench.close())

  test('errors, cuts before and after the effect are tried again, for each operation', async () => {
    s3.fail({ status: 503 })
    s3.fail({ cut: 'before' })
    s3.fail({ cut: 'after' })
    assert.equal((await blobs.put(bytes, limit)).key, key)
    assert.deepEqual(
      s3.requests.filter(({ method }) => method === 'PUT').map(({ status }) => status),
      [503, 'cut', 'cut', 200],
    )
    s3.fail({ status: 500, times: 2 })
    assert.ok((await readBlob(blobs, key)).equals(bytes))
    s3.fail({ status: 429 })
    assert.equal((await blobs.head(key))?.size, bytes.length)
    s3.fail({ cut: 'after' })
    assert.deepEqual(await keysOf(blobs), [key])
    s3.fail({ cut: 'after' })
    await blobs.delete(key)
    assert.equal(s3.objects.size, 0)
  })

  test('a store that stays away is unavailable, and the upload leaves no file', async () => {
    s3.fail({ status: 503, times: 100 })
    await assert.rejects(blobs.put(bytes, limit), isFault('unavailable'))
    await assert.rejects(blobs.get(key), isFault('unavailable'))
    await assert.rejects(blobs.head(key), isFault('unavailable'))
    await assert.rejects(keysOf(blobs), isFault('unavailable'))
    assert.equal(s3.requests.length, 16)
    const gone = await openObjectBlobs({ ...bench.options, endpoint: 'http://127.0.0.1:1' })
    await assert.rejects(gone.put(bytes, limit), isFault('unavailable'))
    await gone.close()
    assert.deepEqual(bench.leftovers(), [])
  })

  test('a read that is cut in the middle ends with unavailable, not as if it were whole', async () => {
    await blobs.put(bytes, limit)
    for (const range of [undefined, { start: 10, end: 20_000 }]) {
      s3.fail({ cut: 'after', match: ({ method }) => method === 'GET' })
      await assert.rejects(readBlob(blobs, key, range), isFault('unavailable'))
    }
    assert.ok((await readBlob(blobs, key)).equals(bytes))
  })

  test('wrong credentials, region or bucket are refused with a hint, and no secret in it', async () => {
    await blobs.put(bytes, limit)
    const wrong = { secretKey: new Secret('planted') }
    for (const change of [wrong, { accessKey: 'other' }, { region: 'eu-1' }, { bucket: 'other' }]) {
      const other = await openObjectBlobs({ ...bench.options, ...change })
      const isHint = (error: unknown) =>
        error instanceof BlobError &&
        error.problem === 'refused' &&
        /OBJECT_\*/.test(error.message) &&
        !/planted/.test(error.message)
      await assert.rejects(other.put(Buffer.from('new'), limit), isHint)
      await assert.rejects(other.get(key), isHint)
      await assert.rejects(keysOf(other), isHint)
      await other.close()
    }
    assert.equal(s3.objects.size, 1)
    assert.deepEqual(bench.leftovers(), [])
  })

  test('objects of others in the bucket are neither listed nor swept', async () => {
    const foreign = [
      'service/blobs/readme.txt',
      `service/${blobPath(key)}`,
      `cms/blobs/${blobPath(key)}`,
      `service/blobs/zz/${key}`,
      'service/blobs/a&b<c>',
    ]
    for (const object of foreign) s3.objects.set(object, { bytes, modifiedAt: new Date(0) })
    await blobs.put(bytes, limit)
    assert.deepEqual(await keysOf(blobs), [key])
    await blobs.sweep({ keep: async () => new Set(), olderThan: new Date(Date.now() - 3_600_000) })
    assert.equal(s3.objects.size, foreign.length + 1)
  })
})

describe('a put while a sweep removes the same content', () => {
  let bench: ObjectBench
  let s3: FakeS3
  let blobs: Blobs
  beforeEach(async () => {
    bench = await openObjectBench()
    s3 = bench.s3
    blobs = bench.blobs
  })
  afterEach(() => bench.close())

  const object = `service/blobs/${blobPath(key)}`
  const putOld = async () => {
    await blobs.put(bytes, limit)
    const stored = s3.objects.get(object)
    assert.ok(stored)
    stored.modifiedAt = new Date(Date.now() - 7_200_000)
    s3.requests.length = 0
  }
  const sweep = () => blobs.sweep({ keep: async () => new Set(), olderThan: new Date(Date.now() - 3_600_000) })
  /** Waits until the store was asked for it and has not carried it out yet. */
  const hold = (method: string) => {
    const asked = Promise.withResolvers<void>()
    const carryOn = Promise.withResolvers<void>()
    s3.fail({
      match: (request) => request.method === method && request.key === object,
      until: () => {
        asked.resolve()
        return carryOn.promise
      },
    })
    return { asked: asked.promise, carryOn: carryOn.resolve }
  }

  test('is there afterwards, when it comes before the store has deleted', async () => {
    await putOld()
    const deletion = hold('DELETE')
    const swept = sweep()
    await deletion.asked
    const put = blobs.put(bytes, limit)
    await until(() => s3.requests.some(({ method, key: name }) => method === 'PUT' && name === object))
    deletion.carryOn()
    assert.equal((await swept).removed, 1)
    await put
    assert.ok((await readBlob(blobs, key)).equals(bytes))
    assert.deepEqual([...s3.objects.keys()], [object])
  })

  test('is there afterwards, when it comes before the sweep has looked at its age', async () => {
    await putOld()
    const look = hold('HEAD')
    const swept = sweep()
    await look.asked
    const put = blobs.put(bytes, limit)
    await until(() => s3.requests.some(({ method, key: name }) => method === 'PUT' && name === object))
    look.carryOn()
    assert.equal((await swept).removed, 0)
    await put
    assert.ok((await readBlob(blobs, key)).equals(bytes))
    assert.deepEqual([...s3.objects.keys()], [object])
  })

  test('does not wait for a sweep that died, whose traces the next one removes', async () => {
    await putOld()
    s3.fail({ match: ({ method, key: name }) => method === 'DELETE' && name === object, cut: 'before', times: 4 })
    await assert.rejects(sweep(), isFault('unavailable'))
    const [trace] = [...s3.objects.keys()].filter((name) => name !== object)
    assert.ok(trace)
    const marker = s3.objects.get(trace)
    assert.ok(marker)
    marker.modifiedAt = new Date(Date.now() - 600_000)
    await blobs.put(bytes, limit)
    assert.ok((await readBlob(blobs, key)).equals(bytes))
    await sweep()
    assert.deepEqual([...s3.objects.keys()], [object])
  })
})

test('what ended processes left of uploads is removed when the store is opened, and what is old every hour', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const bench = await openObjectBench()
  const machine = hostname().replace(/[^A-Za-z0-9-]/g, '-')
  const id = '01a1dd12-dd5b-76c7-85b3-fe76f10cffd9'
  const ended = execFileSync('sh', ['-c', 'echo $$']).toString().trim()
  const own = `${machine}~${process.pid}~${id}`
  for (const file of [`${machine}~${ended}~${id}`, own]) writeFileSync(join(bench.temporaryFolder, file), 'half')
  const another = await openObjectBlobs(bench.options)
  assert.deepEqual(bench.leftovers(), [own])
  utimesSync(join(bench.temporaryFolder, own), 1, 1)
  t.mock.timers.tick(3_600_000)
  await until(() => bench.leftovers().length === 0, 'a file that nobody has touched for long is removed')
  await another.close()
  await bench.close()
})
