import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { passTime, until } from './waiting.ts'

describe('until', () => {
  test('gives what was found, as soon as it is there', async () => {
    let looks = 0
    assert.equal(await until(() => (++looks < 3 ? null : 'it')), 'it')
    assert.equal(looks, 3)
    assert.equal(await until(async () => true), true)
  })

  test('fails with what never came, by its name or by the question', async (context) => {
    context.mock.method(performance, 'now', () => (late += 200_000))
    let late = 0
    const isThere = () => false
    await assert.rejects(until(isThere, 'the mail'), /it never was so: the mail/)
    await assert.rejects(until(isThere), /it never was so: \(\) => false/)
  })

  test('fails with the error of the look', async () => {
    await assert.rejects(
      until(() => Promise.reject(new Error('gone'))),
      /gone/,
    )
  })
})

test('time that passes can be cut short', async () => {
  await passTime(1, 'it ends by itself')
  await assert.rejects(passTime(60_000, 'somebody ends it', AbortSignal.abort()), { name: 'AbortError' })
})
