import { useIsPhone } from '@stoa/ui/browser/use-media-query.ts'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useEffect, useEffectEvent, useState } from 'react'
import { FieldPresence } from '../../realtime/field-presence.tsx'
import { Editing, type EditingProps } from './editing.tsx'
import { useEditor } from './editor-context.ts'
import { EditorHeader } from './editor-header.tsx'
import { EditorNotices } from './editor-notices.tsx'
import { EntryForm } from './entry-form.tsx'
import { EntryPanels } from './entry-panels.tsx'
import { HistoryView } from './history-view.tsx'
import { useFocusOnProblem } from './use-focus-on-problem.ts'
import type { Recovery } from './use-recovery.ts'

/** Everything that can be done with one entry. */
export const Editor = (props: EditingProps) => {
  const url = useUrlState()
  const [showsDetails, setShowsDetails] = useState(false)
  const showHistory = () => {
    setShowsDetails(false)
    url.set({ tab: 'history' })
  }
  return (
    <Editing {...props} showHistory={showHistory}>
      {(recovery) => <Fields recovery={recovery} showsDetails={showsDetails} setShowsDetails={setShowsDetails} />}
    </Editing>
  )
}

type FieldsProps = { recovery: Recovery; showsDetails: boolean; setShowsDetails: (shows: boolean) => void }

const Fields = ({ recovery, showsDetails, setShowsDetails }: FieldsProps) => {
  const phone = useIsPhone()
  const url = useUrlState()
  const { type, state } = useEditor()
  const history = url.get('tab') === 'history' ? state.entry : null
  useFocusOnProblem(type, state)
  const showSlug = useEffectEvent(() => {
    if (phone && state.problems.some(({ key }) => key === 'slug')) setShowsDetails(true)
  })
  useEffect(() => {
    if (state.refusals > 0) showSlug()
  }, [state.refusals])
  return (
    <FieldPresence entry={state.entry} fields={type.fields}>
      <EditorHeader onDetails={phone ? () => setShowsDetails(true) : undefined} />
      <EditorNotices recovery={recovery} />
      {history === null ? null : (
        <HistoryView entry={history} onClose={() => url.set({ tab: '', revision: '', against: '', history: '' })} />
      )}
      {/* Not taken away: carets and texts stay as they are behind the history */}
      <div
        className={cx('grid grid-cols-[minmax(0,1fr)_18rem] items-start gap-8 phone:grid-cols-1', history && 'hidden')}
      >
        <EntryForm />
        {phone ? (
          <Dialog open={showsDetails} onOpenChange={setShowsDetails} title="Details">
            <EntryPanels />
          </Dialog>
        ) : (
          <aside aria-label="Details" className="flex min-w-0 flex-col gap-6">
            <EntryPanels />
          </aside>
        )}
      </div>
    </FieldPresence>
  )
}
