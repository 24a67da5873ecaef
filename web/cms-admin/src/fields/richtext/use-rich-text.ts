import { createDocument, type Editor, type Extensions } from '@tiptap/core'
import { useEditor } from '@tiptap/react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { embedHostsOf, toStoredHtml } from './stored-html.ts'

type RichTextOptions = {
  html: string
  onHtml: (html: string) => void
  disabled: boolean
  /** Attributes of the editable element. */
  attributes: Readonly<Record<string, string | boolean | undefined>>
  /** Read once. */
  extensions: () => Extensions
}

/** A larger document takes too long to be written down at every key. */
const LARGE = 60_000
const PAUSE_MS = 300

/**
 * The editor of a text. It reports real changes only: an unchanged text is reported as it came, and one from
 * outside replaces just what differs, so that the caret stays.
 */
export const useRichText = ({ html, onHtml, disabled, attributes, extensions }: RichTextOptions): Editor => {
  const outside = useRef({ html, base: html, stored: '' })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wiring = JSON.stringify(attributes)

  const reportChange = useEffectEvent((editor: Editor) => {
    clearTimeout(timer.current)
    timer.current = undefined
    const known = outside.current
    const stored = storedOf(editor, known.base)
    if (stored === storedNow.get(editor)) return
    storedNow.set(editor, stored)
    // Back to what it was: the way it was written, too
    known.html = stored === known.stored ? known.base : stored
    onHtml(known.html)
  })
  const [options] = useState(() => ({
    extensions: extensions(),
    content: html,
    editable: !disabled,
    injectCSS: false,
    shouldRerenderOnTransaction: false,
    editorProps: { attributes: () => readAttributes(wiringOf.current) },
    onCreate: ({ editor }: { editor: Editor }) => {
      editor.commands.fixTables()
      take(editor, outside.current, outside.current.html)
    },
  }))
  const wiringOf = useRef(wiring)
  const editor = useEditor(options)

  useEffect(() => {
    const later = () => {
      if (editor.state.doc.content.size < LARGE) return reportChange(editor)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => reportChange(editor), PAUSE_MS)
    }
    const now = () => {
      if (timer.current !== undefined) reportChange(editor)
    }
    // A shortcut such as that for saving must find what was typed
    const beforeShortcut = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey) now()
    }
    editor.on('update', later)
    editor.on('blur', now)
    document.addEventListener('keydown', beforeShortcut, true)
    return () => {
      now()
      editor.off('update', later)
      editor.off('blur', now)
      document.removeEventListener('keydown', beforeShortcut, true)
    }
  }, [editor])

  useEffect(() => {
    if (html !== outside.current.html) {
      replaceDocument(editor, html)
      take(editor, outside.current, html)
    }
  }, [editor, html])

  useEffect(() => {
    wiringOf.current = wiring
    if (editor.isEditable === disabled) editor.setEditable(!disabled, false)
    // Attributes are read again when the view is updated
    else editor.view.updateState(editor.state)
  }, [editor, wiring, disabled])

  return editor
}

/** Each editor's document as stored HTML. */
const storedNow = new WeakMap<Editor, string>()

type Outside = { html: string; base: string; stored: string }

const take = (editor: Editor, known: Outside, html: string): void => {
  known.html = html
  known.base = html
  known.stored = storedOf(editor, html)
  storedNow.set(editor, known.stored)
}

/** A document that cannot be stored is passed on unchanged: the service says that it is too long. */
const storedOf = (editor: Editor, base: string): string =>
  toStoredHtml(editor.state.doc, document.implementation.createHTMLDocument(''), embedHostsOf(base)) ?? editor.getHTML()

const replaceDocument = (editor: Editor, html: string): void => {
  const { doc } = editor.state
  const next = createDocument(html, editor.schema)
  const start = doc.content.findDiffStart(next.content)
  const end = doc.content.findDiffEnd(next.content)
  if (start === null || end === null) return
  // With repeated text on both sides of the change, the two ends can overlap
  const overlap = Math.max(0, start - Math.min(end.a, end.b))
  const change = editor.state.tr.replace(start, end.a + overlap, next.slice(start, end.b + overlap))
  editor.view.dispatch(change.setMeta('addToHistory', false).setMeta('preventUpdate', true))
}

const readAttributes = (wiring: string): Record<string, string> => {
  const given: Record<string, string | boolean> = JSON.parse(wiring)
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))
}
