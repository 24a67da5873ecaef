import { systemClock } from '../clock.ts'
import { createCounter } from '../http/rate-limit.ts'
import type { Counted, Questions } from './channel.ts'
import { createSlots } from './slots.ts'

/** Counters shared by a machine's workers, kept in the primary. */
export const createSharedCounts = (workers: number) => {
  const counter = createCounter(systemClock)
  const slots = createSlots()
  /** Slots by the worker that holds them: they are freed when it ends. */
  const taken = new Map<number, string[]>()

  const release = (worker: number, { key }: Questions['release']['input']): null => {
    const own = taken.get(worker) ?? []
    const at = own.lastIndexOf(key)
    if (at === -1) return null
    own.splice(at, 1)
    slots.free(key)
    return null
  }
  return {
    take({ key, amount, ...rate }: Questions['take']['input']): Counted {
      // The last part of a window is given out in small pieces, so that none of it lies unused.
      const left = rate.limit - counter.peek(key, rate).used
      return counter.take(key, rate, Math.min(amount, Math.max(1, Math.floor(left / (2 * workers)))))
    },
    peek: ({ key, ...rate }: Questions['peek']['input']): Counted => counter.peek(key, rate),
    hold(worker: number, { key, max }: Questions['hold']['input']): boolean {
      if (!slots.take(key, max)) return false
      const own = taken.get(worker) ?? []
      own.push(key)
      taken.set(worker, own)
      return true
    },
    release,
    forget(worker: number): void {
      for (const key of taken.get(worker) ?? []) slots.free(key)
      taken.delete(worker)
    },
  }
}
