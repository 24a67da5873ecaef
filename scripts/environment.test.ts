import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { ensureSecret, loadEnvironment } from './environment.ts'

describe('the environment of an instance', () => {
  let folder = ''
  let real: NodeJS.ProcessEnv = {}

  beforeEach(() => {
    folder = fs.mkdtempSync(join(tmpdir(), 'stoa-environment-'))
    real = { ENV_FILE: join(folder, '.env'), DATA_DIR: join(folder, 'data') }
  })
  afterEach(() => fs.rmSync(folder, { recursive: true }))

  const load = (): NodeJS.ProcessEnv => ensureSecret(loadEnvironment(real), () => undefined).env

  test('a generated secret stays the same', () => {
    const { SECRET } = load()
    assert.match(String(SECRET), /^[\w-]{43}$/)
    assert.equal(load().SECRET, SECRET)
  })

  test('a file without a secret gets one and keeps its lines', () => {
    fs.writeFileSync(join(folder, '.env'), 'PORT=5000')
    const { SECRET, PORT } = load()
    assert.equal(PORT, '5000')
    assert.equal(fs.readFileSync(join(folder, '.env'), 'utf8'), `PORT=5000\nSECRET=${SECRET}\n`)
  })

  test('an empty secret in the file counts as none and is replaced', () => {
    fs.writeFileSync(join(folder, '.env'), '# mine\nSECRET=\nPORT=5000\n')
    const { SECRET } = load()
    assert.match(String(SECRET), /^[\w-]{43}$/)
    assert.equal(fs.readFileSync(join(folder, '.env'), 'utf8'), `# mine\nPORT=5000\nSECRET=${SECRET}\n`)
  })

  test('a real variable wins over the file', () => {
    fs.writeFileSync(join(folder, '.env'), 'PORT=5000\nSECRET=from-the-file\n')
    assert.equal(loadEnvironment({ ...real, PORT: '6000' }).env.PORT, '6000')
    assert.equal(load().SECRET, 'from-the-file')
  })

  test('the data folder is for its owner', () => {
    load()
    assert.equal(fs.statSync(join(folder, 'data')).mode & 0o066, 0)
  })
})
