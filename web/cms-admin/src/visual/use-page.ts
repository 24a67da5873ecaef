import { TITLE_KEY, type VisualDefinition } from '@stoa/cms-model/visual.ts'
import { toast } from '@stoa/ui/toast-store.ts'
import { useRef, useState } from 'react'
import { useEditor } from '../entries/editor/editor-context.ts'
import { dataMember, type Member } from '../entries/editor/values.ts'
import type { CanvasHandle } from './canvas/canvas.tsx'
import type { FromCanvas, SectionState, Target } from './canvas/protocol.ts'
import type { Mode } from './edit-bar.tsx'
import { LAYOUT_KEY, type Layout, layoutOf, movedBy, type PageSection, storedLayout } from './layout.ts'
import { useCanvasPatches } from './use-canvas-patches.ts'
import { useLivePage } from './use-live-page.ts'

export type Page = ReturnType<typeof usePage>

type Switching = { mode: Mode; onSwitch: () => void }

/** What people do on the page becomes a change of the entry, and the other way round. */
export const usePage = (definition: VisualDefinition, { mode, onSwitch }: Switching) => {
  const { type, session, state, canWrite } = useEditor()
  const canvas = useRef<CanvasHandle>(null)
  const [sections, setSections] = useState<readonly PageSection[]>([])
  const [{ target, path }, setSelection] = useState<{ target: Target | null; path: readonly Target[] }>(NOTHING)
  const [typing, setTyping] = useState<string | null>(null)
  const [wantsFocus, setWantsFocus] = useState(0)
  const live = useLivePage(typing !== null)
  const layout = layoutOf(state.values.data)
  const setLayout = (next: Layout) =>
    session.asOneStep(() => session.change(dataMember(LAYOUT_KEY), storedLayout(next)))
  useCanvasPatches({ canvas, definition, values: state.values, layout, typing })

  /** Begins to write on the page; what is not written there has its field at the side. */
  const open = (chosen: Target, takesFocus: boolean) => {
    if (chosen.kind !== 'field') return
    const key = chosen.id
    const kind = chosen.keys === undefined ? inlineKindOf(key, { definition, fields: type.fields }) : null
    if (kind === null || !canWrite) {
      if (takesFocus) setWantsFocus((count) => count + 1)
      return
    }
    const value = textAt(state.values, key)
    setTyping(key)
    canvas.current?.send({
      t: 'startInline',
      key,
      index: chosen.index,
      formatted: kind === 'formatted',
      multiline: kind === 'multiline',
      ...(kind === 'formatted' ? { html: value } : { value }),
    })
  }
  const hear = (message: FromCanvas): void => {
    switch (message.t) {
      case 'ready':
      case 'layout':
        setSections(message.sections.map(toPageSection))
        break
      case 'select':
      case 'highlighted':
        setSelection({ target: message.target, path: message.path })
        if (message.t === 'select' && message.target && mode === 'page') open(message.target, message.open)
        break
      case 'edit':
        session.change(memberOf(message.key), message.html ?? message.value)
        break
      case 'commit':
      case 'cancel':
        session.change(memberOf(message.key), message.html ?? message.value)
        setTyping(null)
        break
      case 'refused':
        setTyping(null)
        setWantsFocus((count) => count + 1)
        break
      case 'link':
        toast({ title: 'Links are not followed while you edit', description: message.href })
        break
      case 'key':
        press(message.combo)
        break
    }
  }
  const press = (combo: string): void => {
    if (combo === 'mod+Z') session.undo()
    else if (combo === 'mod+Shift+Z') session.redo()
    else if (combo === 'mod+S') void session.save()
    else if (combo === 'mod+E') onSwitch()
    else if (combo === 'Esc') setSelection(NOTHING)
    else if (target?.kind === 'section' && canWrite && (combo === 'Alt+Up' || combo === 'Alt+Down'))
      setLayout(movedBy(sections, layout, target.id, combo === 'Alt+Up' ? -1 : 1))
  }
  const select = (chosen: Target) => {
    setSelection({ target: chosen, path: [chosen] })
    canvas.current?.send({ t: 'highlight', target: chosen, scroll: true })
  }
  return { canvas, live, sections, layout, setLayout, selected: target, path, select, hear, wantsFocus, canWrite }
}

const NOTHING = { target: null, path: [] }

const toPageSection = ({ id, fixed, group }: SectionState): PageSection => ({ id, movable: !fixed, group })

type Known = { definition: VisualDefinition; fields: readonly { key: string; type: string }[] }

/** How a field is written on the page itself; null for what has its editor at the side. */
const inlineKindOf = (key: string, { definition, fields }: Known): 'line' | 'multiline' | 'formatted' | null => {
  if (key === TITLE_KEY) return 'line'
  if (definition.formatted.includes(key)) return 'formatted'
  const type = fields.find((field) => field.key === key)?.type
  return type === 'text' ? 'line' : type === 'textarea' ? 'multiline' : null
}

const textAt = (values: { title: string; data: Readonly<Record<string, unknown>> }, key: string): string => {
  const value = key === TITLE_KEY ? values.title : values.data[key]
  return typeof value === 'string' ? value : ''
}

const memberOf = (key: string): Member => (key === TITLE_KEY ? 'title' : dataMember(key))
