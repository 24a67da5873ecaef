import { Extension, type Extensions } from '@tiptap/core'
import { Placeholder } from '@tiptap/extensions'
import { Plugin } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { Find } from './find.ts'
import { PasteHandling } from './paste-handling.ts'
import type { Action } from './rich-text-actions.tsx'
import { documentExtensions } from './schema.ts'
import { SlashMenu, type SlashStore } from './slash-menu.ts'
import { PictureUploads } from './upload-pictures.ts'

/** What the keys of the editor ask of its surroundings. */
type EditorKeys = {
  onLink: () => void
  onFind: () => void
  onToolbar: () => void
  /** Esc in full screen; false when there is nothing to leave. */
  onLeave: () => boolean
}

type Surroundings = { keys: EditorKeys; slash: SlashStore; onRun: (action: Action) => void }

/** The document and everything to write it with. */
export const editorExtensions = ({ keys, slash, onRun }: Surroundings): Extensions => [
  ...documentExtensions(),
  Placeholder.configure({
    placeholder: 'Start writing, or type / to insert',
    emptyNodeClass: 'is-empty-node',
    emptyEditorClass: 'is-empty-first',
  }),
  PasteHandling,
  PictureUploads,
  Find,
  SlashMenu.configure({ store: slash, onRun }),
  Extension.create({
    name: 'surroundings',
    addKeyboardShortcuts: () => ({
      'Mod-k': () => does(keys.onLink),
      'Mod-f': () => does(keys.onFind),
      'Alt-F10': () => does(keys.onToolbar),
      Escape: () => keys.onLeave(),
    }),
    addProseMirrorPlugins: () => [
      new Plugin({ props: { handleDOMEvents: { beforeinput: (view, event) => typeOverSelection(view, event) } } }),
    ],
  }),
]

/** Left to the browser, it would keep the look of the replaced text in a style attribute, which the CSP refuses. */
const typeOverSelection = (view: EditorView, event: InputEvent): boolean => {
  const { empty, from, to } = view.state.selection
  const text = event.data
  if (event.inputType !== 'insertText' || !text || empty || !view.editable) return false
  event.preventDefault()
  const insert = () => view.state.tr.insertText(text, from, to).scrollIntoView()
  if (!view.someProp('handleTextInput', (handle) => handle(view, from, to, text, insert))) view.dispatch(insert())
  return true
}

const does = (run: () => void): true => {
  run()
  return true
}
