import { failLimit } from './problems.ts'

/** How much one mailbox does at the same time; what comes on top waits a little, and past that is refused. */
export type Lanes = {
  /** Resolves when there is a place; what it gives frees it, once. */
  enter(key: string): Promise<() => void>
}

type Lane = { running: number; waiting: (() => void)[] }

export const createLanes = ({
  limit,
  parallel,
  waiting,
}: {
  /** The name of the limit in the core capability. */
  limit: string
  parallel: number
  waiting: number
}): Lanes => {
  const lanes = new Map<string, Lane>()
  const leave = (key: string, lane: Lane): void => {
    const next = lane.waiting.shift()
    // The place passes straight to the next in line.
    if (next) next()
    else lane.running -= 1
    if (lane.running === 0) lanes.delete(key)
  }
  return {
    async enter(key) {
      const lane = lanes.get(key) ?? { running: 0, waiting: [] }
      lanes.set(key, lane)
      if (lane.running < parallel) lane.running += 1
      else if (lane.waiting.length < waiting) await new Promise<void>((resolve) => lane.waiting.push(resolve))
      else failLimit(limit, `At most ${parallel} at the same time.`, 429)
      let isInside = true
      return () => {
        if (isInside) leave(key, lane)
        isInside = false
      }
    },
  }
}
