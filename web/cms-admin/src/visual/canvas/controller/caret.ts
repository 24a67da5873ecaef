export type Point = { x: number; y: number }

/** Puts the caret where somebody clicked. False when that is not in the text. */
export const caretAt = (element: Element, { x, y }: Point): boolean => {
  const range = document.caretRangeFromPoint?.(x, y) ?? positionAt(x, y)
  if (!range || !element.contains(range.startContainer)) return false
  select(range)
  return true
}

const positionAt = (x: number, y: number): Range | null => {
  const position = document.caretPositionFromPoint?.(x, y)
  if (!position) return null
  const range = document.createRange()
  range.setStart(position.offsetNode, position.offset)
  return range
}

export const caretToEnd = (element: Element): void => {
  const range = document.createRange()
  range.selectNodeContents(element)
  range.collapse(false)
  select(range)
}

const select = (range: Range): void => {
  const selection = getSelection()
  selection?.removeAllRanges()
  selection?.addRange(range)
}

/** The caret is after as much text as before, although the nodes are others. */
export const keepCaret = (element: Element, change: () => void): void => {
  const selection = getSelection()
  const before = document.createRange()
  before.selectNodeContents(element)
  if (selection?.focusNode && element.contains(selection.focusNode))
    before.setEnd(selection.focusNode, selection.focusOffset)
  let left = before.toString().length
  change()
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { length } = node as Text
    if (left <= length) {
      const range = document.createRange()
      range.setStart(node, left)
      select(range)
      return
    }
    left -= length
  }
  caretToEnd(element)
}
