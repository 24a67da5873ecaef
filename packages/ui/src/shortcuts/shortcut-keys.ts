export type KeyPress = Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'altKey' | 'shiftKey'>

/** Whether `mod` is the Command key here. */
export const isMac = (): boolean => typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.userAgent)

/** Splits `g d` into its steps and each step into modifiers and a key. */
export const parseShortcut = (keys: string): { mod: boolean; shift: boolean; alt: boolean; key: string }[] =>
  keys.split(' ').map((step) => {
    const parts = step.split('+')
    const key = parts.pop() || '+'
    return { mod: parts.includes('mod'), shift: parts.includes('shift'), alt: parts.includes('alt'), key }
  })

/** Whether a key press is this step. Signs such as `?` already contain Shift. */
export const pressMatches = (
  step: ReturnType<typeof parseShortcut>[number],
  press: KeyPress,
  mac: boolean,
): boolean => {
  const mod = mac ? press.metaKey : press.ctrlKey
  const other = mac ? press.ctrlKey : press.metaKey
  if (mod !== step.mod || other || press.altKey !== step.alt) return false
  if (press.key.toLowerCase() !== step.key.toLowerCase()) return false
  const isLetter = /^[a-z]$/i.test(step.key)
  return isLetter || step.key.length > 1 ? press.shiftKey === step.shift : true
}

const macSigns: Record<string, string> = { mod: '⌘', shift: '⇧', alt: '⌥' }
const otherSigns: Record<string, string> = { mod: 'Ctrl', shift: 'Shift', alt: 'Alt' }
const keySigns: Record<string, string> = {
  escape: 'Esc',
  enter: '↵',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
}

/** What to print on the keycaps. */
export const keyLabels = (keys: string, mac: boolean = isMac()): string[] =>
  keys.split(/[ +]/).map((part) => {
    const sign = (mac ? macSigns : otherSigns)[part] ?? keySigns[part.toLowerCase()]
    return sign ?? (part.length === 1 ? part.toUpperCase() : part)
  })
