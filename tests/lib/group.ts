import assert from 'node:assert/strict'
import { appendFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { treeCpuSeconds } from './cpu.ts'
import { lightPasswords } from './password-work.ts'
import { watchOver } from './watchdog.ts'

/** Test files that share a process. */
export type Group = {
  root: string
  files: string[]
  /** A file of `DiaryLine`s: what has begun, because a process that ends suddenly can't report it any more. */
  diary: string
  /** Whether the diary gets a `FileTime` of every file, too. */
  isTimed: boolean
}

export type DiaryLine = { file: string } | FileTime

/** The cost of a test file: wall-clock seconds, and CPU work of its process and of all child processes. */
export type FileTime = { file: string; seconds: number; cpuSeconds: number }

// A closed socket or process needs a moment.
const LINGER_MS = 500
// A process with nothing to do ends at once; a busy machine may take its time.
const EXIT_MS = 8_000

/**
 * Runs test files in this process, one after the other: to load the code takes longer than most tests. Each file is a
 * suite of its own, which its hooks belong to, and it starts when the one before has ended.
 */
export const runGroup = async ({ root, files, diary, isTimed }: Group): Promise<void> => {
  const note = (line: DiaryLine): void => appendFileSync(diary, `${JSON.stringify(line)}\n`)
  // A test may wait for what does not hold the process.
  const hold = setInterval(() => undefined, EXIT_MS)
  const leftovers = new Map<string, string[]>()
  // Node opens standard streams when they are first touched, which a file may do for the group.
  void [process.stdin, process.stdout, process.stderr]
  closings = []
  catchErrors()
  lightPasswords()
  for (const file of files) {
    watchOver(file)
    note({ file })
    const timeOf = isTimed ? startTime(file) : undefined
    const before = openThings()
    await describe(file, () => load(pathToFileURL(join(root, file)).href))
    const left = await leftOpen(before)
    if (timeOf) note(timeOf())
    if (left.length > 0) leftovers.set(file, left)
    const errors = strayErrors()
    if (errors.length > 0) await blame(file, errors)
  }
  for (const close of closings ?? []) await close()
  clearInterval(hold)
  // A leak does not always keep the process alive: a socket that nobody reads does not.
  const accuse = async (): Promise<void> => {
    for (const [file, left] of leftovers) await blame(file, left)
    setImmediate(() => process.exit(1))
  }
  if (leftovers.size > 0) setTimeout(accuse, EXIT_MS).unref()
}

/** Compiled code is cached at once: in a fresh clone dozens of processes start before the first one ends. */
const load = async (url: string): Promise<void> => {
  await import(url)
  flushCompileCache()
}

const startTime = (file: string): (() => FileTime) => {
  const [began, worked] = [performance.now(), treeCpuSeconds()]
  return () => ({ file, seconds: (performance.now() - began) / 1000, cpuSeconds: treeCpuSeconds() - worked })
}

/** Closes something that the files of a group share; for a file that runs by itself, at its end. */
export const afterGroup = (close: () => Promise<void>): void => {
  if (closings) closings.push(close)
  else after(close)
}

let closings: (() => Promise<void>)[] | undefined

const blame = (file: string, problems: string[]): Promise<void> =>
  describe(file, () => void test('leaves nothing behind', () => assert.fail(problems.join('\n'))))

/** Node's runner sets the exit code for an error that no running test caused; it does not say whose it was. */
const strayErrors = (): string[] => {
  const errors = uncaught.splice(0)
  if (!process.exitCode) return []
  process.exitCode = undefined
  return ['an error outside of the tests', ...errors]
}

const uncaught: string[] = []
const catchErrors = (): void => {
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (error) => uncaught.push(error instanceof Error ? (error.stack ?? error.message) : String(error)))
}

/** Resources that stay open beyond the counts in `before`, after a grace period. */
const leftOpen = async (before: Map<string, number>): Promise<string[]> => {
  for (const deadline = Date.now() + LINGER_MS; ; await sleep(10)) {
    const left = [...openThings()].flatMap(([kind, count]) => {
      const more = count - (before.get(kind) ?? 0)
      return more > 0 ? [`${more} ${kind} open`] : []
    })
    if (left.length === 0 || Date.now() > deadline) return left
  }
}

const openThings = (): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}
