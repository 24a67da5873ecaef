type Press = { key: string; altKey: boolean; shiftKey: boolean; ctrlKey: boolean; metaKey: boolean }

/** Where arrows with Alt have a meaning of their own. */
export const OWN_ARROWS = 'select, textarea, [contenteditable=true], [role=combobox], [role=menu], [role=listbox]'

/** What a key press inside a row means for the row. */
export const keyActionOf = (press: Press, hasOwnArrows: boolean): 'up' | 'down' | 'add' | undefined => {
  const mod = press.ctrlKey || press.metaKey
  if (press.shiftKey) return undefined
  if (press.key === 'Enter' && mod && !press.altKey) return 'add'
  if (!press.altKey || mod || hasOwnArrows) return undefined
  if (press.key === 'ArrowUp') return 'up'
  return press.key === 'ArrowDown' ? 'down' : undefined
}
