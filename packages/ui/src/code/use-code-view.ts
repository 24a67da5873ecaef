import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { search, searchKeymap } from '@codemirror/search'
import { Annotation, Compartment, EditorState, type Extension } from '@codemirror/state'
import { drawSelection, dropCursor, EditorView, highlightSpecialChars, keymap } from '@codemirror/view'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { codeTheme } from './code-theme.ts'
import { changedPart, lineBreakOf } from './line-breaks.ts'

type CodeViewOptions = {
  text: string
  onText: (text: string) => void
  /** Read once. */
  extensions: () => Extension
  /** Attributes of the editable element: id, label, description, whether the value is invalid. */
  attributes: Readonly<Record<string, string | boolean | undefined>>
  disabled: boolean
}

type CodeView = { host: RefObject<HTMLDivElement | null>; view: EditorView | null }

/**
 * A CodeMirror that shows `text`. Other text from outside replaces only what differs, so that the caret stays;
 * `onText` gets what a person typed.
 */
export const useCodeView = ({ text, onText, extensions, attributes, disabled }: CodeViewOptions): CodeView => {
  const host = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<EditorView | null>(null)
  const [parts] = useState(() => ({ breaks: new Compartment(), attributes: new Compartment() }))
  const notify = useEffectEvent((next: string) => {
    if (next !== text) onText(next)
  })
  const wiring = JSON.stringify(attributes)

  const create = useEffectEvent((parent: HTMLElement) => {
    const made = new EditorView({
      parent,
      state: EditorState.create({
        doc: text,
        extensions: [
          parts.breaks.of(EditorState.lineSeparator.of(lineBreakOf(text))),
          parts.attributes.of(contentAttributes(wiring, disabled)),
          EditorView.updateListener.of((update) => {
            const isOurs = update.transactions.some((transaction) => transaction.annotation(fromOutside))
            if (update.docChanged && !isOurs) notify(update.state.sliceDoc())
          }),
          extensions(),
          history(),
          drawSelection(),
          dropCursor(),
          highlightSpecialChars(),
          search({ top: true }),
          EditorView.lineWrapping,
          typeOverSelection,
          EditorView.clipboardInputFilter.of((pasted, state) => pasted.replace(/\r\n?|\n/g, state.lineBreak)),
          keymap.of([...searchKeymap, ...defaultKeymap, ...historyKeymap]),
          codeTheme(),
        ],
      }),
    })
    setView(made)
    return made
  })
  useEffect(() => {
    if (!host.current) return
    const made = create(host.current)
    return () => made.destroy()
  }, [])

  useEffect(() => {
    view?.dispatch({ effects: parts.attributes.reconfigure(contentAttributes(wiring, disabled)) })
  }, [view, parts, wiring, disabled])

  useEffect(() => {
    if (view && view.state.sliceDoc() !== text) replaceText(view, text, parts.breaks)
  }, [view, text, parts])

  return { host, view }
}

/** Left to the browser, it would keep the look of the replaced text in a style attribute, which the CSP refuses. */
const typeOverSelection = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { main } = view.state.selection
    if (event.inputType !== 'insertText' || !event.data || main.empty || view.state.readOnly) return false
    view.dispatch(view.state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true })
    return true
  },
})

const fromOutside = Annotation.define<boolean>()

const replaceText = (view: EditorView, text: string, breaks: Compartment): void => {
  const lineBreak = lineBreakOf(text)
  if (view.state.lineBreak !== lineBreak)
    view.dispatch({ effects: breaks.reconfigure(EditorState.lineSeparator.of(lineBreak)) })
  // Positions count a line break as one character, whatever it is in the text
  const after = view.state.toText(text)
  const { from, to, insert } = changedPart(view.state.doc.toString(), after.toString())
  view.dispatch({
    changes: { from, to, insert: after.slice(from, from + insert.length) },
    annotations: fromOutside.of(true),
  })
}

const contentAttributes = (wiring: string, disabled: boolean): Extension => {
  const given: Record<string, string | boolean> = JSON.parse(wiring)
  const written = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))
  return [
    EditorState.readOnly.of(disabled),
    EditorView.editable.of(!disabled),
    EditorView.contentAttributes.of({
      ...written,
      ...(disabled ? { 'aria-disabled': 'true', 'aria-readonly': 'true', tabindex: '0' } : {}),
    }),
  ]
}
