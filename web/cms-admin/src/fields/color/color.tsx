import { Input } from '@stoa/ui/form/input.tsx'
import { Palette } from 'lucide-react'
import { PlainChange } from '../../diff/diff-plain.tsx'
import { NOTHING } from '../cell-parts.tsx'
import { defaultInput } from '../default-input.tsx'
import type { FieldView } from '../field-view.ts'
import { ColorEditor } from './color-editor.tsx'

const CellColour = ({ value }: { value: string }) => (
  <span className="inline-flex items-center gap-1.5">
    <span aria-hidden className="size-3.5 rounded-xs border border-line-strong" style={{ backgroundColor: value }} />
    <code className="font-mono text-xs">{value}</code>
  </span>
)

const ChangedColour = ({ value }: { value: string }) => (
  <span>
    <span
      aria-hidden
      style={{ backgroundColor: value }}
      className="mr-1.5 inline-block size-4 rounded-xs border border-line-strong align-text-bottom"
    />
    <code className="font-mono text-xs">{value}</code>
  </span>
)

export const color: FieldView<'color'> = {
  label: 'Color',
  line: 'A color such as #1d4ed8',
  group: 'Media and structure',
  icon: Palette,
  Editor: ColorEditor,
  frame: () => 'input',
  Cell: ({ value }) => (typeof value === 'string' ? <CellColour value={value} /> : NOTHING),
  Change: ({ change }) => <PlainChange change={change} shown={(value) => <ChangedColour value={String(value)} />} />,
  Default: defaultInput((value, onText) => (
    <Input
      value={value}
      onChange={({ target }) => onText(target.value)}
      placeholder="#1d4ed8"
      autoCapitalize="none"
      spellCheck={false}
      className="font-mono"
    />
  )),
}
