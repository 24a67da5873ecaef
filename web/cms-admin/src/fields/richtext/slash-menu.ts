import { Extension } from '@tiptap/core'
import { PluginKey } from '@tiptap/pm/state'
import { Suggestion } from '@tiptap/suggestion'
import { type Action, findActions } from './rich-text-actions.tsx'

/** The state of the menu; null while it is closed. */
export type SlashState = {
  actions: readonly Action[]
  chosen: number
  rect: DOMRect | null
  pick: (action: Action) => void
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
export const SlashMenu = Extension.create<{ store: SlashStore; onRun: (action: Action) => void }>({
  name: 'slashMenu',
  addProseMirrorPlugins() {
    const { store, onRun } = this.options
    const move = (by: number): void => {
      const state = store.get()
      if (!state || state.actions.length === 0) return
      store.set({ ...state, chosen: (state.chosen + by + state.actions.length) % state.actions.length })
    }
    return [
      Suggestion<Action, Action>({
        editor: this.editor,
        pluginKey: new PluginKey('slashMenu'),
        char: '/',
        decorationClass: 'rt-slash',
        allow: ({ state }) => {
          const { $from } = state.selection
          return $from.parent.type.name === 'paragraph'
        },
        items: ({ query }) => [...findActions(query)],
        command: ({ editor, range, props: action }) => {
          editor.chain().focus().deleteRange(range).run()
          onRun(action)
        },
        render: () => ({
          onStart: ({ items, clientRect, command }) =>
            store.set({ actions: items, chosen: 0, rect: clientRect?.() ?? null, pick: command }),
          onUpdate: ({ items, clientRect, command }) =>
            store.set({ actions: items, chosen: 0, rect: clientRect?.() ?? null, pick: command }),
          onExit: () => store.set(null),
          onKeyDown: ({ event }) => {
            const state = store.get()
            if (!state || state.actions.length === 0) return false
            if (event.key === 'ArrowDown') move(1)
            else if (event.key === 'ArrowUp') move(-1)
            else if (event.key === 'Enter' || event.key === 'Tab') {
              const action = state.actions[state.chosen]
              if (action) state.pick(action)
            } else return false
            return true
          },
        }),
      }),
    ]
  },
})
