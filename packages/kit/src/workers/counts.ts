import { systemClock } from '../clock.ts'
import { createCounter } from '../http/rate-limit.ts'
import type { Counted, Questions } from './channel.ts'
import { createSlots } from './slots.ts'

/** Counters shared by a machine's workers, kept in the primary. */
export const createSharedCounts = (workers: number) => {
  const counter = createCounter(systemClock)
  const slots = createSlots()
  /** How many slots of each key a worker holds: they are freed when it ends. */
  const taken = new Map<number, Map<string, number>>()
  return {
    take({ key, amount, ...rate }: Questions['take']['input']): Counted {
      // The last part of a window is given out in small pieces, so that none of it lies unused.
      const left = rate.limit - counter.peek(key, rate).used
      return counter.take(key, rate, Math.min(amount, Math.max(1, Math.floor(left / (2 * workers)))))
    },
    peek: ({ key, ...rate }: Questions['peek']['input']): Counted => counter.peek(key, rate),
    hold(worker: number, { key, max }: Questions['hold']['input']): boolean {
      if (!slots.take(key, max)) return false
      const own = taken.get(worker) ?? new Map<string, number>()
      taken.set(worker, own.set(key, (own.get(key) ?? 0) + 1))
      return true
    },
    release(worker: number, { key }: Questions['release']['input']): null {
      const own = taken.get(worker)
      const held = own?.get(key) ?? 0
      if (held === 0) return null
      if (held === 1) own?.delete(key)
      else own?.set(key, held - 1)
      slots.free(key)
      return null
    },
    forget(worker: number): void {
      for (const [key, held] of taken.get(worker) ?? []) for (let at = 0; at < held; at += 1) slots.free(key)
      taken.delete(worker)
    },
  }
}
