import type { MaybePromise } from '../http/route.ts'
import { type Link, link } from './link.ts'

/** Slots, of which each key has so many, such as connections of one IP address. The workers of a machine share them. */
export type Slots = {
  /** Takes a slot until the function that it gives is called; null when `max` are taken. */
  enter(key: string, max: number): MaybePromise<(() => void) | null>
}

/** `name` is what the workers know it by. */
export const openSlots = (name: string): Slots => (link ? sharedSlots(link, name) : ownSlots())

const ownSlots = (): Slots => {
  const slots = createSlots()
  return { enter: (key, max) => (slots.take(key, max) ? once(() => slots.free(key)) : null) }
}

const sharedSlots = (link: Link, name: string): Slots => ({
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

/** Counts taken slots. */
export const createSlots = () => {
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
