import type { ContentVersions, Sources } from './changes.ts'

/** An entry at a place of an order, counted from 0, by what the order goes by. */
export type Position = { place: number; value: string; id: string }

/** More orders, or places of one, are not remembered: then all are found anew. */
const MAX_ORDERS = 500
const MAX_PLACES = 1_000

/**
 * Positions where pages of long lists ended. Until a list changes, its next page continues there instead of counting all
 * entries before it.
 */
export type Positions = {
  /** The last one that is known before this place. */
  before(order: string, place: number): Position | undefined
  /** Keeps one that was read since the public version. */
  keep(order: string, position: Position, read: { sources: Sources; version: number }): void
}

type Order = { places: Map<number, Position>; sources: Sources; version: number }

export const createPositions = (versions: ContentVersions): Positions => {
  const orders = new Map<string, Order>()
  const find = (name: string): Order | undefined => {
    const order = orders.get(name)
    if (order && versions.isCurrent() && !versions.hasChanged(order.sources, order.version)) return order
    orders.delete(name)
    return undefined
  }
  return {
    before(name, place) {
      let last: Position | undefined
      for (const known of find(name)?.places.values() ?? [])
        if (known.place < place && known.place > (last?.place ?? -1)) last = known
      return last
    },
    keep(name, position, { sources, version }) {
      if (!versions.isCurrent()) return
      const known = find(name)
      // Read before the last change, it may be of another order than the places that are known.
      if (known && known.version > version) return
      if (orders.size >= MAX_ORDERS) orders.clear()
      const order = known && known.places.size < MAX_PLACES ? known : { places: new Map(), sources, version }
      order.places.set(position.place, position)
      orders.set(name, order)
    },
  }
}
