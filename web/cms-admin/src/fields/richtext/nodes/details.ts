import { Node } from '@tiptap/core'

declare module '@tiptap/core' {
  interface Commands<ReturnType> {
    details: {
      /** Puts a part that opens on a press at the selection, around the selected blocks. */
      setDetails: () => ReturnType
    }
  }
}

/** A part that opens on a press. While writing it is always open. */
export const Details = Node.create({
  name: 'details',
  group: 'block',
  content: 'detailsSummary? block+',
  defining: true,
  isolating: true,
  parseHTML: () => [{ tag: 'details' }],
  renderHTML: ({ HTMLAttributes }) => ['details', HTMLAttributes, 0],
  addNodeView: () => () => {
    const dom = document.createElement('div')
    dom.className = 'rt-details'
    return { dom, contentDOM: dom }
  },
  addCommands() {
    return {
      setDetails:
        () =>
        ({ state, chain }) => {
          const { $from, $to } = state.selection
          const range = $from.blockRange($to)
          if (!range) return false
          const inner = state.selection.empty ? null : state.doc.slice(range.start, range.end).content.toJSON()
          return chain()
            .insertContentAt(
              { from: range.start, to: range.end },
              { type: this.name, content: [{ type: 'detailsSummary' }, ...(inner ?? [{ type: 'paragraph' }])] },
            )
            .setTextSelection(range.start + 2)
            .run()
        },
    }
  },
})

/** The line that is always to be seen. */
export const DetailsSummary = Node.create({
  name: 'detailsSummary',
  content: 'inline*',
  defining: true,
  selectable: false,
  isolating: true,
  parseHTML: () => [{ tag: 'summary' }],
  renderHTML: ({ HTMLAttributes }) => ['summary', HTMLAttributes, 0],
  addKeyboardShortcuts() {
    return {
      // The summary is one line: Enter goes on below it
      Enter: ({ editor }) => {
        const { $from, empty } = editor.state.selection
        if (!empty || $from.parent.type !== this.type) return false
        return editor.commands.setTextSelection($from.after() + 1)
      },
    }
  },
})
