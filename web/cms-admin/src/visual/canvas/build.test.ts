import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { buildController } from './build.ts'

describe('the built controller', () => {
  let code: string
  before(async () => {
    code = await buildController()
  })

  test('is small: every canvas holds a copy', () => assert.ok(code.length < 30_000, `${code.length} bytes`))

  test('can stand inside of a script element', () => {
    assert.equal(/<\/script|<script|<!--/i.test(code), false)
    assert.equal(code, code.trim())
  })

  test('makes no code from text, which its policy forbids', () => {
    assert.equal(/\beval\(|new Function|Function\(["'`]/.test(code), false)
  })

  test('is the same each time, as its hash is', async () => assert.equal(await buildController(), code))
})
