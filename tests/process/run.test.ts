import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { until } from '@stoa/tests/lib/waiting.ts'
import { type Program, startProgram, temporaryFolder } from './processes.ts'

// A clone with nothing but run.mjs, a lockfile and one task; npm and Vite are replaced by programs that write a diary.
const FAKE_NPM = `
  const fs = require('node:fs')
  const note = (line) => fs.appendFileSync('diary', line + '\\n')
  note('npm ' + process.argv.slice(2).join(' '))
  fs.rmSync('node_modules', { recursive: true, force: true })
  setTimeout(() => {
    if (fs.existsSync('npm-fails')) process.exit(7)
    fs.mkdirSync('node_modules/vite/bin', { recursive: true })
    fs.writeFileSync('node_modules/vite/bin/vite.js', fs.readFileSync('fake-vite.js'))
    note('npm done')
  }, 300)
`
const FAKE_VITE = `
  const fs = require('node:fs')
  fs.appendFileSync('../../diary', 'vite ' + process.cwd().split('/').pop() + ' ' + process.env.NODE_ENV + '\\n')
  fs.mkdirSync('dist', { recursive: true })
`
const TASK = `
  process.on('SIGTERM', () => process.exit(5))
  process.on('disconnect', () => process.exit(6))
  console.log('task ' + process.argv.slice(2).join(' '))
  if (process.argv[2] === 'wait') setInterval(() => undefined, 1000)
  else process.exit(3)
`

