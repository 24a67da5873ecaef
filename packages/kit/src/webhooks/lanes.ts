export type LaneLimits = {
  /** Quick attempts at healthy endpoints. */
  healthy: number
  /** Attempts at endpoints whose last one failed. */
  failing: number
  /** Attempts that turned out slow stop counting as quick, up to this many. */
  slow: number
  /** Attempts at one healthy endpoint. A failing or slow one gets no second while the first runs. */
  perEndpoint: number
}

export type Room = {
  lane: 'healthy' | 'failing'
  limit: number
  perEndpoint: number
  placesLeft: ReadonlyMap<string, number>
}

export type Place = { lane: Room['lane']; endpointId: string; since: number }

/**
 * Who may run beside whom. Endpoints that hang must not take the places of those that answer: known failures have
 * their own lane, and whatever runs longer than a moment leaves the quick one.
 */
export const createLanes = (given: Partial<LaneLimits> = {}) => {
  const limits: LaneLimits = { ...DEFAULT_LIMITS, ...given }
  const places = new Set<Place>()
  const isSlow = (place: Place, now: number) => now - place.since >= SLOW_AFTER_MS

  const placesLeft = (now: number): Map<string, number> => {
    const left = new Map<string, number>()
    for (const place of places) {
      const before = left.get(place.endpointId) ?? limits.perEndpoint
      left.set(place.endpointId, place.lane === 'failing' || isSlow(place, now) ? 0 : Math.max(0, before - 1))
    }
    return left
  }

  return {
    /** How many deliveries each lane may take now. */
    rooms(now: number): [Room, Room] {
      const all = [...places]
      const healthy = all.filter(({ lane }) => lane === 'healthy')
      const slow = healthy.filter((place) => isSlow(place, now)).length
      const quick = healthy.length - Math.min(slow, limits.slow)
      const left = placesLeft(now)
      return [
        {
          lane: 'healthy',
          limit: Math.max(0, limits.healthy - quick),
          perEndpoint: limits.perEndpoint,
          placesLeft: left,
        },
        { lane: 'failing', limit: limits.failing - (all.length - healthy.length), perEndpoint: 1, placesLeft: left },
      ]
    },
    enter(lane: Room['lane'], endpointId: string, now: number): Place {
      const place: Place = { lane, endpointId, since: now }
      places.add(place)
      return place
    },
    leave(place: Place): void {
      places.delete(place)
    },
  }
}

const DEFAULT_LIMITS: LaneLimits = { healthy: 64, failing: 16, slow: 256, perEndpoint: 4 }

/** Most receivers answer in a tenth of this. */
export const SLOW_AFTER_MS = 500
