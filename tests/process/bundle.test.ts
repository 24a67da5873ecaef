import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { bundleService } from '../../scripts/bundle.ts'
import { root } from '../../scripts/environment.ts'
import { startProgram } from './processes.ts'

test('an error that a bundle writes down names the line of its source', async (t) => {
  // Below the root, where packages are found.
  fs.mkdirSync(join(import.meta.dirname, 'dist'), { recursive: true })
  const folder = fs.mkdtempSync(join(import.meta.dirname, 'dist/bundles-'))
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }))
  await bundleService({ entry: 'tests/process/fixtures/failing.ts' }, join(folder, 'dist'))
  const program = startProgram(process.execPath, [join(folder, 'dist/main.js')], { cwd: root })
  assert.equal(await program.ends(), 0)
  const lines = fs.readFileSync(join(import.meta.dirname, 'fixtures/failing.ts'), 'utf8').split('\n')
  const line = 1 + lines.findIndex((each) => each.includes('throw'))
  assert.match(program.output(), new RegExp(`at fail \\(file://.*/tests/process/fixtures/failing\\.ts:${line}\\)`))
})
