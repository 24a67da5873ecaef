import { Kbd } from '@stoa/ui/shortcuts/kbd.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import type { Editor } from '@tiptap/core'
import { useEffect, useId, useRef, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import type { SlashState, SlashStore } from './slash-menu.ts'

type SlashMenuListProps = { editor: Editor; store: SlashStore }

/** The open slash menu, below the caret. The focus stays in the text, which says what is chosen. */
export const SlashMenuList = ({ editor, store }: SlashMenuListProps) => {
  const state = useSyncExternalStore(store.subscribe, store.get)
  const id = useId()
  const isOpen = state !== null && state.actions.length > 0
  const chosen = isOpen ? state.actions[state.chosen]?.id : undefined
  useEffect(() => {
    // The view comes after the first effects at times
    if (chosen === undefined || editor.isDestroyed) return
    const { dom } = editor.view
    dom.setAttribute('aria-controls', id)
    dom.setAttribute('aria-activedescendant', `${id}-${chosen}`)
    return () => {
      dom.removeAttribute('aria-controls')
      dom.removeAttribute('aria-activedescendant')
    }
  }, [editor, id, chosen])
  return isOpen ? createPortal(<OpenList id={id} state={state} />, document.body) : null
}

const OpenList = ({ id, state }: { id: string; state: SlashState }) => {
  const list = useRef<HTMLDivElement>(null)
  const chosen = state.actions[state.chosen]?.id
  useEffect(() => {
    list.current?.querySelector(`[id="${id}-${chosen}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [id, chosen])
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label="Insert"
      style={placeOf(state.rect)}
      className="layer-menu fixed max-h-72 w-64 overflow-y-auto rounded-lg border border-line bg-raised p-1 text-sm shadow-md"
    >
      {state.actions.map((action) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text, which keeps the focus
        // biome-ignore lint/a11y/useFocusableInteractive: chosen by aria-activedescendant
        <div
          key={action.id}
          id={`${id}-${action.id}`}
          role="option"
          aria-selected={action.id === chosen}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => state.pick(action)}
          className={cx(
            'flex min-h-8 touch:min-h-11 cursor-default items-center gap-2.5 rounded-sm px-2 hover:bg-hover [&>svg]:size-4 [&>svg]:text-faint',
            action.id === chosen && 'bg-hover [&>svg]:text-ink',
          )}
        >
          {action.icon}
          <span className="min-w-0 flex-1 truncate">{action.label}</span>
          {action.shortcut === undefined ? null : <Kbd keys={action.shortcut} />}
        </div>
      ))}
    </div>
  )
}

const HEIGHT = 296
const WIDTH = 264

/** Below the caret, or above it where there is no room below. */
const placeOf = (rect: DOMRect | null): React.CSSProperties => {
  if (!rect) return { visibility: 'hidden' }
  const left = Math.max(8, Math.min(rect.left, window.innerWidth - WIDTH))
  const isAbove = rect.bottom + HEIGHT > window.innerHeight && rect.top > HEIGHT
  return isAbove ? { left, bottom: window.innerHeight - rect.top + 4 } : { left, top: rect.bottom + 4 }
}
