import { DOMParser, type Node, Slice } from '@tiptap/pm/model'
import type { EditorState } from '@tiptap/pm/state'
import type { SelectedPart } from '../field-selection.ts'
import { embedHostsOf, toStoredHtml } from './stored-html.ts'

/**
 * What is selected in rich text, as HTML that could be stored; null when that is nothing, or no part of its own. `page` is
 * a document that nobody sees.
 */
export const selectedPart = (state: EditorState, html: string, page: Document): SelectedPart | null => {
  const { selection, schema } = state
  const { from, to, $to } = selection
  if (selection.empty) return null
  const storedOf = (doc: Node): string => toStoredHtml(doc, page, embedHostsOf(html)) ?? html
  const own = schema.topNodeType.createAndFill(null, selection.content().content)
  const content = own ? storedOf(own) : ''
  if (content === '') return null
  const read = (part: string): Node => {
    const root = page.createElement('div')
    root.innerHTML = part
    return DOMParser.fromSchema(schema).parse(root)
  }
  return {
    content,
    // Open at both ends: words in a heading stay in the heading
    replaced: (part) => storedOf(state.tr.replace(from, to, Slice.maxOpen(read(part).content)).doc),
    followedBy: (part) => storedOf(state.tr.insert($to.depth > 0 ? $to.after(1) : to, read(part).content).doc),
  }
}
