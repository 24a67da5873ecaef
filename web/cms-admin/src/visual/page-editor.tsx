import type { VisualDefinition } from '@stoa/cms-model/visual.ts'
import { useIsPhone } from '@stoa/ui/browser/use-media-query.ts'
import { useShortcut } from '@stoa/ui/shortcuts/shortcuts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useEditor } from '../entries/editor/editor-context.ts'
import { EditorNotices } from '../entries/editor/editor-notices.tsx'
import { EntryForm } from '../entries/editor/entry-form.tsx'
import type { Recovery } from '../entries/session/use-recovery.ts'
import { dataMember } from '../entries/session/values.ts'
import { acceptedStarts } from '../fields/media/file-notes.ts'
import { MediaPicker } from '../media/picker/media-picker.tsx'
import { type MediaRecord, mediaQuery } from '../media/queries.ts'
import { CanvasSide } from './canvas-side.tsx'
import { EditBar } from './edit-bar.tsx'
import type { Mode } from './mode-switch.tsx'
import { usePublishSelection } from './page-selection.ts'
import { SectionsPanel } from './sections-panel.tsx'
import { SelectionPanel } from './selection-panel.tsx'
import { usePage } from './use-page.ts'

type PageEditorProps = { definition: VisualDefinition; recovery: Recovery }

/** The page of an entry, on which it is edited, and its fields beside the page; both are one work that nothing leaves. */
export const PageEditor = ({ definition, recovery }: PageEditorProps) => {
  const phone = useIsPhone()
  const [wanted, setMode] = useState<Mode>('page')
  // On a phone there is no room for a page and what is said about it
  const mode: Mode = phone ? 'fields' : wanted
  const other = mode === 'page' ? 'fields' : 'page'
  useShortcut({
    keys: 'mod+e',
    description: 'Switch between page and fields',
    group: 'Entry',
    onPress: () => setMode(other),
  })
  const list = useRef<HTMLElement>(null)
  const page = usePage(definition, { mode, onLeave: () => firstOf(list.current)?.focus() })
  const { state } = useEditor()
  const { selected } = page
  usePublishSelection({
    entryId: state.entry?.id,
    section: selected?.kind === 'section' ? definition.sections.find(({ id }) => id === selected.id) : undefined,
    fieldKey: selected?.kind === 'field' ? selected.id : undefined,
  })
  return (
    <div className="flex h-full flex-col">
      <EditBar mode={mode} onMode={phone ? undefined : setMode} />
      <div className="px-4 has-[>:not(:empty)]:pt-3">
        <EditorNotices recovery={recovery} />
      </div>
      <div className="flex min-h-0 flex-1">
        {mode === 'page' ? (
          <aside
            ref={list}
            aria-label="Sections"
            className="w-64 shrink-0 overflow-y-auto border-line border-r p-3 max-desk:hidden"
          >
            <h2 className="mb-2 px-2 font-medium text-muted text-xs">Sections</h2>
            <SectionsPanel
              sections={page.sections}
              declared={definition.sections}
              layout={page.layout}
              selected={page.selected?.kind === 'section' ? page.selected.id : null}
              disabled={!page.canWrite}
              onSelect={(id, byKeyboard) => page.select({ kind: 'section', id, index: 0 }, byKeyboard)}
              onLayout={page.setLayout}
            />
          </aside>
        ) : (
          // The bars of texts stay at the top of this box
          <div className="min-w-0 flex-1 overflow-y-auto bg-surface p-6 [--editor-bar-top:-1.5rem]">
            <EntryForm />
          </div>
        )}
        {phone ? null : <CanvasSide page={page} definition={definition} onFields={() => setMode('fields')} />}
        {mode === 'page' ? (
          <SelectionPanel
            definition={definition}
            target={page.selected}
            path={page.path}
            onSelect={(target) => page.select(target)}
            wantsFocus={page.wantsFocus}
            onStale={page.live.reload}
          />
        ) : null}
      </div>
      <PicturePicker picture={page.picture} />
      <p role="status" className="sr-only" data-announced>
        {page.said}
      </p>
    </div>
  )
}

/** The element to focus beside the page: the chosen section, or the first. */
const firstOf = (list: HTMLElement | null): HTMLElement | null =>
  list?.querySelector<HTMLElement>('[data-section-row] [aria-current]') ??
  list?.querySelector<HTMLElement>('[data-section-row] [data-section-name]') ??
  null

type PicturePickerProps = { picture: { key: string | null; close: () => void } }

/** Another picture for the one that was clicked on the page. */
const PicturePicker = ({ picture: { key, close } }: PicturePickerProps) => {
  const { type, session } = useEditor()
  const client = useQueryClient()
  const field = type.fields.find((one) => one.key === key)
  if (key === null || field?.type !== 'media') return null
  const take = ([media]: readonly MediaRecord[]) => {
    if (!media) return
    client.setQueryData(mediaQuery(media.id).queryKey, media)
    session.asOneStep(() => session.change(dataMember(key), media.id))
  }
  return <MediaPicker open onOpenChange={close} accept={acceptedStarts(field.accept)} onPick={take} />
}
