import { lazyPart } from '@stoa/ui/shell/lazy-part.tsx'
import { Pilcrow } from 'lucide-react'
import { HtmlChange } from '../../diff/diff-html.tsx'
import { excerptOf } from '../../entries/list/values.ts'
import { TextCell } from '../cell-parts.tsx'
import type { FieldView } from '../field-view.ts'
import { type TextDraft, textOptions } from '../text/text-options.tsx'
import { textOf } from '../text-of.ts'

export const richtext: FieldView<'richtext', TextDraft> = {
  label: 'Rich text',
  line: 'Formatting, images, tables, embeds',
  group: 'Text',
  icon: Pilcrow,
  sketch: 'area',
  Editor: lazyPart(() => import('./rich-text-editor.tsx'), 'RichTextEditor'),
  isRare: true,
  frame: () => 'area',
  onPage: () => 'text',
  Cell: ({ value }) => <TextCell>{excerptOf(value, true)}</TextCell>,
  Change: ({ change }) => <HtmlChange before={textOf(change.before)} after={textOf(change.after)} />,
  ...textOptions,
}
