import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { decodeTransfer } from '../../../formats/mime/transfer-encoding.ts'
import { StoreRefusal } from '../../../store/refusal.ts'
import { begin, decodePieces, filledUp, partOfPieces, piecesWithoutNul, withoutNul } from './transforms.ts'

async function* cutUp(bytes: Buffer, size: number): AsyncGenerator<Buffer, void, undefined> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const all = async (pieces: AsyncIterable<Buffer>): Promise<Buffer> => {
  const found: Buffer[] = []
  for await (const piece of pieces) found.push(piece)
  return Buffer.concat(found)
}

describe('bytes on their way', () => {
  test('are decoded and cut the same way however they come', async () => {
    const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array))
    const encoding = fc.constantFrom('base64', 'quoted-printable', '8bit')
    await fc.assert(
      fc.asyncProperty(
        fc.record({ bytes, encoding, size: fc.integer({ min: 1, max: 50 }), origin: fc.nat(60), count: fc.nat(80) }),
        async ({ bytes, encoding, size, origin, count }) => {
          const body = encoding === 'base64' ? Buffer.from(bytes.toString('base64')) : bytes
          const decoded = decodeTransfer(body, encoding)
          assert.deepEqual(await all(decodePieces(cutUp(body, size), encoding)), decoded)
          assert.deepEqual(
            await all(partOfPieces(cutUp(decoded, size), { origin, count: count + 1 })),
            decoded.subarray(origin, origin + count + 1),
          )
        },
      ),
      { seed: 6, numRuns: 300 },
    )
  })

  test('have no NUL, and are not changed where they stand', async () => {
    const bytes = Buffer.from('a\0b\0')
    assert.deepEqual(withoutNul(bytes), Buffer.from('a\x80b\x80', 'latin1'))
    assert.deepEqual(await all(piecesWithoutNul(cutUp(bytes, 2))), Buffer.from('a\x80b\x80', 'latin1'))
    assert.equal(bytes.toString(), 'a\0b\0')
  })

  test('are as many as announced, whatever happens to them', async () => {
    let damaged = 0
    const onDamage = () => {
      damaged += 1
    }
    const broken = async function* (): AsyncGenerator<Buffer, void, undefined> {
      yield Buffer.from('abc')
      throw new StoreRefusal('no_such_blob', 'damaged')
    }
    assert.equal((await all(filledUp(broken(), 40_000, onDamage))).length, 40_000)
    assert.equal((await all(filledUp(cutUp(Buffer.from('abc'), 2), 5, onDamage))).toString(), 'abc  ')
    assert.equal(damaged, 2)
    assert.equal((await all(filledUp(cutUp(Buffer.from('abcdef'), 4), 5, onDamage))).toString(), 'abcde')
    assert.equal((await all(filledUp(cutUp(Buffer.from('abc'), 2), 3, onDamage))).toString(), 'abc')
    assert.equal(damaged, 2)
    const failing = async function* (): AsyncGenerator<Buffer, void, undefined> {
      yield Buffer.from('abc')
      throw new Error('the disk is away')
    }
    await assert.rejects(all(filledUp(failing(), 10, onDamage)), /away/)
  })

  test('that were begun can be left', async () => {
    let isOpen = true
    const source = async function* (): AsyncGenerator<Buffer, void, undefined> {
      try {
        yield Buffer.from('a')
        yield Buffer.from('b')
      } finally {
        isOpen = false
      }
    }
    const { close } = await begin(source())
    await close()
    assert.equal(isOpen, false)
    assert.equal((await all((await begin(source())).pieces)).toString(), 'ab')
  })
})
