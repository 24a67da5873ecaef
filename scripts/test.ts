// `npm test`: types, lint and every test. `npm test -- <part of a path>…`: only the test files that match.
// `--seed=<number>` repeats the order of a run, `--times` says where the time went.
import { spawn } from 'node:child_process'
import { constants, freemem, setPriority } from 'node:os'
import { parseArgs } from 'node:util'
import { treeCpuSeconds } from '../tests/lib/cpu.ts'
import type { FileTime } from '../tests/lib/group.ts'
import { root } from './environment.ts'
import { print, printError, stopRequest } from './terminal.ts'
import { findTests } from './test-files.ts'
import { onTestGround } from './test-ground.ts'
import { chooseSeed, orderGroups } from './test-order.ts'
import { listFailures, runGroups, runWithRetry, type TestRun } from './test-run.ts'
import { describeTimes, type Phase, startPhase } from './test-times.ts'

const test = async (args: string[]): Promise<number> => {
  const { values, positionals: filters } = parseArgs({
    args,
    options: { seed: { type: 'string' }, times: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const signal = stopRequest()
  const seed = chooseSeed(values.seed)
  const isWhole = filters.length === 0
  const files = findTests(root, filters)
  if (files.length === 0) return printError(`No test file matches: ${filters.join(' ')}`)
  const timed = startTimes()
  const groups = isWhole || values.seed !== undefined ? orderGroups(root, files, seed) : files.map((file) => [file])
  const options: TestRun = { root, signal, ...(values.times && { onTime: timed.onTime }) }
  const code = await timed.phase(isWhole ? 'types, style and tests' : 'tests', () =>
    isWhole ? runWhole(groups, options) : onTestGround(groups.flat(), () => runOnce(groups, options)),
  )
  if (values.times) timed.print()
  return code
}

// The space that the compiler and five groups with their browsers need together.
const ROOM_BYTES = 8 * 2 ** 30

/** Types and style are looked at beside the tests, which often wait and leave a core free; if they are wrong, that is all. */
const runWhole = async (groups: string[][], options: TestRun): Promise<number> => {
  const wrong = new AbortController()
  const signal = AbortSignal.any([options.signal, wrong.signal])
  const checked = check(options.signal).catch((error: unknown) => {
    wrong.abort()
    throw error
  })
  if (freemem() < ROOM_BYTES) await checked
  const [checks, tests] = await Promise.allSettled([
    checked,
    onTestGround(groups.flat(), () => runWithRetry(groups, { ...options, signal })),
  ])
  if (checks.status === 'rejected') throw checks.reason
  if (tests.status === 'rejected') throw tests.reason
  return tests.value
}

const runOnce = async (groups: string[][], options: TestRun): Promise<number> => {
  const failed = await runGroups(groups, options)
  listFailures('Failed', failed)
  return failed.size > 0 || options.signal.aborted ? 1 : 0
}

const startTimes = () => {
  const phases: Phase[] = []
  const files: FileTime[] = []
  return {
    onTime: (time: FileTime): void => void files.push(time),
    async phase<T>(name: string, work: () => Promise<T>): Promise<T> {
      const end = startPhase(name, treeCpuSeconds)
      const result = await work()
      phases.push(end())
      return result
    },
    print: (): void => console.log(`\n=== Times ===\n${describeTimes(phases, files).join('\n')}`),
  }
}

const check = async (signal: AbortSignal): Promise<void> => {
  print('Checking types and style')
  const checks = [
    ['node_modules/typescript/bin/tsc', '-p', '.'],
    ['node_modules/@biomejs/biome/bin/biome', 'check', '.'],
  ]
  const codes = await Promise.all(checks.map((args) => runNode(args, signal)))
  if (codes.some((code) => code !== 0)) throw new Error('Type or style errors; see above.')
}

/** Runs Node with these arguments, behind everything else that wants a core; gives its exit code. */
const runNode = (args: string[], signal: AbortSignal): Promise<number> =>
  new Promise((done, failed) => {
    signal.throwIfAborted()
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
    const stop = (): void => void child.kill('SIGTERM')
    signal.addEventListener('abort', stop)
    child.once('error', failed)
    child.once('exit', (code, by) => {
      signal.removeEventListener('abort', stop)
      done(code ?? 128 + (by ? constants.signals[by] : 0))
    })
  })

process.exit(await test(process.argv.slice(2)).catch(printError))
