/** How many messages may be at work at once, and for whom there may be more. */
export type SlotLimits = { slots: number; perDestination: number }

type Slot = { domain: string; isSlow: boolean; isUnproven: boolean }

/** A peer that has not replied after this long waits in the slots of the slow. */
export const SLOW_AFTER_MS = 3_000
/** Waiting for a slow peer costs a socket and a few kilobytes. */
const MAX_SLOW = 1_000
/** Postfix begins with as many; each success adds one. */
const FIRST_WINDOW = 5
/** Destinations that are asked for in one statement. */
const MAX_ASKED = 32
const MAX_KNOWN = 10_000

/** The share of slots for destinations that have not answered yet. */
const UNPROVEN_SHARE = 0.5

type Destination = { running: number; slow: number; window: number; isProven: boolean }

/**
 * Gives slots to destinations in turn. Stalled peers must not use up all: destinations that have not answered yet share a
 * part, and a slow delivery stops counting, but its destination gets no other until it ends.
 */
export const createSlots = (limits: SlotLimits) => {
  const destinations = new Map<string, Destination>()
  /** Destinations with something due; the number shows whether they were marked again since. */
  const ready = new Map<string, number>()
  let running = 0
  let slow = 0
  let unproven = 0
  let generation = 0

  const destinationOf = (domain: string): Destination => {
    const known = destinations.get(domain)
    if (known) return known
    if (destinations.size >= MAX_KNOWN)
      for (const [name, one] of destinations) if (one.running === 0) destinations.delete(name)
    const made = { running: 0, slow: 0, window: Math.min(FIRST_WINDOW, limits.perDestination), isProven: false }
    destinations.set(domain, made)
    return made
  }
  const roomOf = (domain: string): number => {
    const { running: busy, slow: stalled, window } = destinationOf(domain)
    if (stalled > 0) return 0
    // Taken in some quantity, because each taking is a transaction.
    return busy === 0 || busy * 2 <= window ? window - busy : 0
  }

  return {
    markReady(domains: Iterable<string>): void {
      generation += 1
      for (const domain of domains) ready.set(domain, generation)
    },
    /** What to ask for next, by destination; empty when there is no room or nothing is due. */
    ask(): Map<string, number> {
      let room = limits.slots - (running - Math.min(slow, MAX_SLOW))
      let unprovenRoom = Math.ceil(limits.slots * UNPROVEN_SHARE) - unproven
      const asked = new Map<string, number>()
      for (const domain of ready.keys()) {
        if (room <= 0 || asked.size >= MAX_ASKED) break
        const { isProven } = destinationOf(domain)
        const slots = Math.min(roomOf(domain), room, isProven ? room : unprovenRoom)
        if (slots <= 0) continue
        asked.set(domain, slots)
        room -= slots
        if (!isProven) unprovenRoom -= slots
      }
      return asked
    },
    get generation() {
      return generation
    },
    /** A destination that gave less than was asked for has nothing more, unless more has come since `asOf`. */
    settle(asked: ReadonlyMap<string, number>, given: ReadonlyMap<string, number>, asOf: number): void {
      for (const [domain, slots] of asked) {
        const said = ready.get(domain)
        if (said === undefined) continue
        ready.delete(domain)
        const hasMore = (given.get(domain) ?? 0) >= slots || said > asOf
        if (hasMore) ready.set(domain, said)
      }
    },
    enter(domain: string): Slot {
      const destination = destinationOf(domain)
      running += 1
      destination.running += 1
      if (!destination.isProven) unproven += 1
      return { domain, isSlow: false, isUnproven: !destination.isProven }
    },
    becomeSlow(slot: Slot): void {
      slot.isSlow = true
      slow += 1
      if (slot.isUnproven) unproven -= 1
      destinationOf(slot.domain).slow += 1
    },
    leave(slot: Slot, outcome: 'reached' | 'failed' | 'other'): void {
      const destination = destinationOf(slot.domain)
      running -= 1
      destination.running -= 1
      if (slot.isSlow) {
        slow -= 1
        destination.slow -= 1
      } else if (slot.isUnproven) unproven -= 1
      if (outcome === 'other') return
      destination.isProven = outcome === 'reached'
      destination.window = outcome === 'failed' ? 1 : Math.min(destination.window + 1, limits.perDestination)
    },
  }
}