describe('run.mjs', () => {
  let clone = ''
  let cleanUp = (): void => undefined

  const write = (file: string, text: string): void => {
    fs.mkdirSync(join(clone, file, '..'), { recursive: true })
    fs.writeFileSync(join(clone, file), text)
  }
  const diary = (): string[] => fs.readFileSync(join(clone, 'diary'), 'utf8').trim().split('\n')
  const run = (...args: string[]): Program =>
    startProgram(process.execPath, [join(clone, 'scripts/run.mjs'), ...args], {
      cwd: clone,
      env: { PATH: process.env.PATH, npm_execpath: join(clone, 'npm-cli.js') },
    })

  afterEach(() => cleanUp())
  beforeEach(() => {
    clone = temporaryFolder({
      after: (fn: () => void) => {
        cleanUp = fn
      },
    })
    write('scripts/run.mjs', fs.readFileSync(join(import.meta.dirname, '../../scripts/run.mjs'), 'utf8'))
    write('npm-cli.js', FAKE_NPM)
    write('fake-vite.js', FAKE_VITE)
    write('package-lock.json', '{}')
    write('task.ts', TASK)
    write('scripts/start.ts', TASK)
    for (const folder of [
      'packages/ui',
      'packages/qr',
      'packages/html',
      'packages/issue-text',
      'packages/cms-model',
      'packages/cms-plugin',
      'packages/mail-model',
      'packages/visual',
      'web/mail',
    ])
      write(`${folder}/index.ts`, 'export {}')
    write('web/mail/vite.config.ts', 'export {}')
    fs.mkdirSync(join(clone, 'web/empty'))
  })

  test('installs once, passes the arguments on and exits with the code of the task', async () => {
    const one = run('task.ts', 'a', 'b')
    assert.equal(await one.ends(), 3)
    assert.match(one.output(), /Installing dependencies.*task a b\n/s)
    assert.equal(await run('task.ts').ends(), 3)
    assert.equal(diary().filter((line) => line.startsWith('npm ci ')).length, 1)
    fs.writeFileSync(join(clone, 'package-lock.json'), '{ "changed": true }')
    assert.equal(await run('task.ts').ends(), 3)
    assert.equal(diary().filter((line) => line.startsWith('npm ci ')).length, 2)
  })

  test('starts at the same time install one after the other, and only once', async () => {
    const programs = [run('task.ts'), run('task.ts'), run('task.ts')]
    assert.deepEqual(await Promise.all(programs.map((program) => program.ends())), [3, 3, 3])
    assert.deepEqual(
      diary().map((line) => line.slice(0, 8)),
      ['npm ci -', 'npm done'],
    )
  })

  test('an install that fails says so, and the next start tries again', async () => {
    write('npm-fails', '')
    const failed = run('task.ts')
    assert.equal(await failed.ends(), 1)
    assert.match(failed.output(), /"npm ci" failed \(7\)/)
    assert.doesNotMatch(failed.output(), /task/)
    fs.rmSync(join(clone, 'npm-fails'))
    assert.equal(await run('task.ts').ends(), 3)
  })

  test('after kill -9 during an install the next start waits for npm and installs again', async () => {
    const killed = run('task.ts')
    await killed.prints(/Installing/)
    await until(() => fs.existsSync(join(clone, 'diary')), 'npm has begun')
    killed.child.kill('SIGKILL')
    assert.equal(await run('task.ts').ends(), 3)
    assert.deepEqual(
      diary().map((line) => line.slice(0, 8)),
      ['npm ci -', 'npm done', 'npm ci -', 'npm done'],
    )
  })

  test('builds a web UI when its sources, the shared ones or the lockfile changed', async () => {
    const builds = async (): Promise<number> => {
      assert.equal(await run('start').ends(), 3)
      return diary().filter((line) => line === 'vite mail production').length
    }
    assert.equal(await builds(), 1)
    assert.equal(await builds(), 1)
    write('web/mail/index.ts', 'export const changed = true')
    assert.equal(await builds(), 2)
    write('packages/ui/index.ts', 'export const changed = true')
    assert.equal(await builds(), 3)
    fs.rmSync(join(clone, 'web/mail/dist'), { recursive: true })
    assert.equal(await builds(), 4)
  })

  test('builds an example plugin when its sources or what builds it changed, and one without sources never', async () => {
    const record =
      "fs.appendFileSync('diary', process.argv.slice(2).map((part) => part.split('/').pop()).join(' ') + '\\n')"
    write(
      'scripts/cms-plugin.ts',
      `import fs from 'node:fs'\n${record}\nfs.writeFileSync(process.argv[3] + '/server.js', '')`,
    )
    write('examples/plugins/plain/server.js', '')
    write('examples/plugins/built/src/server.ts', '')
    const builds = async (): Promise<string[]> => {
      assert.equal(await run('start').ends(), 3)
      return diary().filter((line) => line.startsWith('build '))
    }
    assert.deepEqual(await builds(), ['build built'])
    assert.equal((await builds()).length, 1)
    write('examples/plugins/built/src/server.ts', 'export {}')
    assert.equal((await builds()).length, 2)
    write('packages/cms-plugin/index.ts', 'export const changed = true')
    assert.equal((await builds()).length, 3)
    fs.rmSync(join(clone, 'examples/plugins/built/server.js'))
    assert.equal((await builds()).length, 4)
  })

  test('prepares the services when a source of theirs or of a package changed, and only to start them', async () => {
    const folder = "process.argv[1].replace(/scripts.*/, 'services/mail/dist')"
    write(
      'scripts/bundle.ts',
      `import fs from 'node:fs'
      fs.appendFileSync('diary', 'bundle\\n')
      fs.mkdirSync(${folder}, { recursive: true })
      fs.writeFileSync(${folder} + '/main.js', '')`,
    )
    write('scripts/services.ts', '')
    write('services/mail/src/main.ts', '')
    const bundles = async (task = 'start'): Promise<number> => {
      assert.equal(await run(task).ends(), 3)
      return diary().filter((line) => line === 'bundle').length
    }
    assert.equal(await bundles('task.ts'), 0)
    assert.equal(await bundles(), 1)
    assert.equal(await bundles(), 1)
    write('services/mail/src/main.ts', 'export {}')
    assert.equal(await bundles(), 2)
    write('packages/html/index.ts', 'export const changed = true')
    assert.equal(await bundles(), 3)
    fs.rmSync(join(clone, 'services/mail/dist'), { recursive: true })
    assert.equal(await bundles(), 4)
  })

  test('passes signals on, and the task learns when it was killed', async () => {
    const stopped = run('task.ts', 'wait')
    await stopped.prints(/task wait/)
    stopped.child.kill('SIGTERM')
    assert.equal(await stopped.ends(), 5)
    const killed = run('task.ts', 'wait')
    await killed.prints(/task wait/)
    killed.child.kill('SIGKILL')
    assert.equal(await killed.ends(), 'SIGKILL') // its pipes are closed: the task ended too
  })

  test('an unknown task is answered with the list of tasks', async () => {
    const program = run('nonsense')
    assert.equal(await program.ends(), 1)
    assert.match(program.output(), /Unknown task "nonsense"\. Tasks: start, build, test, steady, mutants, dev, bench/)
  })
})
