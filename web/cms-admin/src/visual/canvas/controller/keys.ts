import type { KeyCombo } from '../protocol.ts'

const withMod: Readonly<Record<string, KeyCombo>> = {
  z: 'mod+Z',
  y: 'mod+Shift+Z',
  s: 'mod+S',
  e: 'mod+E',
  k: 'mod+K',
}

/** They move the caret, cut a line or are text themselves while somebody types. */
const RESTING: ReadonlySet<KeyCombo> = new Set(['mod+K', 'Alt+Up', 'Alt+Down', '1', '2', '3', '4', '5', '6'])

/** The shortcut of the editor that somebody pressed in the canvas. */
export const comboOf = (event: KeyboardEvent, isTyping: boolean): KeyCombo | null => {
  const combo = pressed(event)
  return combo !== null && isTyping && RESTING.has(combo) ? null : combo
}

const pressed = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): KeyCombo | null => {
  const isMod = ctrlKey || metaKey
  if (isMod && !altKey) {
    const combo = Object.hasOwn(withMod, key.toLowerCase()) ? withMod[key.toLowerCase()] : undefined
    if (combo === 'mod+Z' && shiftKey) return 'mod+Shift+Z'
    return shiftKey ? null : (combo ?? null)
  }
  if (isMod || shiftKey) return null
  if (altKey) return key === 'ArrowUp' ? 'Alt+Up' : key === 'ArrowDown' ? 'Alt+Down' : null
  if (key === 'Escape') return 'Esc'
  return /^[1-6]$/.test(key) ? (key as KeyCombo) : null
}
