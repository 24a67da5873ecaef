import { lazyPart } from '@stoa/ui/shell/lazy-part.tsx'
import { Braces } from 'lucide-react'
import { DocumentChange } from '../../diff/diff-text.tsx'
import { excerptOf } from '../../entries/list/values.ts'
import { NOTHING } from '../cell-parts.tsx'
import type { FieldView } from '../field-view.ts'
import { slugsInJson } from './held-slugs.ts'

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
