import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useEffect, useEffectEvent } from 'react'
import { FieldPresence } from '../../realtime/field-presence.tsx'
import type { Recovery } from '../session/use-recovery.ts'
import { Editing, type EditingProps } from './editing.tsx'
import { useEditor } from './editor-context.ts'
import { EditorHeader } from './editor-header.tsx'
import { EditorNotices } from './editor-notices.tsx'
import { EntryCommands } from './entry-commands.tsx'
import { EntryForm } from './entry-form.tsx'
import { HistoryView } from './history-view.tsx'
import { EntryPanels } from './panels/entry-panels.tsx'
import { useFocusOnProblem } from './use-focus-on-problem.ts'
import { type SideColumn, useSideColumn } from './use-side-column.ts'

/** Everything that can be done with one entry. */
export const Editor = (props: EditingProps) => {
  const url = useUrlState()
  const side = useSideColumn()
  const showHistory = () => {
    if (!side.isBeside) side.setOpen(false)
    url.set({ tab: 'history' })
  }
  return (
    <div ref={side.root}>
      <Editing
        {...props}
        publishIn={side.isBeside && side.isOpen && url.get('tab') !== 'history' ? 'card' : 'header'}
        showHistory={showHistory}
      >
        {(recovery) => <Fields recovery={recovery} side={side} />}
      </Editing>
    </div>
  )
}

const Fields = ({ recovery, side }: { recovery: Recovery; side: SideColumn }) => {
  const url = useUrlState()
  const { type, state } = useEditor()
  const history = url.get('tab') === 'history' ? state.entry : null
  useFocusOnProblem(type, state)
  const showSlug = useEffectEvent(() => {
    if (state.problems.some(({ key }) => key === 'slug')) side.setOpen(true)
  })
  useEffect(() => {
    if (state.refusals > 0) showSlug()
  }, [state.refusals])
  const isColumn = side.isBeside && side.isOpen
  return (
    <FieldPresence entry={state.entry} fields={type.fields}>
      <EditorHeader side={side} />
      <EditorNotices recovery={recovery} />
      <EntryCommands />
      {history === null ? null : (
        <HistoryView entry={history} onClose={() => url.set({ tab: '', revision: '', against: '', history: '' })} />
      )}
      {/* Not taken away: carets and texts stay as they are behind the history */}
      <div
        className={cx(
          'grid items-start gap-10',
          isColumn ? 'grid-cols-[minmax(0,1fr)_18rem]' : 'grid-cols-1',
          history && 'hidden',
        )}
      >
        <EntryForm />
        {isColumn ? (
          <aside
            aria-label="Details"
            className="sticky top-(--editor-bar-top,3.5rem) -mx-2 -my-7 flex max-h-[calc(100dvh-var(--editor-bar-top,3.5rem))] min-w-0 flex-col overflow-y-auto px-2 py-7"
          >
            <EntryPanels />
          </aside>
        ) : null}
        {side.isBeside ? null : (
          <Dialog open={side.isOpen} onOpenChange={side.setOpen} title="Details">
            <EntryPanels />
          </Dialog>
        )}
      </div>
    </FieldPresence>
  )
}
