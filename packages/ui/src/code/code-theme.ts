import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { cspNonce } from '../browser/nonce.ts'

/** CodeMirror in the look of the other inputs; light and dark come with the tokens. */
export const codeTheme = (): Extension => [
  EditorView.cspNonce.of(cspNonce() ?? ''),
  EditorView.theme({
    '&': { backgroundColor: 'transparent', color: 'var(--color-ink)', fontSize: 'var(--text-sm)', height: '100%' },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.6', overflow: 'auto' },
    '.cm-content': { padding: '0.5rem 0', caretColor: 'var(--color-ink)', minHeight: '7rem' },
    '.cm-line': { padding: '0 0.75rem' },
    '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--color-ink)' },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
      background: 'light-dark(oklch(0.86 0.075 262), oklch(0.4 0.12 262))',
    },
    '.cm-gutters': {
      backgroundColor: 'transparent',
      color: 'var(--color-faint)',
      border: 'none',
      borderRight: '1px solid var(--color-line)',
    },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
    '&.cm-focused .cm-activeLineGutter': { color: 'var(--color-ink)' },
    '.cm-placeholder': { color: 'var(--color-faint)' },
    '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--color-pressed)' },
    '.cm-foldPlaceholder': {
      backgroundColor: 'var(--color-neutral-soft)',
      borderColor: 'var(--color-line)',
      color: 'var(--color-muted)',
    },
    '.cm-panels': {
      backgroundColor: 'var(--color-sunken)',
      color: 'var(--color-ink)',
      borderColor: 'var(--color-line)',
    },
    '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--color-line)' },
    '.cm-panel.cm-search': { fontFamily: 'var(--font-sans)', padding: '0.5rem 2rem 0.5rem 0.5rem' },
    '.cm-panel.cm-search label': { fontSize: 'var(--text-xs)' },
    '.cm-textfield': {
      backgroundColor: 'var(--color-field)',
      border: '1px solid var(--color-field-line)',
      borderRadius: 'var(--radius-sm)',
      fontSize: 'var(--text-sm)',
    },
    '.cm-button': {
      backgroundImage: 'none',
      backgroundColor: 'var(--color-surface)',
      border: '1px solid var(--color-line-strong)',
      borderRadius: 'var(--radius-sm)',
      fontSize: 'var(--text-xs)',
    },
    '.cm-searchMatch': { backgroundColor: 'var(--color-draft-soft)', outline: '1px solid var(--color-draft-line)' },
    '.cm-searchMatch-selected': { backgroundColor: 'var(--color-draft-line)' },
    '.cm-tooltip': {
      backgroundColor: 'var(--color-raised)',
      border: '1px solid var(--color-line)',
      borderRadius: 'var(--radius-md)',
      boxShadow: 'var(--shadow-md)',
    },
    '.cm-diagnostic-error': { borderLeftColor: 'var(--color-failed-mark)' },
    '.cm-diagnostic': { fontFamily: 'var(--font-sans)', fontSize: 'var(--text-xs)' },
    '.cm-lintRange-error': {
      backgroundImage: 'none',
      textDecoration: 'underline wavy var(--color-failed-mark)',
      textUnderlineOffset: '0.2em',
    },
  }),
  syntaxHighlighting(highlights),
]

const highlights = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '600' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.propertyName], color: 'var(--color-accent-ink)' },
  { tag: [tags.url, tags.string], color: 'var(--color-live-ink)' },
  { tag: [tags.monospace, tags.number], color: 'var(--color-scheduled-ink)' },
  { tag: [tags.bool, tags.null, tags.keyword], color: 'var(--color-draft-ink)' },
  { tag: [tags.quote, tags.comment], color: 'var(--color-muted)' },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.punctuation], color: 'var(--color-faint)' },
])
