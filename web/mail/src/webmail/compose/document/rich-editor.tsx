import type { Editor, JSONContent } from '@tiptap/core'
import { Placeholder } from '@tiptap/extensions'
import { EditorContent, useEditor } from '@tiptap/react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { addFiles, pictureUrl } from '../files.ts'
import { type ComposeWindow, editLetter } from '../windows.ts'
import { docToHtml } from './doc-to-mail.ts'
import type { DocNode } from './document.ts'
import { EditorInput, type EditorSurroundings, takeFiles } from './editor-input.ts'
import { EditorToolbar } from './editor-toolbar.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { mailExtensions } from './schema.ts'

/** A larger text takes too long to be written down at every key. */
const LARGE = 60_000
const PAUSE_MS = 300

/** Formatted text. */
export const RichEditor = ({ one, doc }: { one: ComposeWindow; doc: DocNode }) => {
  const box = useRef<HTMLDivElement>(null)
  const pictures = useRef<HTMLInputElement>(null)
  const [isLinking, setLinking] = useState(false)
  const [surroundings] = useState<EditorSurroundings>(() => ({
    addPictures: (files) => addFiles(one.id, files, { isInline: true }),
    attach: (files) => void addFiles(one.id, files),
    openLink: () => setLinking(true),
    focusToolbar: () => box.current?.querySelector<HTMLElement>('[role="toolbar"]')?.focus(),
  }))
  const [options] = useState(() => ({
    extensions: [
      ...mailExtensions((cid) => pictureUrl(one.id, cid)),
      EditorInput.configure(surroundings),
      Placeholder.configure({ placeholder: 'Write your message', emptyEditorClass: 'is-empty-first' }),
    ],
    content: doc,
    autofocus: one.focus === 'body' ? ('start' as const) : false,
    injectCSS: false,
    shouldRerenderOnTransaction: false,
    editorProps: {
      attributes: {
        class: 'written-text mail-text',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': 'Message',
      },
    },
  }))
  const editor = useEditor(options)
  useWrittenDown(editor, one, doc)
  return (
    <div ref={box} className="flex min-h-0 flex-1 flex-col">
      <EditorContent editor={editor} className="mail-text-box min-h-0 flex-1 overflow-y-auto" />
      <EditorToolbar editor={editor} onLink={() => setLinking(true)} onPicture={() => pictures.current?.click()} />
      <input
        ref={pictures}
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp"
        multiple
        hidden
        aria-label="Images to insert"
        onChange={(event) => {
          takeFiles(editor.view, [...(event.target.files ?? [])], surroundings)
          event.target.value = ''
        }}
      />
      {isLinking ? <LinkDialog editor={editor} onClose={() => setLinking(false)} /> : null}
    </div>
  )
}

/** Syncs the editor with the window: typed text goes out, text set from outside comes in. */
const useWrittenDown = (editor: Editor, one: ComposeWindow, doc: DocNode): void => {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const revision = useRef(one.bodyRevision)
  const reportChange = useEffectEvent(() => {
    clearTimeout(timer.current)
    timer.current = undefined
    const next = nodeOf(editor.getJSON())
    // The editor completes a text that it is given, such as with a last line: nobody wrote that
    if (docToHtml(next) !== docToHtml(doc)) editLetter(one.id, () => ({ body: { format: 'html', doc: next } }))
  })
  useEffect(() => {
    const later = () => {
      if (editor.state.doc.content.size < LARGE) return reportChange()
      clearTimeout(timer.current)
      timer.current = setTimeout(() => reportChange(), PAUSE_MS)
    }
    const now = () => {
      if (timer.current !== undefined) reportChange()
    }
    // A shortcut such as that for sending must find what was typed
    const beforeShortcut = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey) now()
    }
    editor.on('update', later)
    editor.on('blur', now)
    document.addEventListener('keydown', beforeShortcut, true)
    window.addEventListener('pagehide', now, true)
    return () => {
      now()
      editor.off('update', later)
      editor.off('blur', now)
      document.removeEventListener('keydown', beforeShortcut, true)
      window.removeEventListener('pagehide', now, true)
    }
  }, [editor])
  const { bodyRevision } = one
  useEffect(() => {
    if (revision.current === bodyRevision) return
    revision.current = bodyRevision
    editor.commands.setContent(doc, { emitUpdate: false })
  }, [editor, bodyRevision, doc])
}

/** TipTap's own data, with the members that it always has. */
const nodeOf = ({ type = 'paragraph', attrs, content, marks, text }: JSONContent): DocNode => ({
  type,
  ...(attrs ? { attrs } : {}),
  ...(content ? { content: content.map(nodeOf) } : {}),
  ...(marks ? { marks: marks.map((mark) => ({ type: mark.type, ...(mark.attrs ? { attrs: mark.attrs } : {}) })) } : {}),
  ...(text === undefined ? {} : { text }),
})
