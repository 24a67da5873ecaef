import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { decodeFile, encodeFile } from './container.ts'
import { BackupError } from './errors.ts'
import type { Protection } from './protection.ts'

const protectionOf = (passphrase: string): Protection => ({
  fileKey: (name, salt) => createHmac('sha256', passphrase).update(salt).update(name).digest(),
  blobName: (key) => key,
})
const protection = protectionOf('correct horse')

const encode = async (content: Buffer, context: { name: string; protection: Protection | null }): Promise<Buffer> => {
  // Both ways in: as one piece, and as a stream.
  const source = content.length % 2 === 0 ? content : [content.subarray(0, 7), content.subarray(7)]
  const stream = Array.isArray(source) ? piecesOf(source) : source
  const chunks: Buffer[] = []
  for await (const chunk of encodeFile(stream, context)) chunks.push(chunk)
  return Buffer.concat(chunks)
}
async function* piecesOf(pieces: readonly Buffer[]) {
  yield* pieces
}
/** Stored bytes arrive in pieces of any size. */
const decode = async (stored: Buffer, context: { name: string; protection: Protection | null }): Promise<Buffer> => {
  const pieces: Buffer[] = []
  for (let at = 0; at < stored.length; at += 4_099) pieces.push(stored.subarray(at, at + 4_099))
  const chunks: Buffer[] = []
  for await (const chunk of decodeFile(piecesOf(pieces), context)) chunks.push(chunk)
  return Buffer.concat(chunks)
}
const isDamage = (error: unknown): boolean => error instanceof BackupError && /^files\/a is damaged/.test(error.message)

describe('a file of a backup', () => {
  const plain = { name: 'files/a', protection: null }
  const encrypted = { name: 'files/a', protection }

  test('gives back what was put in, whatever its size, and encrypted shows nothing of it', async () => {
    for (const size of [0, 1, 65_535, 65_536, 65_537, 300_001])
      for (const context of [plain, encrypted]) {
        const content = randomBytes(size)
        assert.deepEqual(await decode(await encode(content, context), context), content)
      }
    const words = Buffer.from('nobody but us may read this')
    assert.equal((await encode(words, encrypted)).includes(words.subarray(0, 8)), false)
    assert.notDeepEqual(await encode(words, encrypted), await encode(words, encrypted), 'the same content twice')
  })

  test('encrypted, it opens with its passphrase under its name only', async () => {
    const stored = await encode(Buffer.from('words'), encrypted)
    await assert.rejects(decode(stored, { name: 'files/a', protection: protectionOf('wrong') }), isDamage)
    await assert.rejects(decode(stored, { name: 'files/b', protection }), BackupError)
    await assert.rejects(decode(stored, plain), isDamage)
    await assert.rejects(decode(await encode(Buffer.from('words'), plain), encrypted), isDamage)
  })

  test('encrypted, any changed, cut, moved or added byte is noticed', async () => {
    const stored = await encode(randomBytes(200_000), encrypted)
    for (let at = 0; at < stored.length; at += 9_973) {
      const changed = Buffer.from(stored)
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
      await assert.rejects(decode(changed, encrypted), isDamage, `byte ${at}`)
    }
    const frame = 4 + 65_536 + 16
    const header = stored.subarray(0, 24)
    const frames = [0, 1, 2].map((index) => stored.subarray(24 + index * frame, 24 + (index + 1) * frame))
    const [first, second, third] = frames
    assert.ok(first && second && third)
    const rest = stored.subarray(24 + 3 * frame)
    assert.deepEqual(Buffer.concat([header, ...frames, rest]), stored)
    const changes = {
      'cut between frames': [header, first, second],
      'cut inside of a frame': [stored.subarray(0, -1)],
      'frames swapped': [header, second, first, third, rest],
      'a frame left out': [header, first, third, rest],
      'a frame twice': [header, first, second, third, rest, rest],
      empty: [],
    }
    for (const [what, parts] of Object.entries(changes))
      await assert.rejects(decode(Buffer.concat(parts), encrypted), isDamage, what)
  })

  test('without encryption, a cut or changed content is noticed', async () => {
    const stored = await encode(Buffer.from('words '.repeat(50_000)), plain)
    await assert.rejects(decode(stored.subarray(0, -1), plain), isDamage)
    const changed = Buffer.from(stored)
    changed.writeUInt8(changed.readUInt8(changed.length - 2) ^ 1, changed.length - 2)
    await assert.rejects(decode(changed, plain), isDamage)
  })
})
