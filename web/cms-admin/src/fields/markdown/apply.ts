import type { EditorView } from '@codemirror/view'
import type { Edit, Selected } from './edits.ts'

/** The text with line feeds, as positions count them, and what is selected. */
export const selectedIn = (view: EditorView): Selected => {
  const { from, to } = view.state.selection.main
  return { text: view.state.doc.toString(), from, to }
}

/** Does an edit, as one step of undo, and leaves the focus in the text. */
export const apply = (view: EditorView, { from, to, insert, anchor, head }: Edit): void => {
  view.dispatch({
    // Lines are split here, so that the text's own kind of line break is written
    changes: { from, to, insert: view.state.toText(insert.replaceAll('\n', view.state.lineBreak)) },
    selection: { anchor, head },
    userEvent: 'input',
    scrollIntoView: true,
  })
  view.focus()
}
