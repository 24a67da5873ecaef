import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { findChromium } from '../tests/lib/chromium.ts'
import { startTestCluster } from '../tests/lib/cluster.ts'
import { installPackage } from '../tests/lib/install.ts'
import { findPebble } from '../tests/lib/pebble.ts'
import { findSystemdAnalyze } from '../tests/lib/systemd.ts'
import { root } from './environment.ts'
import { print } from './terminal.ts'
import { startsServices } from './test-files.ts'
import { openMemoryFolder } from './test-folder.ts'

/** Does the work with what these test files share: a folder in memory, a PostgreSQL, and programs to start. */
export const onTestGround = async <T>(files: readonly string[], work: () => Promise<T>): Promise<T> => {
  if (files.some(startsServices)) ensureBundles()
  const chromium = ensureChromium()
  if (chromium) process.env.CHROME_PATH = chromium
  ensurePebble()
  ensureSystemdAnalyze()
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

/** A service starts from its bundle with half of the work. Other tests do not wait for them. */
const ensureBundles = (): void =>
  void execFileSync(process.execPath, [join(root, 'scripts/run.mjs'), 'build'], { stdio: 'inherit' })

/** Browser tests are part of the tests: only outside of CI may a machine go without them. */
const ensureChromium = (): string | undefined => {
  // Not every distribution has the shell apart.
  const chromium = findChromium() ?? install(findChromium, 'Chromium', ['chromium-headless-shell', 'chromium'])
  if (chromium) return chromium
  if (process.env.CI) throw new Error("Chromium for the browser tests isn't installed. Install it, or set CHROME_PATH.")
  print("Chromium isn't installed, so browser tests are skipped. Install it or set CHROME_PATH to run them.")
  return undefined
}

/** pebble, the certificate authority of the tests, is required in CI only. */
const ensurePebble = (): void => {
  if (findPebble() ?? install(findPebble, 'pebble', ['pebble'])) return
  if (process.env.CI) throw new Error("pebble for the tests of certificates isn't installed. Install it.")
  print("pebble isn't installed, so tests with a real certificate authority are skipped. Install it to run them.")
}

/** systemd-analyze, which checks the unit files, is required in CI only. */
const ensureSystemdAnalyze = (): void => {
  if (findSystemdAnalyze() ?? install(findSystemdAnalyze, 'systemd-analyze', ['systemd'])) return
  if (process.env.CI) throw new Error("systemd-analyze for the tests of unit files isn't installed. Install systemd.")
  print("systemd-analyze isn't installed, so tests of unit files are skipped. Install systemd to run them.")
}

const install = (find: () => string | undefined, label: string, packages: readonly string[]): string | undefined => {
  installPackage(label, packages, print)
  return find()
}
