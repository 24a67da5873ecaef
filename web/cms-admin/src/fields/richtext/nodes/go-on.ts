import { NodeSelection, TextSelection, type Transaction } from '@tiptap/pm/state'

/** Puts the caret behind the block that was just put in, into a new paragraph where none is: what is typed next must not replace it. */
export const goOnBehind = (tr: Transaction): true => {
  const { selection } = tr
  const { $to } = selection
  const isBlock = selection instanceof NodeSelection
  const at = isBlock || !$to.parent.isTextblock ? $to.pos : $to.after()
  const next = tr.doc.resolve(at).nodeAfter
  const paragraph = tr.doc.type.schema.nodes.paragraph
  if (!next?.isTextblock && paragraph) tr.insert(at, paragraph.create())
  tr.setSelection(TextSelection.near(tr.doc.resolve(at + 1))).scrollIntoView()
  return true
}
