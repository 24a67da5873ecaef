import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { topLayer, useCurrentLayer } from '../layer/layers.ts'
import { isMac, parseShortcut, pressMatches } from './shortcut-keys.ts'

export type Shortcut = { keys: string; description: string; group: string }

type Binding = Shortcut & { layer: number; repeats: boolean; run: () => void }

type ShortcutOptions = Shortcut & {
  /** Not while false. */
  enabled?: boolean
  /** Again and again while the key is held down: for steps through a list. */
  repeats?: boolean
  onPress: () => void
}

/**
 * Binds keys such as `mod+s`, `?` or `g d` while the component is mounted. Only the top layer handles them,
 * the newest binding of the same keys wins, and keys without `mod` rest while someone types.
 */
export const useShortcut = ({
  keys,
  description,
  group,
  enabled = true,
  repeats = false,
  onPress,
}: ShortcutOptions): void => {
  const layer = useCurrentLayer()
  const run = useEffectEvent(onPress)
  useEffect(() => {
    if (!enabled) return
    const binding: Binding = { keys, description, group, layer, repeats, run: () => run() }
    add(binding)
    return () => remove(binding)
  }, [keys, description, group, enabled, repeats, layer])
}

/** Presses keys that came from a frame on this page while nobody types there. Returns whether they are bound. */
export const pressShortcut = (keys: string): boolean => {
  const top = topLayer()
  const binding = bindings.findLast((one) => one.keys === keys && one.layer === top)
  if (!binding || (!keys.includes('mod+') && !singleKeys)) return false
  binding.run()
  return true
}

/** The shortcuts that can be pressed on this screen, for the help. */
export const useShortcutList = (): readonly Shortcut[] => useSyncExternalStore(subscribe, () => shown)

const SINGLE_KEYS_OFF = 'stoa-single-keys-off'

/** Keys without `mod` can be switched off: speech input would trigger them by accident (WCAG 2.1.4). */
export const useSingleKeys = (): [boolean, (on: boolean) => void] => [
  useSyncExternalStore(subscribe, () => singleKeys),
  setSingleKeys,
]

// A sequence such as `g d` is forgotten when the second key takes longer
const SEQUENCE_MS = 1200

let bindings: readonly Binding[] = []
let shown: readonly Shortcut[] = []
let pending: { key: KeyboardEvent; at: number } | undefined
const listeners = new Set<() => void>()

const readSingleKeys = (): boolean => {
  try {
    return localStorage.getItem(SINGLE_KEYS_OFF) === null
  } catch {
    // The browser blocks site data: the default holds
    return true
  }
}

let singleKeys = readSingleKeys()

const setSingleKeys = (on: boolean): void => {
  singleKeys = on
  try {
    if (on) localStorage.removeItem(SINGLE_KEYS_OFF)
    else localStorage.setItem(SINGLE_KEYS_OFF, '1')
  } catch (error) {
    // The choice holds until the page is left
    console.warn("Couldn't save the shortcut setting", error)
  }
  notify()
}

const notify = (): void => {
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const update = (next: readonly Binding[]): void => {
  if (bindings.length === 0 && next.length > 0) document.addEventListener('keydown', onKeyDown)
  if (bindings.length > 0 && next.length === 0) document.removeEventListener('keydown', onKeyDown)
  bindings = next
  const byKeys = new Map(next.map((binding) => [binding.keys, binding]))
  shown = [...byKeys.values()].map(({ keys, description, group }) => ({ keys, description, group }))
  notify()
}

const add = (binding: Binding): void => update([...bindings, binding])
const remove = (binding: Binding): void => update(bindings.filter((other) => other !== binding))

const onKeyDown = (event: KeyboardEvent): void => {
  if (event.defaultPrevented || event.isComposing) return
  const binding = find(event)
  if (event.repeat && !binding?.repeats) return
  const started = pending
  pending = undefined
  if (binding) {
    event.preventDefault()
    binding.run()
    return
  }
  if (!started && startsSequence(event)) pending = { key: event, at: event.timeStamp }
}

const find = (event: KeyboardEvent): Binding | undefined => {
  const fitting = reachable(event).filter((binding) => fits(binding, event))
  // The second key of `g s` is not the key `s`
  return fitting.findLast(({ keys }) => keys.includes(' ')) ?? fitting.at(-1)
}

const fits = (binding: Binding, event: KeyboardEvent): boolean => {
  const steps = parseShortcut(binding.keys)
  const last = steps[steps.length - 1]
  if (!last || !pressMatches(last, event, isMac())) return false
  const first = steps[0]
  if (steps.length === 1 || !first) return true
  return (
    pending !== undefined && event.timeStamp - pending.at < SEQUENCE_MS && pressMatches(first, pending.key, isMac())
  )
}

const startsSequence = (event: KeyboardEvent): boolean =>
  reachable(event).some((binding) => {
    const [first, second] = parseShortcut(binding.keys)
    return first !== undefined && second !== undefined && pressMatches(first, event, isMac())
  })

const reachable = (event: KeyboardEvent): readonly Binding[] => {
  const typing = isTyping(event.target) || !singleKeys
  const top = topLayer()
  return bindings.filter((binding) => binding.layer === top && (binding.keys.includes('mod+') || !typing))
}

// A menu has its own keys: letters search in it
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest('input:not([type=checkbox]), textarea, select, [role="menu"]') !== null)
