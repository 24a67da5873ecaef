import type { Entry } from '@stoa/cms-model/entries.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { lazyPart } from '@stoa/ui/shell/lazy-part.tsx'
import { ArrowLeft } from 'lucide-react'
import { Suspense } from 'react'
import { isDirty, isFrozen } from '../session/session-state.ts'
import { valuesOf } from '../session/values.ts'
import { useEditor } from './editor-context.ts'

const RevisionsPanel = lazyPart(() => import('../revisions/revisions-panel.tsx'), 'RevisionsPanel')

/** The history in the place of the form. What is restored from it can be undone there. */
export const HistoryView = ({ entry, onClose }: { entry: Entry; onClose: () => void }) => {
  const { session, state } = useEditor()
  const frozen = isFrozen(state)
    ? 'Resolve the conflict first.'
    : isDirty(state)
      ? 'You have unsaved changes. Save them first.'
      : undefined
  return (
    <Panel
      title="History"
      actions={
        <Button size="sm" icon={<ArrowLeft />} onClick={onClose}>
          Back to editor
        </Button>
      }
    >
      <Suspense fallback={<SkeletonText lines={6} />}>
        <RevisionsPanel
          entry={entry}
          frozen={frozen}
          onRestored={(restored) => session.resolve(restored, valuesOf(restored))}
        />
      </Suspense>
    </Panel>
  )
}
