import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { lazyPart } from '@stoa/ui/shell/lazy-part.tsx'
import { useQuery } from '@tanstack/react-query'
import { Spline } from 'lucide-react'
import { contentPath } from '../../content-path.ts'
import { ReferenceChange } from '../../diff/diff-items.tsx'
import { idsIn, titleOf } from '../../entries/list/values.ts'
import { entryItemQuery } from '../../entries/queries.ts'
import { NAMES_FRESH_MS, Several } from '../cell-parts.tsx'
import { countWords } from '../counts.tsx'
import type { FieldView } from '../field-view.ts'
import { referenceHint } from '../hints.ts'
import { type ReferenceDraft, ReferenceOptions, referenceDraft } from './reference-options.tsx'

const EntryName = ({ id, type }: { id: string; type: string }) => {
  const { data, isError } = useQuery({ ...entryItemQuery(id), staleTime: NAMES_FRESH_MS })
  if (!data) return <span>{isError ? 'Missing' : '…'}</span>
  return (
    <TextLink to={`${contentPath(type)}/${id}`} className="max-w-40 truncate py-0.5">
      {titleOf(data)}
    </TextLink>
  )
}

export const reference: FieldView<'reference', ReferenceDraft> = {
  label: 'Reference',
  line: 'Other entries, such as an author',
  group: 'Media and structure',
  icon: Spline,
  Editor: lazyPart(() => import('./reference-editor.tsx'), 'ReferenceEditor'),
  frame: () => 'group',
  showsInside: true,
  hint: referenceHint,
  Cell: ({ field, value }) => (
    <Several items={idsIn(value).map((id) => ({ id, shown: <EntryName id={id} type={field.to} /> }))} />
  ),
  Change: ({ change: { before, after } }) => <ReferenceChange before={before} after={after} />,
  draft: referenceDraft,
  Options: ReferenceOptions,
  detail: ({ to }) => (to === '' ? '' : ` to ${to}`),
  stricter: { to: 'a different content type', multiple: 'one or multiple', ...countWords },
  checkedOnSave: ['to'],
}
