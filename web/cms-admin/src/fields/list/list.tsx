import type { Field, FieldOf } from '@stoa/cms-model/fields/field.ts'
import { memberOf } from '@stoa/cms-model/fields/members.ts'
import { lazyPart } from '@stoa/ui/shell/lazy-part.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { Rows3 } from 'lucide-react'
import { ChangeBody } from '../../diff/change-body.tsx'
import { ListChange } from '../../diff/diff-items.tsx'
import { NOTHING } from '../cell-parts.tsx'
import { type CountDraft, CountOptions, countDraft, countWords } from '../counts.tsx'
import type { FieldView } from '../field-view.ts'
import { listHint } from '../hints.ts'
import type { HeldSlugs } from '../slug-references.ts'
import { textOf } from '../text-of.ts'
import { rowsOf } from './rows.ts'

/** A list holds several slugs if its items are one text each. */
const slugsInRows = ({ fields, maxItems }: FieldOf<'list'>, value: unknown): HeldSlugs | null => {
  const key = onlyText(fields)
  if (key === null) return null
  return {
    slugs: rowsOf(value).map((row) => textOf(memberOf(row, key))),
    isList: true,
    max: maxItems ?? Number.POSITIVE_INFINITY,
    toValue: (slugs) => slugs.map((slug) => ({ [key]: slug })),
  }
}

const onlyText = (fields: readonly Field[]): string | null => {
  const [first, ...more] = fields
  return first?.type === 'text' && more.length === 0 ? first.key : null
}

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
