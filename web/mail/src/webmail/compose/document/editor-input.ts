import { Extension } from '@tiptap/core'
import { type Schema, Slice } from '@tiptap/pm/model'
import { Plugin, TextSelection } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import type { DocNode } from './document.ts'
import { htmlToBlocks } from './html-to-doc.ts'

export type EditorSurroundings = {
  /** Takes pictures into the message and gives their ids in the text. */
  addPictures: (files: readonly File[]) => (string | null)[]
  attach: (files: readonly File[]) => void
  openLink: () => void
  focusToolbar: () => void
}

/** Input from outside the document: keys, the clipboard, and drops. */
export const EditorInput = Extension.create<EditorSurroundings>({
  name: 'editorInput',
  // Before the link extension, which has a paste of its own
  priority: 1100,
  addKeyboardShortcuts() {
    return {
      'Mod-k': () => does(this.options.openLink),
      'Alt-F10': () => does(this.options.focusToolbar),
    }
  },
  addProseMirrorPlugins() {
    const { options } = this
    return [
      new Plugin({
        props: {
          handlePaste: (view, event) => paste(view, event, options),
          handleDrop: (view, event, _slice, isMoved) => !isMoved && drop(view, event, options),
          handleDOMEvents: { beforeinput: typeOverSelection, mousedown: pressBelow },
        },
      }),
    ]
  },
})

const does = (run: () => void): true => {
  run()
  return true
}

const isPicture = ({ type }: File): boolean => /^image\/(?:png|jpeg|gif|webp)$/.test(type)

const paste = (view: EditorView, event: ClipboardEvent, surroundings: EditorSurroundings): boolean => {
  const data = event.clipboardData
  if (!data) return false
  const html = data.getData('text/html')
  const files = [...data.files]
  // A picture that is copied in a browser comes as a file, too
  if (
    files.length > 0 &&
    (html === '' || /^[\s\S]{0,2000}<img [^>]*>\s*(?:<!--EndFragment-->[\s\S]{0,40})?$/.test(html))
  ) {
    takeFiles(view, files, surroundings)
    return true
  }
  // Copied from an editor like this one: its own signs say how it fits in
  if (html === '' || html.includes(' data-pm-slice="')) return false
  const blocks = htmlToBlocks(html, { picture: (src) => dataPicture(src, surroundings) })
  if (blocks.length === 0) return false
  view.dispatch(view.state.tr.replaceSelection(sliceOf(view.state.schema, blocks)).scrollIntoView())
  return true
}

/** Text at the ends goes on in the line where it is put. */
const sliceOf = (schema: Schema, blocks: readonly DocNode[]): Slice => {
  const { content } = schema.nodeFromJSON({ type: 'doc', content: blocks })
  const open = (node: DocNode | undefined) => (node?.type === 'paragraph' ? 1 : 0)
  return new Slice(content, open(blocks[0]), open(blocks.at(-1)))
}

const dataPicture = (src: string, { addPictures }: EditorSurroundings): string | null => {
  const match = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=\s]+)$/.exec(src)
  if (!match) return null
  const [, type = '', text = ''] = match
  const bytes = bytesOf(text)
  if (!bytes) return null
  return addPictures([new File([bytes], `picture.${type.slice('image/'.length)}`, { type })])[0] ?? null
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> | null => {
  try {
    return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
  } catch {
    // The page that it was copied from wrote nonsense: its words are still wanted
    return null
  }
}

const drop = (view: EditorView, event: DragEvent, surroundings: EditorSurroundings): boolean => {
  const files = [...(event.dataTransfer?.files ?? [])]
  if (files.length === 0) return false
  event.preventDefault()
  const place = view.posAtCoords({ left: event.clientX, top: event.clientY })
  takeFiles(view, files, surroundings, place?.pos)
  return true
}

/** Pictures are shown in the text, other files go along. */
export const takeFiles = (
  view: EditorView,
  files: readonly File[],
  { addPictures, attach }: EditorSurroundings,
  at = view.state.selection.from,
): void => {
  const pictures = files.filter(isPicture)
  const others = files.filter((file) => !isPicture(file))
  if (others.length > 0) attach(others)
  if (pictures.length === 0) return
  const nodes = addPictures(pictures).flatMap((cid, index) =>
    cid === null ? [] : [view.state.schema.node('image', { cid, alt: altOf(pictures[index]) })],
  )
  if (nodes.length > 0) view.dispatch(view.state.tr.insert(at, nodes).scrollIntoView())
}

const altOf = (file: File | undefined): string => file?.name.replace(/\.[^.]*$/, '') ?? ''

/** A press on the empty part below a signature is meant to write above it. */
const pressBelow = (view: EditorView, event: MouseEvent): boolean => {
  const { doc, tr } = view.state
  const last = view.dom.lastElementChild
  const isBelow = event.target === view.dom && last && event.clientY > last.getBoundingClientRect().bottom
  if (!isBelow || event.button !== 0 || event.shiftKey || doc.lastChild?.type.name !== 'signature') return false
  // One empty line stands between the text and the signature
  const before = doc.childCount > 2 ? doc.child(doc.childCount - 2) : null
  const space = before?.content.size === 0 ? before.nodeSize : 0
  event.preventDefault()
  view.dispatch(tr.setSelection(TextSelection.near(doc.resolve(doc.content.size - doc.lastChild.nodeSize - space), -1)))
  view.focus()
  return true
}

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
