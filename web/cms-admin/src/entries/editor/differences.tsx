import { lazyPart } from '@stoa/ui/lazy-part.tsx'
import { Spinner } from '@stoa/ui/spinner.tsx'
import { Suspense } from 'react'
import type { Change } from './changes-between.ts'
import { useEditor } from './editor-context.ts'

const DiffView = lazyPart(() => import('../revisions/diff-view.tsx'), 'DiffView')

/** What changed, field by field. Its code comes when it is looked at. */
export const Differences = ({ changes }: { changes: readonly Change[] }) => {
  const { type } = useEditor()
  if (changes.length === 0) return <p className="text-muted text-sm">Nothing is different.</p>
  return (
    <Suspense fallback={<Spinner />}>
      <DiffView changes={changes} fields={type.fields} />
    </Suspense>
  )
}
