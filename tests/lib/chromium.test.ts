import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findChromium } from './chromium.ts'

test('Chromium is found by CHROME_PATH, else by its names on the PATH', (t) => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'stoa-chromium-'))
  t.after(() => fs.rmSync(folder, { recursive: true }))
  assert.equal(findChromium({ PATH: folder }), undefined)
  fs.writeFileSync(join(folder, 'google-chrome'), '', { mode: 0o755 })
  assert.equal(findChromium({ PATH: `/nowhere:${folder}` }), join(folder, 'google-chrome'))
  fs.writeFileSync(join(folder, 'chromium'), '', { mode: 0o755 })
  assert.equal(findChromium({ PATH: folder }), join(folder, 'chromium'))
  assert.equal(
    findChromium({ CHROME_PATH: join(folder, 'google-chrome'), PATH: folder }),
    join(folder, 'google-chrome'),
  )
  assert.throws(() => findChromium({ CHROME_PATH: '/nowhere/chrome', PATH: folder }), /CHROME_PATH is \/nowhere/)
})
