import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { canvasSize, inView, layOut, MAX_PIXELS, MAX_SIDE, PdfError, problemOf, readBounded } from './pdf-bounds.ts'

const A4 = { width: 595, height: 842 }

describe('the preview of a PDF', () => {
  test('draws a usual page with the pixels of the screen', () => {
    const [box] = layOut([A4], 700).boxes
    assert.deepEqual(box, { top: 12, width: 700, height: 990 })
    assert.deepEqual(canvasSize({ width: 700, height: 990 }, 2), { width: 1400, height: 1980 })
  })

  test('bounds the canvas of every page, however large or long it says it is', () => {
    const side = fc.double({ min: 0.001, max: 14_400 * 75_000, noNaN: true })
    fc.assert(
      fc.property(
        side,
        side,
        fc.integer({ min: 1, max: 4_000 }),
        fc.constantFrom(0.5, 1, 2, 3, 10),
        (w, h, room, ratio) => {
          const [box] = layOut([{ width: w, height: h }], room).boxes
          assert.ok(box && box.width >= 1 && box.height >= 1 && box.width <= room && box.height <= 8 * room)
          const { width, height } = canvasSize(box, ratio)
          assert.ok(width >= 1 && height >= 1 && width <= MAX_SIDE && height <= MAX_SIDE)
          assert.ok(width * height <= MAX_PIXELS)
        },
      ),
    )
  })

  test('draws pages near the view only, and names the one in the middle', () => {
    const layout = layOut(
      Array.from({ length: 50 }, () => A4),
      700,
    )
    assert.deepEqual(inView(layout, { top: 0, height: 600 }), { drawn: [0, 1], current: 0 })
    assert.deepEqual(inView(layout, { top: 10_020, height: 600 }), { drawn: [9, 10, 11], current: 10 })
    assert.equal(inView(layout, { top: layout.height - 600, height: 600 }).current, 49)
  })

  test('reads no more than it may', async () => {
    let asked = 0
    const endless = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          asked += 1
          controller.enqueue(new Uint8Array(10))
        },
      },
      { highWaterMark: 0 },
    )
    await assert.rejects(readBounded(endless, 35), (error) => problemOf(error) === 'too_large')
    assert.equal(asked, 4)
    const bytes = await readBounded(new Blob(['%PDF', '-1.7']).stream(), 8)
    assert.equal(new TextDecoder().decode(bytes), '%PDF-1.7')
  })

  test('says why a file is not shown', () => {
    const locked = Object.assign(new Error('No password given'), { name: 'PasswordException' })
    assert.equal(problemOf(locked), 'encrypted')
    assert.equal(problemOf(new PdfError('slow')), 'slow')
    assert.equal(problemOf(new Error('Invalid PDF structure.')), 'broken')
  })
})
