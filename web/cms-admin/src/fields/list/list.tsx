import { lazyPart } from '@stoa/ui/shell/lazy-part.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { Rows3 } from 'lucide-react'
import { ChangeBody } from '../../diff/change-body.tsx'
import { ListChange } from '../../diff/diff-items.tsx'
import { NOTHING } from '../cell-parts.tsx'
import type { FieldView } from '../field-view.ts'
import { listHint } from '../hints.ts'
import { CountOptions } from '../option-inputs.tsx'

export const list: FieldView<'list'> = {
  label: 'List',
  line: 'Repeated fields, such as slides or steps',
  group: 'Media and structure',
  icon: Rows3,
  Editor: lazyPart(() => import('./list-editor.tsx'), 'ListEditor'),
  frame: () => 'group',
  showsInside: true,
  hint: listHint,
  Cell: ({ value }) =>
    Array.isArray(value) && value.length > 0 ? formatCount(value.length, 'item', 'items') : NOTHING,
  Change: ({ change: { before, after }, field }) => (
    <ListChange before={before} after={after} fields={field?.type === 'list' ? field.fields : []} Body={ChangeBody} />
  ),
  Options: CountOptions,
}
