import type { ContentType } from '@stoa/cms-model/content-types.ts'
import { diffContent } from '@stoa/cms-model/entry-diff.ts'
import { lazyPart } from '@stoa/ui/lazy-part.tsx'
import { Spinner } from '@stoa/ui/spinner.tsx'
import { Suspense } from 'react'
import type { Change } from './changes.ts'
import type { Ticks } from './diff-view.tsx'

const DiffView = lazyPart(() => import('./diff-view.tsx'), 'DiffView')

type Content = { title: string; slug: string; data: Readonly<Record<string, unknown>> }

type ContentDiffProps = {
  type: Pick<ContentType, 'fields'>
  /** Lets people choose single changes. */
  ticks?: Ticks
} & ({ before: Content; after: Content } | { changes: readonly Change[] })

/** What is different between two contents of a type, field by field. Its code comes when it is looked at. */
export const ContentDiff = ({ type, ticks, ...compared }: ContentDiffProps) => {
  const changes = 'changes' in compared ? compared.changes : diffContent(type.fields, compared.before, compared.after)
  if (changes.length === 0) return <p className="text-muted text-sm">No differences</p>
  return (
    <Suspense fallback={<Spinner />}>
      <DiffView changes={changes} fields={type.fields} ticks={ticks} />
    </Suspense>
  )
}
