import type { ContentType } from '@stoa/cms-model/content-types.ts'
import { diffContent } from '@stoa/cms-model/entry-diff.ts'
import { LAYOUT_KEY } from '@stoa/cms-model/fields/layout.ts'
import { sectionStates } from '@stoa/cms-model/section-states.ts'
import type { VisualDefinitions, VisualSection } from '@stoa/cms-model/visual.ts'
import { Spinner } from '@stoa/ui/feedback/spinner.tsx'
import { lazyPart } from '@stoa/ui/shell/lazy-part.tsx'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { visualQuery } from '../visual/pages.ts'
import type { Change } from './changes.ts'
import type { Ticks } from './diff-view.tsx'

const DiffView = lazyPart(() => import('./diff-view.tsx'), 'DiffView')

type Content = { title: string; slug: string; data: Readonly<Record<string, unknown>> }

type ContentDiffProps = {
  type: Pick<ContentType, 'name' | 'fields'>
  /** Lets people choose single changes. */
  ticks?: Ticks
} & ({ before: Content; after: Content } | { changes: readonly Change[] })

/** What is different between two contents of a type, field by field. Its code comes when it is looked at. */
export const ContentDiff = ({ type, ticks, ...compared }: ContentDiffProps) => {
  const isLayout = 'changes' in compared ? compared.changes.some(({ path }) => path === LAYOUT) : true
  const { data: sections = [] } = useQuery({ ...sectionsQuery(type.name), enabled: isLayout })
  const changes =
    'changes' in compared
      ? compared.changes.map((change) => withLabels(change, sections))
      : diffContent(type.fields, compared.before, compared.after, sections)
  if (changes.length === 0) return <p className="text-muted text-sm">No differences</p>
  return (
    <Suspense fallback={<Spinner />}>
      <DiffView changes={changes} fields={type.fields} ticks={ticks} />
    </Suspense>
  )
}

const LAYOUT = `data.${LAYOUT_KEY}`

/** A layout as it was typed, in the form in which the service returns one. */
const withLabels = (change: Change, sections: readonly VisualSection[]): Change =>
  change.path === LAYOUT && !Array.isArray(change.before) && !Array.isArray(change.after)
    ? { ...change, before: sectionStates(sections, change.before), after: sectionStates(sections, change.after) }
    : change

/** The sections of the page of a type, which label its layout; none when the website declares none. */
const sectionsQuery = (type: string) => ({
  ...visualQuery,
  select: ({ types }: { types: VisualDefinitions }) =>
    (Object.hasOwn(types, type) ? types[type]?.sections : undefined) ?? [],
})
