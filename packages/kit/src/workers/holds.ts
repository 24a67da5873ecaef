import type { MaybePromise } from '../http/route.ts'
import { type Link, link } from './link.ts'

/** Places of which each key has so many, such as connections of one IP address. The workers of a machine share them. */
export type Holds = {
  /** Takes a place until the function that it gives is called; null when `max` are taken. */
  enter(key: string, max: number): MaybePromise<(() => void) | null>
}

/** `name` is what the workers know it by. */
export const openHolds = (name: string): Holds => (link ? sharedHolds(link, name) : ownHolds())

const ownHolds = (): Holds => {
  const places = createPlaces()
  return { enter: (key, max) => (places.take(key, max) ? once(() => places.free(key)) : null) }
}

const sharedHolds = (link: Link, name: string): Holds => ({
  enter: async (of, max) => {
    const key = `${name} ${of}`
    return (await link.ask('hold', { key, max })) ? once(() => void link.ask('release', { key })) : null
  },
})

const once = (act: () => void): (() => void) => {
  let isDone = false
  return () => {
    if (!isDone) act()
    isDone = true
  }
}

/** Counts taken places. */
export const createPlaces = () => {
  const taken = new Map<string, number>()
  return {
    take(key: string, max: number): boolean {
      const count = taken.get(key) ?? 0
      if (count >= max) return false
      taken.set(key, count + 1)
      return true
    },
    free(key: string): void {
      const left = (taken.get(key) ?? 1) - 1
      if (left > 0) taken.set(key, left)
      else taken.delete(key)
    },
  }
}
