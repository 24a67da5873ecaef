import type { KeyCombo } from '../protocol.ts'

const withMod: Readonly<Record<string, KeyCombo>> = {
  z: 'mod+Z',
  y: 'mod+Shift+Z',
  s: 'mod+S',
  e: 'mod+E',
  k: 'mod+K',
}

/** The shortcut of the editor that somebody pressed in the canvas. Digits are only shortcuts while nobody types. */
export const comboOf = (event: KeyboardEvent, isTyping: boolean): KeyCombo | null => {
  const { key, altKey, shiftKey } = event
  const isMod = event.ctrlKey || event.metaKey
  if (isMod && !altKey) {
    const combo = Object.hasOwn(withMod, key.toLowerCase()) ? withMod[key.toLowerCase()] : undefined
    if (combo === 'mod+Z' && shiftKey) return 'mod+Shift+Z'
    return shiftKey ? null : (combo ?? null)
  }
  if (isMod || shiftKey) return null
  if (altKey) return key === 'ArrowUp' ? 'Alt+Up' : key === 'ArrowDown' ? 'Alt+Down' : null
  if (key === 'Escape') return 'Esc'
  return !isTyping && /^[1-6]$/.test(key) ? (key as KeyCombo) : null
}
