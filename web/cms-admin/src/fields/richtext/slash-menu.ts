import { Extension } from '@tiptap/core'
import { PluginKey } from '@tiptap/pm/state'
import { Suggestion } from '@tiptap/suggestion'
import { type Act, findActs } from './acts.tsx'

/** The state of the menu; null while it is closed. */
export type SlashState = {
  acts: readonly Act[]
  chosen: number
  rect: DOMRect | null
  pick: (act: Act) => void
}

/** Shares the menu's state between the editor and React. */
export const createSlashStore = () => {
  let state: SlashState | null = null
  const listeners = new Set<() => void>()
  return {
    get: (): SlashState | null => state,
    set: (next: SlashState | null): void => {
      state = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
export type SlashStore = ReturnType<typeof createSlashStore>

/** Opens a menu of what can be put at the caret when `/` is typed. */
export const SlashMenu = Extension.create<{ store: SlashStore; onRun: (act: Act) => void }>({
  name: 'slashMenu',
  addProseMirrorPlugins() {
    const { store, onRun } = this.options
    const move = (by: number): void => {
      const state = store.get()
      if (!state || state.acts.length === 0) return
      store.set({ ...state, chosen: (state.chosen + by + state.acts.length) % state.acts.length })
    }
    return [
      Suggestion<Act, Act>({
        editor: this.editor,
        pluginKey: new PluginKey('slashMenu'),
        char: '/',
        decorationClass: 'rt-slash',
        allow: ({ state }) => {
          const { $from } = state.selection
          return $from.parent.type.name === 'paragraph'
        },
        items: ({ query }) => [...findActs(query)],
        command: ({ editor, range, props: act }) => {
          editor.chain().focus().deleteRange(range).run()
          onRun(act)
        },
        render: () => ({
          onStart: ({ items, clientRect, command }) =>
            store.set({ acts: items, chosen: 0, rect: clientRect?.() ?? null, pick: command }),
          onUpdate: ({ items, clientRect, command }) =>
            store.set({ acts: items, chosen: 0, rect: clientRect?.() ?? null, pick: command }),
          onExit: () => store.set(null),
          onKeyDown: ({ event }) => {
            const state = store.get()
            if (!state || state.acts.length === 0) return false
            if (event.key === 'ArrowDown') move(1)
            else if (event.key === 'ArrowUp') move(-1)
            else if (event.key === 'Enter' || event.key === 'Tab') {
              const act = state.acts[state.chosen]
              if (act) state.pick(act)
            } else return false
            return true
          },
        }),
      }),
    ]
  },
})
