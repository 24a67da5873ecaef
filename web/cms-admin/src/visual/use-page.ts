import type { Field } from '@stoa/cms-model/fields/field.ts'
import { typeOf } from '@stoa/cms-model/fields/types/index.ts'
import { TITLE_KEY, type VisualDefinition } from '@stoa/cms-model/visual.ts'
import { useRef, useState } from 'react'
import { useEditor } from '../entries/editor/editor-context.ts'
import { dataMember, type Member } from '../entries/session/values.ts'
import type { CanvasHandle } from './canvas/canvas.tsx'
import type { FromCanvas, KeyCombo, SectionState, Target } from './canvas/protocol.ts'
import { LAYOUT_KEY, type Layout, layoutOf, movedBy, type PageSection, storedLayout } from './layout.ts'
import type { Mode } from './mode-switch.tsx'
import { useAnnouncements } from './use-announcements.ts'
import { useCanvasPatches } from './use-canvas-patches.ts'
import { useLinkOffer } from './use-link-offer.ts'
import { useLivePage } from './use-live-page.ts'

export type Page = ReturnType<typeof usePage>

type PageOptions = {
  mode: Mode
  /** The keyboard leaves the page for what is beside it. */
  onLeave: () => void
}

/** What people do on the page becomes a change of the entry, and the other way round. */
export const usePage = (definition: VisualDefinition, { mode, onLeave }: PageOptions) => {
  const { type, session, state, canWrite } = useEditor()
  const canvas = useRef<CanvasHandle>(null)
  const [sections, setSections] = useState<readonly PageSection[]>([])
  const [{ target, path }, setSelection] = useState<{ target: Target | null; path: readonly Target[] }>(NOTHING)
  const [typing, setTyping] = useState<string | null>(null)
  const [wantsFocus, setWantsFocus] = useState(0)
  const [picking, setPicking] = useState<string | null>(null)
  const moved = useRef<string | null>(null)
  const live = useLivePage(typing !== null)
  const layout = layoutOf(state.values.data)
  const setLayout = (next: Layout, id: string) => {
    moved.current = id
    session.asOneStep(() => session.change(dataMember(LAYOUT_KEY), storedLayout(next)))
  }
  useCanvasPatches({ canvas, definition, fields: type.fields, values: state.values, layout, typing })
  const labelOf = (id: string) => definition.sections.find((section) => section.id === id)?.label ?? id
  const said = useAnnouncements({ sections, labelOf, moved })
  const offerLink = useLinkOffer(live.page?.url)

  /** Begins to write on the page, or asks for another picture; everything else has its field at the side. */
  const open = ({ chosen, showsPicture, takesFocus }: Opening) => {
    if (chosen.kind !== 'field') return
    const picture = showsPicture && canWrite ? mediaKeyIn(chosen, type.fields) : undefined
    if (picture !== undefined) return setPicking(picture)
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
  const receive = (message: FromCanvas): void => {
    switch (message.t) {
      case 'ready':
      case 'layout':
        setSections(message.sections.map(toPageSection))
        break
      case 'select':
      case 'highlighted':
        setSelection({ target: message.target, path: message.path })
        if (message.t === 'select' && message.target && mode === 'page')
          open({ chosen: message.target, showsPicture: message.picture !== undefined, takesFocus: message.open })
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
        offerLink(message.href)
        break
      case 'key':
        press(message.combo)
        break
    }
  }
  const press = (combo: KeyCombo): void => {
    const section = path.findLast(({ kind }) => kind === 'section')?.id
    if (combo === 'mod+Z') takeStep(session.stack.undo)
    else if (combo === 'mod+Shift+Z') takeStep(session.stack.redo)
    else if (combo === 'Esc') leave()
    else if (section !== undefined && canWrite && (combo === 'Alt+Up' || combo === 'Alt+Down'))
      setLayout(movedBy(sections, layout, section, combo === 'Alt+Up' ? -1 : 1), section)
  }
  /** What is written on the page is ahead of what is known here, and is shown again only when it was undone. */
  const takeStep = (take: () => void) => {
    const before = session.state().values
    take()
    const { values } = session.state()
    if (typing === null || textAt(values, typing) === textAt(before, typing)) return
    const text = textAt(values, typing)
    const content = definition.formatted.includes(typing) ? { html: text } : { value: text }
    canvas.current?.send({ t: 'setText', key: typing, ...content })
  }
  const leave = () => {
    if (target === null) return onLeave()
    setSelection(NOTHING)
    canvas.current?.send({ t: 'clear' })
  }
  /** With the keyboard one goes to where it is. */
  const select = (chosen: Target, focus = false) => {
    setSelection({ target: chosen, path: [chosen] })
    canvas.current?.send({ t: 'highlight', target: chosen, scroll: true, focus })
  }
  const picture = { key: picking, close: () => setPicking(null) }
  return {
    ...{ canvas, live, sections, layout, setLayout, selected: target, path, select, receive, wantsFocus, canWrite },
    ...{ picture, said },
  }
}

type Opening = { chosen: Target; showsPicture: boolean; takesFocus: boolean }

const mediaKeyIn = ({ id, keys }: Target, fields: Known['fields']): string | undefined =>
  (keys ?? [id]).find((key) => fields.some((field) => field.key === key && field.type === 'media'))

const NOTHING = { target: null, path: [] }

const toPageSection = ({ id, fixed, group, within }: SectionState): PageSection => ({
  id,
  movable: !fixed,
  group,
  within,
})

type Known = { definition: VisualDefinition; fields: readonly Field[] }

/** How a field is written on the page itself; null for what has its editor at the side. */
const inlineKindOf = (key: string, { definition, fields }: Known): 'line' | 'multiline' | 'formatted' | null => {
  if (key === TITLE_KEY) return 'line'
  // The page shows the entry, and the field holds its slug
  if (Object.hasOwn(definition.references, key)) return null
  if (definition.formatted.includes(key)) return 'formatted'
  const field = fields.find((candidate) => candidate.key === key)
  const writing = field && typeOf(field).writing
  return writing === 'text' ? 'line' : writing === 'textarea' ? 'multiline' : null
}

const textAt = (values: { title: string; data: Readonly<Record<string, unknown>> }, key: string): string => {
  const value = key === TITLE_KEY ? values.title : values.data[key]
  return typeof value === 'string' ? value : ''
}

const memberOf = (key: string): Member => (key === TITLE_KEY ? 'title' : dataMember(key))
