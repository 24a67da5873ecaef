import { useEffect, useRef, useSyncExternalStore } from 'react'

/**
 * Where answers are written below the messages that they answer. It knows nothing of the windows, whose code comes with
 * the first one.
 */
const slots = new Map<string, HTMLElement>()
let taken: ReadonlySet<string> = new Set()
let version = 0
const listeners = new Set<() => void>()

const notify = (): void => {
  version += 1
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The places that are on the screen, by the ids of their messages. */
export const useSlots = (): ReadonlyMap<string, HTMLElement> => {
  useSyncExternalStore(subscribe, () => version)
  return slots
}

/** Says which messages are being answered in their places. */
export const reportTaken = (ids: readonly string[]): void => {
  if (ids.length === taken.size && ids.every((id) => taken.has(id))) return
  taken = new Set(ids)
  notify()
}

/** Whether a message is being answered in its place. */
export const useIsTaken = (messageId: string): boolean => useSyncExternalStore(subscribe, () => taken.has(messageId))

/** Windows by the messages that they stand below, each with the address at which it got there. */
export type SlotWindows = ReadonlyMap<string, { windowId: string; path: string }>

/**
 * Follows windows and their places. A message that was left gives its window up; one that is only drawn anew at the same
 * address gets it back.
 */
export const followSlots = (
  before: SlotWindows,
  { path, placed, shown }: { path: string; placed: ReadonlyMap<string, string>; shown: { has(id: string): boolean } },
): { next: SlotWindows; left: string[] } => {
  const missing = [...before].filter(([at]) => !shown.has(at))
  const stays = missing.filter(([, place]) => place.path === path)
  const here = [...placed].map(([at, windowId]) => {
    const known = before.get(at)
    return [at, known?.windowId === windowId ? known : { windowId, path }] as const
  })
  return {
    next: new Map([...stays, ...here]),
    left: missing.filter(([, place]) => place.path !== path).map(([, { windowId }]) => windowId),
  }
}

/** The place below a message: give it to the element as its `ref`. */
export const useSlot = (messageId: string) => {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = element
    if (!current) return
    slots.set(messageId, current)
    notify()
    return () => {
      if (slots.get(messageId) === current) slots.delete(messageId)
      notify()
    }
  }, [messageId])
  return element
}
