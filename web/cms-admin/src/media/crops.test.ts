import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { cropOf, cropPosition, movedFocal } from './crops.ts'

describe('crops', () => {
  test('keep the focal point in the middle where there is room', () => {
    const picture = { width: 400, height: 200, focalX: 0.5, focalY: 0.5 }
    assert.deepEqual(cropOf(picture, 1), { left: 100, top: 0, width: 200, height: 200 })
    assert.deepEqual(cropOf({ ...picture, focalX: 0.4 }, 1), { left: 60, top: 0, width: 200, height: 200 })
    assert.equal(cropPosition({ ...picture, focalX: 0.4 }, 1), '30% 50%')
  })

  test('stop at the edges', () => {
    const picture = { width: 400, height: 200, focalX: 0.05, focalY: 1 }
    assert.deepEqual(cropOf(picture, 1), { left: 0, top: 0, width: 200, height: 200 })
    assert.equal(cropPosition({ ...picture, focalX: 1 }, 1), '100% 50%')
    assert.deepEqual(cropOf({ width: 100, height: 400, focalX: 0, focalY: 1 }, 1), {
      left: 0,
      top: 300,
      width: 100,
      height: 100,
    })
  })

  test('are always inside the picture, of the wanted shape, and as large as can be', () => {
    const side = fc.integer({ min: 1, max: 9000 })
    const focal = fc.double({ min: 0, max: 1, noNaN: true })
    const ratio = fc.constantFrom(1, 16 / 9, 4 / 5, 4 / 3)
    fc.assert(
      fc.property(side, side, focal, focal, ratio, (width, height, focalX, focalY, wanted) => {
        const crop = cropOf({ width, height, focalX, focalY }, wanted)
        const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-6 * Math.max(1, a, b), `${a} ${b}`)
        near(crop.width / crop.height, wanted)
        assert.ok(crop.left >= 0 && crop.top >= 0)
        assert.ok(crop.left + crop.width <= width + 1e-6 && crop.top + crop.height <= height + 1e-6)
        assert.ok(Math.abs(crop.width - width) < 1e-6 || Math.abs(crop.height - height) < 1e-6)
      }),
      { seed: 11 },
    )
  })

  test('the focal point moves by whole hundredths and stays on the picture', () => {
    assert.equal(movedFocal(0.5, 1), 0.51)
    assert.equal(movedFocal(0.333, -1), 0.32)
    assert.equal(movedFocal(1, 1), 1)
    assert.equal(movedFocal(0, -10), 0)
  })
})
