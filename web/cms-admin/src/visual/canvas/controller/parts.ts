import type { FromEditor } from '../protocol.ts'
import { elementsOf } from './marks.ts'
import { collapse } from './text.ts'

type Parts = Extract<FromEditor, { t: 'setParts' }>['parts']

/**
 * Shows texts of parts as they would be. A text is known by what the page came with; whatever is made of more than that
 * text waits for the next rendering. Nothing said about a text brings back what it was.
 */
export const createPartTexts = (): ((parts: Parts) => void) => {
  const came = new Map<Text, string>()
  return (parts) => {
    const wanted = new Map<Text, string>()
    for (const { id, texts } of parts)
      for (const element of elementsOf('part', id)) {
        const nodes = textsIn(element)
        for (const [was, pairs] of Map.groupBy(texts, (pair) => collapse(pair.was))) {
          const places = was === '' ? [] : nodes.filter((node) => collapse(came.get(node) ?? node.data) === was)
          // Equal texts are matched in order, and a part may show all of its texts twice
          for (const [index, node] of places.entries()) wanted.set(node, pairs[index % pairs.length]?.is ?? '')
        }
      }
    for (const node of new Set([...came.keys(), ...wanted.keys()])) {
      const original = came.get(node) ?? node.data
      came.set(node, original)
      const text = wanted.get(node)
      const data =
        text === undefined || text === collapse(original) ? original : original.replace(/\S(?:.*\S)?/s, () => text)
      if (node.data !== data) node.data = data
    }
  }
}

const textsIn = (element: Element): Text[] => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const found: Text[] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) if (node instanceof Text) found.push(node)
  return found
}
