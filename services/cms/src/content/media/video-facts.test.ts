import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { factsOf } from './video-facts.ts'

const source = (bytes: Buffer) => {
  let reads = 0
  return {
    size: bytes.length,
    read: async (offset: number, length: number) => {
      reads += 1
      return bytes.subarray(offset, offset + length)
    },
    reads: () => reads,
  }
}
const uint32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, index * 4)
  return bytes
}
const box = (type: string, ...inside: Buffer[]): Buffer => {
  const body = Buffer.concat(inside)
  return Buffer.concat([uint32(body.length + 8), Buffer.from(type, 'latin1'), body])
}
const UPRIGHT = [65_536, 0, 0, 0, 65_536, 0, 0, 0, 1_073_741_824]
const TURNED = [0, 65_536, 0, -65_536, 0, 0, 0, 0, 1_073_741_824]
const track = (handler: string, codec: string, matrix = UPRIGHT): Buffer =>
  box(
    'trak',
    box('tkhd', uint32(0, 0, 0, 1, 0, 0, 0, 0, 0, 0, ...matrix, 1_920 * 65_536, 1_080 * 65_536)),
    box(
      'mdia',
      box('hdlr', uint32(0, 0), Buffer.from(handler), uint32(0, 0, 0)),
      box('minf', box('stbl', box('stsd', uint32(0, 1), box(codec, Buffer.alloc(78))))),
    ),
  )
const movie = (matrix = UPRIGHT) =>
  box(
    'moov',
    box('mvhd', uint32(0, 0, 0, 600, 600 * 12 + 300), Buffer.alloc(80)),
    track('soun', 'mp4a'),
    track('vide', 'avc1', matrix),
  )

describe('a film', () => {
  const ftyp = box('ftyp', Buffer.from('isom'), uint32(0))
  const mdat = box('mdat', Buffer.alloc(100_000, 7))
  const expected = { seconds: 12.5, width: 1_920, height: 1_080, codec: 'avc1' }

  test('has its duration, size and codec read, wherever its header is', async () => {
    assert.deepEqual(await factsOf(source(Buffer.concat([ftyp, movie(), mdat])), 'video/mp4'), expected)
    assert.deepEqual(await factsOf(source(Buffer.concat([ftyp, mdat, movie()])), 'video/quicktime'), expected)
  })

  test('that was made with the camera on its side is as high as it is shown', async () => {
    const facts = await factsOf(source(Buffer.concat([ftyp, movie(TURNED)])), 'video/mp4')
    assert.deepEqual([facts.width, facts.height], [1_080, 1_920])
  })

  test('with a head of the long form is read too', async () => {
    const long = box('mvhd', uint32(0x01000000, 0, 0, 0, 0, 1_000, 0, 90_000), Buffer.alloc(80))
    assert.equal((await factsOf(source(box('moov', long)), 'video/mp4')).seconds, 90)
  })

  test('that says nothing, or nonsense, has no facts and costs little', async () => {
    const bad = source(Buffer.concat(Array.from({ length: 50_000 }, () => box('free'))))
    assert.equal((await factsOf(bad, 'video/mp4')).seconds, null)
    assert.ok(bad.reads() <= 20_001, String(bad.reads()))
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.nat(400), async (noise, at) => {
        const bytes = Buffer.concat([ftyp, movie()])
        Buffer.from(noise).copy(bytes, at)
        for (const type of ['video/mp4', 'video/webm']) await factsOf(source(bytes), type)
      }),
      { numRuns: 200, seed: 20_261_117 },
    )
  })
})

test('a WebM has its duration, size and codec read', async () => {
  const element = (id: number[], body: Buffer) =>
    Buffer.concat([
      Buffer.from(id),
      Buffer.from([0x10, 0, 0, 0].map((bits, i) => bits | ((body.length >> (24 - 8 * i)) & (i ? 255 : 15)))),
      body,
    ])
  const duration = Buffer.alloc(8)
  duration.writeDoubleBE(8_000)
  const bytes = Buffer.concat([
    element([0x1a, 0x45, 0xdf, 0xa3], Buffer.alloc(10)),
    // A live recording does not know its size.
    Buffer.from([0x18, 0x53, 0x80, 0x67, 0x01, 255, 255, 255, 255, 255, 255, 255]),
    element(
      [0x15, 0x49, 0xa9, 0x66],
      Buffer.concat([element([0x2a, 0xd7, 0xb1], Buffer.from([15, 66, 64])), element([0x44, 0x89], duration)]),
    ),
    element(
      [0x16, 0x54, 0xae, 0x6b],
      element(
        [0xae],
        Buffer.concat([
          element([0x86], Buffer.from('V_VP9')),
          element(
            [0xe0],
            Buffer.concat([element([0xb0], Buffer.from([5, 0])), element([0xba], Buffer.from([2, 208]))]),
          ),
        ]),
      ),
    ),
    element([0x1f, 0x43, 0xb6, 0x75], Buffer.alloc(5_000)),
  ])
  assert.deepEqual(await factsOf(source(bytes), 'video/webm'), {
    seconds: 8,
    width: 1_280,
    height: 720,
    codec: 'V_VP9',
  })
})
