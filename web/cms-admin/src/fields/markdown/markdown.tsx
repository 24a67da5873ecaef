import { Textarea } from '@stoa/ui/form/textarea.tsx'
import { lazyPart } from '@stoa/ui/shell/lazy-part.tsx'
import { FileCode2 } from 'lucide-react'
import { LinesChange } from '../../diff/diff-text.tsx'
import { excerptOf } from '../../entries/list/values.ts'
import { TextCell } from '../cell-parts.tsx'
import { defaultInput } from '../default-input.tsx'
import type { FieldView } from '../field-view.ts'
import { type TextDraft, textOptions } from '../text/text-options.tsx'
import { textOf } from '../text-of.ts'

export const markdown: FieldView<'markdown', TextDraft> = {
  label: 'Markdown',
  line: 'Formatted text, written as Markdown',
  group: 'Text',
  icon: FileCode2,
  sketch: 'area',
  Editor: lazyPart(() => import('./markdown-editor.tsx'), 'MarkdownEditor'),
  isRare: true,
  frame: () => 'area',
  onPage: () => 'text',
  Cell: ({ value }) => <TextCell>{excerptOf(value)}</TextCell>,
  Change: ({ change }) => <LinesChange before={textOf(change.before)} after={textOf(change.after)} />,
  ...textOptions,
  Default: defaultInput((value, onText) => <Textarea value={value} onChange={({ target }) => onText(target.value)} />),
}
