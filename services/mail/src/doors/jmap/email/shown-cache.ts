import type { Bus } from '@stoa/kit/events/bus.ts'
import type { Json } from '../json.ts'

/** A message as a list shows it, and since when it has been so. */
export type Shown = { readonly modseq: number; readonly json: Json }

/**
 * Messages as lists show them, kept in this process: programs ask for the same ones again whenever something has changed. What is
 * kept is good only for who has just read that the message is in the mailbox, and still has that modseq.
 */
export type ShownCache = {
  get(properties: string, id: string): Shown | undefined
  set(properties: string, id: string, shown: Shown): void
  readonly bytes: number
  close(): void
}

const MAX_BYTES = 8 * 2 ** 20
/** Overhead per entry besides its text; most of it is the key. */
const ENTRY_BYTES = 300
/** Messages with hundreds of recipients are not cached: each would evict many others. */
const MAX_CHARACTERS = 8_192

export const createShownCache = (bus: Pick<Bus, 'subscribe'>, maxBytes = MAX_BYTES): ShownCache => {
  /** Least recently used first. */
  const kept = new Map<string, Shown>()
  let bytes = 0
  const drop = (key: string): void => {
    const old = kept.get(key)
    if (!old) return
    kept.delete(key)
    bytes -= sizeOf(key, old)
  }
  // A connection that was lost may lead to a database that was restored, and counts again from there.
  const leave = bus.subscribe(
    () => undefined,
    () => {
      kept.clear()
      bytes = 0
    },
  )
  return {
    get(properties, id) {
      const key = keyOf(properties, id)
      const shown = kept.get(key)
      if (!shown) return undefined
      kept.delete(key)
      kept.set(key, shown)
      return shown
    },
    set(properties, id, shown) {
      const key = keyOf(properties, id)
      drop(key)
      if (shown.json.text.length > MAX_CHARACTERS) return
      kept.set(key, shown)
      bytes += sizeOf(key, shown)
      for (const oldest of kept.keys()) {
        if (bytes <= maxBytes) break
        drop(oldest)
      }
    },
    get bytes() {
      return bytes
    },
    close: leave,
  }
}

const keyOf = (properties: string, id: string): string => `${id} ${properties}`

/** V8 takes two bytes for each character of a text that has others than those of Latin 1. */
const sizeOf = (key: string, { json }: Shown): number => ENTRY_BYTES + 2 * (key.length + json.text.length)
