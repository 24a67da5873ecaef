import { ErrorBoundary } from '@stoa/ui/feedback/error-boundary.tsx'
import { Skeleton } from '@stoa/ui/feedback/skeleton.tsx'
import { Suspense } from 'react'
import { editorRegistry } from '../../../registry/editor.tsx'
import type { EntryDraft } from '../../../registry/entry-panels.ts'
import { useRegistered } from '../../../registry/registered.ts'
import { isDirty } from '../../session/session-state.ts'
import { useEditor } from '../editor-context.ts'

/** Everything about an entry that is not its content. */
export const EntryPanels = () => {
  const { type, me, state, canWrite } = useEditor()
  const panels = useRegistered(editorRegistry.entryPanels, me)
  const { entry, values, locale } = state
  const draft: EntryDraft = { values, locale, isDirty: isDirty(state), isReadonly: !canWrite }
  return (
    <div className="flex min-w-0 flex-col divide-y divide-line [&>*]:py-4 [&>*:first-child]:pt-0">
      {panels
        .filter(({ applies }) => applies === undefined || applies(type, entry))
        .map(({ id, label, Component }) => (
          // A panel that falls over leaves the form and the other panels as they are
          <ErrorBoundary key={id} title={`${label} stopped working`}>
            <Suspense fallback={<Skeleton className="h-16 w-full" />}>
              <Component type={type} entry={entry} draft={draft} />
            </Suspense>
          </ErrorBoundary>
        ))}
    </div>
  )
}
