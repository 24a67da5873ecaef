export type LaneLimits = {
  /** Quick work for healthy keys. */
  healthy: number
  /** Work for keys that are known to fail. */
  failing: number
  /** Work that turned out slow stops counting as quick, up to this much. */
  slow: number
  /** Work for one healthy key. A failing or slow one gets no second while the first runs. */
  perKey: number
}

/** The free capacity of a lane. */
export type Room = {
  lane: 'healthy' | 'failing'
  limit: number
  perKey: number
  /** Slots left of keys that are being worked for already. */
  slotsLeft: ReadonlyMap<string, number>
}

type Slot = { lane: Room['lane']; key: string; since: number }

/**
 * Who may run beside whom. Keys that hang must not take the slots of those that are quick: known failures have their
 * own lane, and whatever runs longer than a moment leaves the quick one.
 */
export const createLanes = (given: Partial<LaneLimits> = {}) => {
  const limits: LaneLimits = { ...DEFAULT_LIMITS, ...given }
  const slots = new Set<Slot>()
  const isSlow = (slot: Slot, now: number) => now - slot.since >= SLOW_AFTER_MS

  const slotsLeft = (now: number): Map<string, number> => {
    const left = new Map<string, number>()
    for (const slot of slots) {
      const before = left.get(slot.key) ?? limits.perKey
      left.set(slot.key, slot.lane === 'failing' || isSlow(slot, now) ? 0 : Math.max(0, before - 1))
    }
    return left
  }

  return {
    rooms(now: number): [Room, Room] {
      const all = [...slots]
      const healthy = all.filter(({ lane }) => lane === 'healthy')
      const slow = healthy.filter((slot) => isSlow(slot, now)).length
      const quick = healthy.length - Math.min(slow, limits.slow)
      const left = slotsLeft(now)
      return [
        { lane: 'healthy', limit: Math.max(0, limits.healthy - quick), perKey: limits.perKey, slotsLeft: left },
        { lane: 'failing', limit: limits.failing - (all.length - healthy.length), perKey: 1, slotsLeft: left },
      ]
    },
    enter(lane: Room['lane'], key: string, now: number): Slot {
      const slot: Slot = { lane, key, since: now }
      slots.add(slot)
      return slot
    },
    leave(slot: Slot): void {
      slots.delete(slot)
    },
  }
}

const DEFAULT_LIMITS: LaneLimits = { healthy: 64, failing: 16, slow: 256, perKey: 4 }

/** Most work takes a tenth of this. */
export const SLOW_AFTER_MS = 500
