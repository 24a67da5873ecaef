import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { inPieces, keysOf, openLocalBench, readBlob } from '@stoa/tests/lib/blob-drivers.ts'
import { Fault } from '../errors.ts'
import { openLocalBlobs } from './local.ts'

const limit = { maxBytes: 8 * 2 ** 20 }
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const isFault = (kind: string) => (error: unknown) => error instanceof Fault && error.kind === kind

describe('the local driver on its disk', () => {
  test('files are private and lie in two levels of folders', async () => {
    const root = mkdtempSync(join(tmpdir(), 'blobs-layout-'))
    try {
      const blobs = await openLocalBlobs(join(root, 'new', 'folder'))
      const { key } = await blobs.put(Buffer.from('x'), limit)
      const file = join(root, 'new', 'folder', key.slice(0, 2), key.slice(2, 4), key)
      assert.equal(statSync(file).mode & 0o777, 0o600)
      assert.equal(readFileSync(file, 'utf8'), 'x')
    } finally {
      rmSync(root, { recursive: true })
    }
  })

  test('a blob that a dying sweep had taken aside comes back as a young one', async () => {
    const bench = await openLocalBench()
    const key = sha256(Buffer.from('aside'))
    writeFileSync(join(bench.temporaryFolder, `removing-${key}`), 'aside')
    utimesSync(join(bench.temporaryFolder, `removing-${key}`), 1, 1)
    await bench.blobs.sweep({ keep: async () => new Set(), olderThan: new Date(Date.now() - 3_600_000) })
    assert.equal((await readBlob(bench.blobs, key)).toString(), 'aside')
    assert.deepEqual(bench.leftovers(), [])
    await bench.close()
  })

  test('a full disk is unavailable, leaves no partial file, and heals when there is room', async (t) => {
    const root = mkdtempSync(join(tmpdir(), 'blobs-full-'))
    t.after(() => rmSync(root, { recursive: true }))
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', root], { stdio: 'ignore' })
    } catch {
      t.skip('needs the right to mount a small disk')
      return
    }
    try {
      const blobs = await openLocalBlobs(root)
      const first = await blobs.put(randomBytes(600_000), limit)
      await assert.rejects(blobs.put(inPieces(randomBytes(600_000)), limit), isFault('unavailable'))
      assert.deepEqual(readdirSync(join(root, 'tmp')), [])
      assert.deepEqual(await keysOf(blobs), [first.key])
      await blobs.delete(first.key)
      const second = await blobs.put(randomBytes(600_000), limit)
      assert.equal((await readBlob(blobs, second.key)).length, 600_000)
    } finally {
      execFileSync('umount', [root])
    }
  })

  test('a folder that cannot be written is unavailable', async () => {
    const root = mkdtempSync(join(tmpdir(), 'blobs-denied-'))
    const blobs = await openLocalBlobs(root)
    // Root may write into any folder, but nobody into a file that took its place.
    rmSync(join(root, 'tmp'), { recursive: true })
    writeFileSync(join(root, 'tmp'), '')
    await assert.rejects(blobs.put(Buffer.from('x'), limit), isFault('unavailable'))
    assert.deepEqual(readdirSync(root), ['tmp'])
    rmSync(root, { recursive: true })
  })

  test('an upload over HTTP that is too large can still be answered', async () => {
    const bench = await openLocalBench()
    const server = createServer(async (request, response) => {
      const refusal = await bench.blobs.put(request, { maxBytes: 1000 }).catch((error) => error)
      response.writeHead(isFault('too_large')(refusal) ? 413 : 500, { connection: 'close' }).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    assert.ok(typeof address === 'object' && address)
    const response = await fetch(`http://127.0.0.1:${address.port}`, { method: 'POST', body: randomBytes(5000) })
    assert.equal(response.status, 413)
    assert.deepEqual(bench.leftovers(), [])
    server.close()
    await bench.close()
  })

  test('a folder that has gone is unavailable', async () => {
    const bench = await openLocalBench()
    await bench.close()
    await assert.rejects(bench.blobs.put(Buffer.from('x'), limit), isFault('unavailable'))
  })
})
