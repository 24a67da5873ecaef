import assert from 'node:assert/strict'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { watchOver } from './watchdog.ts'

// A closed socket or process needs a moment.
const LINGER_MS = 500
// A process with nothing to do ends at once; a busy machine may take its time.
const EXIT_MS = 8_000

/**
 * Runs test files in this process, one after the other: to load the code takes longer than most tests. Each file is a
 * suite of its own, which its hooks belong to, and it starts when the one before has ended. What has begun is noted in
 * `diary`, because a process that ends suddenly does not tell it any more.
 */
export const runGroup = async (root: string, files: string[], diary: string): Promise<void> => {
  // A test may wait for what does not hold the process.
  const hold = setInterval(() => undefined, EXIT_MS)
  const leftovers = new Map<string, string[]>()
  closings = []
  catchErrors()
  for (const file of files) {
    watchOver(file)
    appendFileSync(diary, `${file}\n`)
    const before = openThings()
    await describe(file, async () => void (await import(pathToFileURL(join(root, file)).href)))
    const left = await leftOpen(before)
    if (left.length > 0) leftovers.set(file, left)
    const errors = strayErrors()
    if (errors.length > 0) await blame(file, errors)
  }
  for (const close of closings ?? []) await close()
  clearInterval(hold)
  // What is left does not always hold the process: a socket that is not read does not.
  const accuse = async (): Promise<void> => {
    for (const [file, left] of leftovers) await blame(file, left)
    setImmediate(() => process.exit(1))
  }
  if (leftovers.size > 0) setTimeout(accuse, EXIT_MS).unref()
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

/** What holds the process beyond `before`, when it does so for long. */
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
