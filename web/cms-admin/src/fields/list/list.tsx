import { lazyPart } from '@stoa/ui/shell/lazy-part.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { Rows3 } from 'lucide-react'
import { ChangeBody } from '../../diff/change-body.tsx'
import { ListChange } from '../../diff/diff-items.tsx'
import { NOTHING } from '../cell-parts.tsx'
import { type CountDraft, CountOptions, countDraft, countWords } from '../counts.tsx'
import type { FieldView } from '../field-view.ts'
import { listHint } from '../hints.ts'
import { slugsInRows } from './held-slugs.ts'

export const list: FieldView<'list', CountDraft> = {
  label: 'List',
  line: 'Repeated fields, such as slides or steps',
  group: 'Media and structure',
  icon: Rows3,
  sketch: 'rows',
  Editor: lazyPart(() => import('./list-editor.tsx'), 'ListEditor'),
  frame: () => 'group',
  showsInside: true,
  hint: listHint,
  slugs: slugsInRows,
  Cell: ({ value }) =>
    Array.isArray(value) && value.length > 0 ? formatCount(value.length, 'item', 'items') : NOTHING,
  Change: ({ change: { before, after }, field }) => (
    <ListChange before={before} after={after} fields={field?.type === 'list' ? field.fields : []} Body={ChangeBody} />
  ),
  draft: countDraft,
  Options: CountOptions,
  hasFields: true,
  stricter: countWords,
}
