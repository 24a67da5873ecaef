import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { after, before, beforeEach, describe, test } from 'node:test'
import {
  type BlobBench,
  inPieces,
  keysOf,
  openLocalBench,
  openObjectBench,
  readBlob,
} from '@stoa/tests/lib/blob-drivers.ts'
import { Fault } from '../errors.ts'
import { BlobError, type BlobInfo, type BlobProblem, type Blobs } from './blobs.ts'

const limit = { maxBytes: 8 * 2 ** 20 }
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const isProblem = (problem: BlobProblem) => (error: unknown) => error instanceof BlobError && error.problem === problem

const drivers = { local: openLocalBench, object: openObjectBench }

for (const [name, open] of Object.entries(drivers)) {
  describe(`the ${name} driver`, () => {
    let bench: BlobBench
    let blobs: Blobs
    before(async () => {
      bench = await open()
      blobs = bench.blobs
    })
    after(() => bench.close())
    beforeEach(async () => {
      for (const key of await keysOf(blobs)) await blobs.delete(key)
    })

    test('gives back what was stored, under the hash of its content', async () => {
      const bytes = Buffer.from('hello blobs')
      const stored = await blobs.put(bytes, limit)
      assert.deepEqual(stored, { key: sha256(bytes), size: 11, sha256: sha256(bytes) })
      const { stream, size, range } = await blobs.get(stored.key)
      assert.deepEqual({ size, range }, { size: 11, range: { start: 0, end: 10 } })
      assert.equal(Buffer.concat(await stream.toArray()).toString(), 'hello blobs')
      const head = await blobs.head(stored.key)
      assert.equal(head?.size, 11)
      assert.ok(Math.abs(Date.now() - (head?.modifiedAt.getTime() ?? 0)) < 60_000)
      assert.deepEqual(bench.leftovers(), [])
    })

    test('stores an empty blob', async () => {
      const { key, size } = await blobs.put(Buffer.alloc(0), limit)
      assert.equal(size, 0)
      const found = await blobs.get(key)
      assert.deepEqual([found.size, found.range, await found.stream.toArray()], [0, null, []])
      assert.equal((await blobs.head(key))?.size, 0)
      await assert.rejects(blobs.get(key, { range: { start: 0 } }), isProblem('bad_range'))
    })

    test('streams 5 MB in and out', async () => {
      const bytes = randomBytes(5 * 2 ** 20)
      const fromStream = await blobs.put(Readable.from(inPieces(bytes)), limit)
      assert.deepEqual(fromStream, { key: sha256(bytes), size: bytes.length, sha256: sha256(bytes) })
      assert.ok((await readBlob(blobs, fromStream.key)).equals(bytes))
      const fromGenerator = await blobs.put(inPieces(bytes, 1_000_003), limit)
      assert.equal(fromGenerator.key, fromStream.key)
    })

    test('gives ranges, first and last byte included', async () => {
      const { key } = await blobs.put(Buffer.from('0123456789'), limit)
      const text = async (start: number, end?: number) =>
        (await readBlob(blobs, key, end === undefined ? { start } : { start, end })).toString()
      assert.equal(await text(0, 0), '0')
      assert.equal(await text(2, 4), '234')
      assert.equal(await text(7), '789')
      assert.equal(await text(5, 500), '56789')
      const { size, range, stream } = await blobs.get(key, { range: { start: 5, end: 500 } })
      stream.destroy()
      assert.deepEqual({ size, range }, { size: 10, range: { start: 5, end: 9 } })
      const bad = [
        { start: 10 },
        { start: -1 },
        { start: 4, end: 2 },
        { start: 1.5 },
        { start: Number.NaN },
        { start: 0, end: -1 },
      ]
      for (const each of bad)
        await assert.rejects(blobs.get(key, { range: each }), isProblem('bad_range'), JSON.stringify(each))
    })

    test('takes exactly the limit, refuses one byte more, and leaves nothing', async () => {
      const bytes = randomBytes(100_000)
      assert.equal((await blobs.put(bytes, { maxBytes: 100_000 })).size, 100_000)
      await blobs.delete(sha256(bytes))
      for (const source of [bytes, Readable.from(inPieces(bytes, 1000)), inPieces(bytes, 1000)]) {
        await assert.rejects(blobs.put(source, { maxBytes: 99_999 }), (error) => {
          return (
            error instanceof Fault && error.kind === 'too_large' && JSON.stringify(error.detail) === '{"limit":99999}'
          )
        })
      }
      assert.deepEqual(await keysOf(blobs), [])
      assert.deepEqual(bench.leftovers(), [])
    })

    test('a source that fails or is cut leaves nothing, and its error is the one that is seen', async () => {
      async function* failing() {
        yield Buffer.from('some')
        throw new Error('source broke')
      }
      await assert.rejects(blobs.put(failing(), limit), /source broke/)
      const cut = new PassThrough()
      cut.write('half')
      setImmediate(() => cut.destroy())
      await assert.rejects(blobs.put(cut, limit), /premature close/i)
      const broken = new PassThrough()
      broken.write('half')
      setImmediate(() => broken.destroy(new Error('client went away')))
      await assert.rejects(blobs.put(broken, limit), /client went away/)
      await assert.rejects(blobs.put(new PassThrough({ encoding: 'utf8' }).end('text'), limit), TypeError)
      assert.deepEqual(await keysOf(blobs), [])
      assert.deepEqual(bench.leftovers(), [])
    })

    test('content that does not have the key that was asked for is refused', async () => {
      const bytes = Buffer.from('expected')
      assert.equal((await blobs.put(bytes, { ...limit, key: sha256(bytes) })).key, sha256(bytes))
      await assert.rejects(blobs.put(Buffer.from('other'), { ...limit, key: sha256(bytes) }), isProblem('corrupt'))
      assert.deepEqual(await keysOf(blobs), [sha256(bytes)])
      assert.deepEqual(bench.leftovers(), [])
    })

    test('ten identical puts at once make one whole blob', async () => {
      const bytes = randomBytes(300_000)
      const stored = await Promise.all(Array.from({ length: 10 }, () => blobs.put(inPieces(bytes), limit)))
      assert.deepEqual(new Set(stored.map(({ key }) => key)), new Set([sha256(bytes)]))
      assert.deepEqual(await keysOf(blobs), [sha256(bytes)])
      assert.ok((await readBlob(blobs, sha256(bytes))).equals(bytes))
      assert.deepEqual(bench.leftovers(), [])
    })

    test('a key that is not a hash reaches nothing', async () => {
      const good = sha256(Buffer.from('x'))
      const bad = [
        '',
        '.',
        '..',
        '../../etc/passwd',
        `../${good}`,
        `${good}/..`,
        good.toUpperCase(),
        `${good}\n`,
        good.slice(1),
        `${good}0`,
        'tmp',
        `%2e%2e/${good}`,
      ]
      for (const key of bad) {
        await assert.rejects(blobs.get(key), isProblem('bad_key'), key)
        await assert.rejects(blobs.get(key, { range: { start: 0 } }), isProblem('bad_key'), key)
        await assert.rejects(blobs.head(key), isProblem('bad_key'), key)
        await assert.rejects(blobs.delete(key), isProblem('bad_key'), key)
      }
    })

    test('a missing blob is missing for every operation, and may be deleted', async () => {
      const key = sha256(randomBytes(8))
      await assert.rejects(blobs.get(key), isProblem('missing'))
      await assert.rejects(blobs.get(key, { range: { start: 0, end: 3 } }), isProblem('missing'))
      assert.equal(await blobs.head(key), null)
      await blobs.delete(key)
    })

    test('a deleted blob is gone', async () => {
      const { key } = await blobs.put(Buffer.from('short life'), limit)
      await blobs.delete(key)
      assert.equal(await blobs.head(key), null)
      assert.deepEqual(await keysOf(blobs), [])
    })

    test('a flipped bit, a cut end or added bytes are noticed before the last piece is given', async () => {
      const bytes = randomBytes(200_000)
      const damages: ((bytes: Buffer) => Buffer)[] = [
        (each) => {
          const copy = Buffer.from(each)
          copy.writeUInt8(copy.readUInt8(777) ^ 1, 777)
          return copy
        },
        (each) => each.subarray(0, -1),
        (each) => Buffer.concat([each, Buffer.from('x')]),
        () => Buffer.alloc(0),
      ]
      for (const change of damages) {
        const { key } = await blobs.put(bytes, limit)
        bench.damage(key, change)
        const { stream } = await blobs.get(key)
        let given = 0
        await assert.rejects(async () => {
          for await (const chunk of stream) given += chunk.length
        }, isProblem('corrupt'))
        assert.ok(given < 200_000, `${given} bytes`)
      }
      await blobs.put(bytes, limit)
      assert.ok((await readBlob(blobs, sha256(bytes))).equals(bytes), 'storing it again repairs it')
    })

    test('lists everything with size and age, over several pages', async () => {
      const contents = Array.from({ length: 8 }, (_, index) => Buffer.from(`content ${index}`))
      for (const bytes of contents) await blobs.put(bytes, limit)
      const listed: BlobInfo[] = []
      for await (const info of blobs.list()) listed.push(info)
      assert.deepEqual(listed.map(({ key }) => key).sort(), contents.map(sha256).sort())
      for (const { size, modifiedAt } of listed) {
        assert.equal(size, 9)
        assert.ok(Math.abs(Date.now() - modifiedAt.getTime()) < 60_000)
      }
    })

    test('a sweep removes old blobs that nobody references, and only those', async () => {
      const put = async (text: string) => (await blobs.put(Buffer.from(text), limit)).key
      const [oldUsed, oldOrphan, youngOrphan] = [await put('used'), await put('orphan'), await put('young')]
      const long = new Date(Date.now() - 48 * 3_600_000)
      bench.age(oldUsed, long)
      bench.age(oldOrphan, long)
      const asked: string[] = []
      const keep = async (keys: readonly string[]) => {
        asked.push(...keys)
        return new Set([oldUsed])
      }
      const olderThan = new Date(Date.now() - 24 * 3_600_000)
      assert.deepEqual(await blobs.sweep({ keep, olderThan }), { checked: 2, removed: 1, temporary: 0 })
      assert.deepEqual(asked.sort(), [oldOrphan, oldUsed].sort())
      assert.deepEqual((await keysOf(blobs)).sort(), [oldUsed, youngOrphan].sort())
    })

    test('a blob that is stored again while a sweep runs survives it', async () => {
      const bytes = Buffer.from('stored again')
      const { key } = await blobs.put(bytes, limit)
      bench.age(key, new Date(Date.now() - 48 * 3_600_000))
      const keep = async () => {
        await blobs.put(bytes, limit)
        return new Set<string>()
      }
      const result = await blobs.sweep({ keep, olderThan: new Date(Date.now() - 3_600_000) })
      assert.deepEqual(result, { checked: 1, removed: 0, temporary: 0 })
      assert.ok((await readBlob(blobs, key)).equals(bytes))
      assert.deepEqual(bench.leftovers(), [])
    })

    test('a sweep that cannot ask removes nothing', async () => {
      const { key } = await blobs.put(Buffer.from('x'), limit)
      bench.age(key, new Date(0))
      const keep = () => Promise.reject(new Error('database away'))
      await assert.rejects(blobs.sweep({ keep, olderThan: new Date() }), /database away/)
      assert.deepEqual(await keysOf(blobs), [key])
    })

    test('a sweep removes the temporary files of ended processes and old ones, not those in work', async () => {
      const machine = hostname().replace(/[^A-Za-z0-9-]/g, '-')
      const id = '01a1dd12-dd5b-76c7-85b3-fe76f10cffd9'
      const ended = Number(execFileSync('sh', ['-c', 'echo $$']).toString())
      const leave = (file: string, at: Date) => {
        writeFileSync(join(bench.temporaryFolder, file), 'half')
        utimesSync(join(bench.temporaryFolder, file), at, at)
      }
      leave(`${machine}~${ended}~${id}`, new Date())
      leave(`${machine}~${process.pid}~${id}`, new Date())
      leave(`elsewhere~1~${id}`, new Date())
      leave(`elsewhere~2~${id}`, new Date(Date.now() - 2 * 3_600_000))
      const result = await blobs.sweep({ keep: async () => new Set(), olderThan: new Date(0) })
      assert.equal(result.temporary, 2)
      assert.deepEqual(bench.leftovers().sort(), [`${machine}~${process.pid}~${id}`, `elsewhere~1~${id}`].sort())
      for (const file of bench.leftovers()) rmSync(join(bench.temporaryFolder, file))
    })
  })
}
