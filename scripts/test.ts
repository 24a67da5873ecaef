// `npm test`: types, lint and every test. `npm test -- <part of a path>…`: only the test files that match.
import { spawn, spawnSync } from 'node:child_process'
import { constants } from 'node:os'
import { findChromium } from '../tests/lib/chromium.ts'
import { startTestCluster } from '../tests/lib/cluster.ts'
import { root } from './environment.ts'
import { complain, say, stopRequest } from './terminal.ts'
import { findTests, groupTests } from './test-files.ts'
import { runTests } from './test-run.ts'

const test = async (filters: string[]): Promise<number> => {
  const signal = stopRequest()
  const files = findTests(root, filters)
  if (files.length === 0) return complain(`No test file matches: ${filters.join(' ')}`)
  const chromium = ensureChromium()
  if (filters.length === 0) await check(signal)
  const cluster = await startTestCluster()
  try {
    Object.assign(process.env, { TEST_PG_URL: cluster.url }, chromium && { CHROME_PATH: chromium })
    const groups = filters.length === 0 ? groupTests(root, files) : files.map((file) => [file])
    return await runTests(groups, { root, signal, retry: filters.length === 0 })
  } finally {
    await cluster.stop()
  }
}

const check = async (signal: AbortSignal): Promise<void> => {
  say('Checking types and style')
  const checks = [
    ['node_modules/typescript/bin/tsc', '-p', '.'],
    ['node_modules/@biomejs/biome/bin/biome', 'check', '.'],
  ]
  const codes = await Promise.all(checks.map((args) => runNode(args, signal)))
  if (codes.some((code) => code !== 0)) throw new Error('The types or the style are not right; see above.')
}

/** Browser tests are part of the tests: only outside of CI may a machine go without them. */
const ensureChromium = (): string | undefined => {
  const chromium = findChromium() ?? installChromium()
  if (chromium) return chromium
  if (process.env.CI) throw new Error('There is no Chromium for the browser tests. Install it, or set CHROME_PATH.')
  say('There is no Chromium: browser tests are skipped. Install it or set CHROME_PATH to run them.')
  return undefined
}

const installChromium = (): string | undefined => {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return undefined
  say('Installing Chromium for the browser tests (only the first time)')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: string[]): boolean => {
    const { status, stderr } = spawnSync('apt-get', ['-qq', ...args], { env, encoding: 'utf8' })
    if (status !== 0) say(`apt-get ${args.join(' ')} failed: ${stderr.trim()}`)
    return status === 0
  }
  apt('update')
  const install = (name: string): boolean => apt('install', '--yes', '--no-install-recommends', name)
  // Not every distribution has the shell apart.
  if (!install('chromium-headless-shell')) install('chromium')
  return findChromium()
}

/** Runs Node with these arguments; gives its exit code. */
const runNode = (args: string[], signal: AbortSignal, env = process.env): Promise<number> =>
  new Promise((done, failed) => {
    signal.throwIfAborted()
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] })
    const stop = (): void => void child.kill('SIGTERM')
    signal.addEventListener('abort', stop)
    child.once('error', failed)
    child.once('exit', (code, by) => {
      signal.removeEventListener('abort', stop)
      done(code ?? 128 + (by ? constants.signals[by] : 0))
    })
  })

process.exit(await test(process.argv.slice(2)).catch(complain))
