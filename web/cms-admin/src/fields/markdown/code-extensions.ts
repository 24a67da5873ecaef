import { markdown, markdownKeymap, markdownLanguage } from '@codemirror/lang-markdown'
import type { Extension } from '@codemirror/state'
import { EditorView, type KeyBinding, keymap, placeholder } from '@codemirror/view'
import { cleanPaste } from '../richtext/paste.ts'
import { apply, selectedIn } from './apply.ts'
import { toggleAround } from './edits.ts'
import { markdownOf, saysMore } from './from-html.ts'
import { sendPictures, uploading } from './uploading.ts'

export type MarkdownKeys = {
  onLink: () => void
  onToolbar: () => void
  onScroll: (share: number) => void
  /** How many pictures are on their way. */
  onUploading: (count: number) => void
}

/** CodeMirror for Markdown: its keys, and what comes from the clipboard or is dropped. */
export const markdownExtensions = (keys: MarkdownKeys): Extension => [
  markdown({ base: markdownLanguage, addKeymap: false }),
  placeholder('Write Markdown'),
  uploading,
  keymap.of([...bindings(keys), ...markdownKeymap]),
  EditorView.updateListener.of((update) => {
    const count = update.state.field(uploading).size
    if (count !== update.startState.field(uploading).size) keys.onUploading(count)
  }),
  EditorView.domEventHandlers({
    paste: (event, view) => paste(view, event),
    drop: (event, view) => drop(view, event),
    scroll: (event) => {
      const box = event.target
      if (!(box instanceof HTMLElement)) return
      const room = box.scrollHeight - box.clientHeight
      keys.onScroll(room > 0 ? box.scrollTop / room : 0)
    },
  }),
]

const bindings = ({ onLink, onToolbar }: MarkdownKeys): readonly KeyBinding[] => [
  { key: 'Mod-b', run: (view) => around(view, '**') },
  { key: 'Mod-i', run: (view) => around(view, '*') },
  { key: 'Mod-e', run: (view) => around(view, '`') },
  { key: 'Mod-k', run: () => does(onLink) },
  { key: 'Alt-F10', run: () => does(onToolbar) },
]

const around = (view: EditorView, sign: string): boolean => {
  if (view.state.readOnly) return false
  apply(view, toggleAround(selectedIn(view), sign))
  return true
}

const does = (run: () => void): true => {
  run()
  return true
}

const paste = (view: EditorView, event: ClipboardEvent): boolean => {
  const data = event.clipboardData
  if (!data || view.state.readOnly) return false
  const html = data.getData('text/html')
  if (data.files.length > 0 && html === '') {
    sendPictures(view, [...data.files], view.state.selection.main.from)
    return true
  }
  const cleaned = html === '' ? null : cleanPaste(html)
  if (cleaned === null || !saysMore(cleaned.html)) return false
  const { from, to } = view.state.selection.main
  // Pictures that came along have no address that Markdown could hold
  const insert = markdownOf(cleaned.html.replace(/<img src="#pasted-[^>]*>/g, ''))
  event.preventDefault()
  apply(view, { from, to, insert, anchor: from + insert.length, head: from + insert.length })
  return true
}

const drop = (view: EditorView, event: DragEvent): boolean => {
  const files = [...(event.dataTransfer?.files ?? [])]
  if (files.length === 0 || view.state.readOnly) return false
  event.preventDefault()
  const at = view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.selection.main.from
  sendPictures(view, files, at)
  return true
}
