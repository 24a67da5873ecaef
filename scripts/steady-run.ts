import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { print, printError, stopRequest } from './terminal.ts'
import { findTests, groupTests } from './test-files.ts'
import type { onTestGround } from './test-ground.ts'
import { chooseSeed, shuffleGroups } from './test-order.ts'
import { type Repeat, readRepeats, sumUp } from './test-repeats.ts'
import { listFailures, runGroups } from './test-run.ts'

// A process that waits for a core then waits for others, too, as on a machine with too much to do.
const LOAD_PER_CORE = 2

type SteadyParts = { root: string; onGround: typeof onTestGround }

/** Repeats test files beside a load, each time in another order, and names those that failed; gives the exit code. */
export const runSteady = async (args: string[], { root, onGround }: SteadyParts): Promise<number> => {
  const { filters, times } = readRepeats(args)
  const files = findTests(root, filters)
  if (files.length === 0) return printError(`No test file matches: ${filters.join(' ')}`)
  const signal = stopRequest()
  const repeats: Repeat[] = []
  const stopLoad = startLoad(availableParallelism() * LOAD_PER_CORE)
  await onGround(files, async () => {
    for (let time = 1; time <= times && !signal.aborted; time += 1) {
      const seed = chooseSeed(undefined)
      print(`${files.length} files, time ${time} of ${times}, in the order of --seed=${seed}`)
      const failed = await runGroups(shuffleGroups(groupTests(root, files), seed), { root, signal })
      repeats.push({ seed, failed })
    }
  })
  stopLoad()
  const unsteady = sumUp(repeats)
  listFailures('UNSTEADY', unsteady)
  if (signal.aborted || unsteady.size > 0) return 1
  print(`Steady: ${files.length} files passed ${times} times`)
  return 0
}

/** Threads that do nothing but work; they end with this process, whatever happens to it. */
const startLoad = (threads: number): (() => void) => {
  const workers = Array.from({ length: threads }, () => new Worker('for (;;);', { eval: true }))
  return () => {
    for (const worker of workers) void worker.terminate()
  }
}
