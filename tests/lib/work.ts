/**
 * The milliseconds that this thread has worked. Unlike a clock it stands still while other processes have the core: a
 * limit on it holds on a busy machine, too.
 */
export const workMs = (): number => process.threadCpuUsage().user / 1_000

/**
 * How much work it takes at least. One look can be too high: a virtual machine that waits for its host counts that as work,
 * and so is cleaning up after others. What is really too slow is so each time.
 */
export const leastWorkMs = (work: () => unknown, { enough }: { enough: number }): number => {
  let least = Number.POSITIVE_INFINITY
  for (let look = 0; look < LOOKS && least >= enough; look += 1) {
    const before = workMs()
    work()
    least = Math.min(least, workMs() - before)
  }
  return least
}

const LOOKS = 5
