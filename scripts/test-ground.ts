import { spawnSync } from 'node:child_process'
import { findChromium } from '../tests/lib/chromium.ts'
import { startTestCluster } from '../tests/lib/cluster.ts'
import { say } from './terminal.ts'
import { openMemoryFolder } from './test-folder.ts'

/** Does the work with what test files share: a folder in memory, a PostgreSQL, and a Chromium to start. */
export const onTestGround = async <T>(work: () => Promise<T>): Promise<T> => {
  const chromium = ensureChromium()
  if (chromium) process.env.CHROME_PATH = chromium
  const folder = process.env.TMPDIR ? undefined : openMemoryFolder()
  if (folder) process.env.TMPDIR = folder.path
  const cluster = await startTestCluster()
  process.env.TEST_PG_URL = cluster.url
  try {
    return await work()
  } finally {
    await cluster.stop()
    folder?.remove()
  }
}

/** Browser tests are part of the tests: only outside of CI may a machine go without them. */
const ensureChromium = (): string | undefined => {
  const chromium = findChromium() ?? installChromium()
  if (chromium) return chromium
  if (process.env.CI) throw new Error("Chromium for the browser tests isn't installed. Install it, or set CHROME_PATH.")
  say("Chromium isn't installed, so browser tests are skipped. Install it or set CHROME_PATH to run them.")
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
