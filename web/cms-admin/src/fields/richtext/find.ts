import { Extension } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { type EditorState, Plugin, PluginKey, TextSelection } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'

export type Found = { from: number; to: number }
export type FindState = { words: string; matchCase: boolean; found: readonly Found[]; at: number }

/** More would slow every key down, and nobody looks through them. */
const MAX_FOUND = 1000

declare module '@tiptap/core' {
  interface Commands<ReturnType> {
    find: {
      /** Marks where these words are; none with an empty text. */
      find: (words: string, matchCase?: boolean) => ReturnType
      /** Goes to the next place, or with -1 to the one before. */
      findNext: (step: 1 | -1) => ReturnType
      /** Puts other words in this place and goes to the next. */
      replaceFound: (words: string) => ReturnType
      replaceAllFound: (words: string) => ReturnType
    }
  }
}

export const findKey = new PluginKey<FindState>('find')

/** The positions of words in a document, also across formatting. */
export const findIn = (doc: Node, words: string, matchCase: boolean): Found[] => {
  if (words === '') return []
  const fold = (text: string): string => (matchCase ? text : foldCase(text))
  const wanted = fold(words)
  const found: Found[] = []
  doc.descendants((block, position) => {
    if (!block.isTextblock || found.length >= MAX_FOUND) return found.length < MAX_FOUND
    // One character for each place of the document, so that places can be counted
    const text = fold(block.textBetween(0, block.content.size, undefined, '\ufffc'))
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
      if (found.length >= MAX_FOUND) break
      found.push({ from: position + 1 + at, to: position + 1 + at + wanted.length })
    }
    return false
  })
  return found
}

/** Letters whose small form is longer (İ) stay: places must not move. */
const foldCase = (text: string): string =>
  text.replace(/\p{Lu}/gu, (letter) => {
    const small = letter.toLowerCase()
    return small.length === letter.length ? small : letter
  })

/** Find and replace. */
export const Find = Extension.create({
  name: 'find',
  addCommands: () => ({
    find:
      (words, matchCase = false) =>
      ({ tr, dispatch }) => {
        if (dispatch) tr.setMeta(findKey, { words, matchCase })
        return true
      },
    findNext:
      (step) =>
      ({ tr, state, dispatch }) => {
        const find = findKey.getState(state)
        if (!find || find.found.length === 0) return false
        const at = (find.at + step + find.found.length) % find.found.length
        const place = find.found[at]
        if (dispatch && place)
          tr.setMeta(findKey, { at })
            .setSelection(TextSelection.create(tr.doc, place.from, place.to))
            .scrollIntoView()
        return true
      },
    replaceFound:
      (words) =>
      ({ tr, state, dispatch }) => {
        const find = findKey.getState(state)
        const place = find?.found[find.at]
        if (!place) return false
        if (dispatch) replaceWith(tr, place, words)
        return true
      },
    replaceAllFound:
      (words) =>
      ({ tr, state, dispatch }) => {
        const found = findKey.getState(state)?.found ?? []
        if (found.length === 0) return false
        if (dispatch) for (const place of found.toReversed()) replaceWith(tr, place, words)
        return true
      },
  }),
  addProseMirrorPlugins: () => [
    new Plugin<FindState>({
      key: findKey,
      state: {
        init: () => ({ words: '', matchCase: false, found: [], at: 0 }),
        apply: (tr, before) => {
          const asked: Partial<FindState> | undefined = tr.getMeta(findKey)
          if (!asked && (!tr.docChanged || before.words === '')) return before
          const { words, matchCase, at } = { ...before, ...asked }
          const found = asked?.at === undefined ? findIn(tr.doc, words, matchCase) : before.found
          return { words, matchCase, found, at: Math.min(at, Math.max(0, found.length - 1)) }
        },
      },
      props: { decorations: (state) => marksOf(state) },
    }),
  ],
})

const replaceWith = (tr: EditorState['tr'], { from, to }: Found, words: string): void => {
  if (words === '') tr.delete(from, to)
  else tr.replaceWith(from, to, tr.doc.type.schema.text(words, tr.doc.resolve(from + 1).marks()))
}

const marksOf = (state: EditorState): DecorationSet => {
  const find = findKey.getState(state)
  if (!find || find.found.length === 0) return DecorationSet.empty
  return DecorationSet.create(
    state.doc,
    find.found.map(({ from, to }, index) =>
      Decoration.inline(from, to, { class: index === find.at ? 'rt-found rt-found-now' : 'rt-found' }),
    ),
  )
}
