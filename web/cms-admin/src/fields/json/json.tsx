import { lazyPart } from '@stoa/ui/shell/lazy-part.tsx'
import { Braces } from 'lucide-react'
import { DocumentChange } from '../../diff/diff-text.tsx'
import { excerptOf } from '../../entries/list/values.ts'
import { NOTHING } from '../cell-parts.tsx'
import type { FieldView } from '../field-view.ts'
import type { HeldSlugs } from '../slug-references.ts'

/** JSON holds several slugs if it is an array of texts. */
const slugsInJson = (_field: unknown, value: unknown): HeldSlugs | null => {
  const slugs = value ?? []
  if (!Array.isArray(slugs) || !slugs.every((slug) => typeof slug === 'string')) return null
  return { slugs, isList: true, max: Number.POSITIVE_INFINITY, toValue: (next) => (next.length === 0 ? null : next) }
}

export const json: FieldView<'json'> = {
  label: 'JSON',
  line: 'Any data, for developers',
  group: 'Media and structure',
  icon: Braces,
  sketch: 'area',
  Editor: lazyPart(() => import('./json-editor.tsx'), 'JsonEditor'),
  isRare: true,
  frame: () => 'area',
  slugs: slugsInJson,
  Cell: ({ value }) =>
    value === null ? NOTHING : <code className="font-mono text-xs">{excerptOf(JSON.stringify(value))}</code>,
  Change: ({ change: { before, after } }) => <DocumentChange before={before} after={after} />,
}
