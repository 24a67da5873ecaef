import type { EditorView } from '@codemirror/view'
import { Toolbar, ToolbarButton, ToolbarSeparator } from '@stoa/ui/button/toolbar.tsx'
import { Menu, MenuItem } from '@stoa/ui/layer/menu.tsx'
import {
  Bold,
  Code,
  Columns2,
  Eye,
  Heading,
  Image,
  Italic,
  Link,
  List,
  ListOrdered,
  PencilLine,
  Strikethrough,
  Table,
  TextQuote,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { apply, selectedIn } from './apply.ts'
import { blockEdit, type Edit, type Selected, TABLE, toggleAround, toggleHeading, toggleLines } from './edits.ts'

export const previewModes = ['write', 'split', 'preview'] as const
export type PreviewMode = (typeof previewModes)[number]

type MarkdownToolbarProps = {
  view: EditorView | null
  disabled: boolean
  mode: PreviewMode
  onMode: (mode: PreviewMode) => void
  onLink: () => void
  onPictures: () => void
  /** The menu of the field, where no label has it. */
  actions?: ReactNode
}

type TextAction = { label: string; icon: ReactNode; shortcut?: string; edit: (selected: Selected) => Edit }

const textActions: readonly TextAction[] = [
  { label: 'Bold', icon: <Bold />, shortcut: 'mod+b', edit: (it) => toggleAround(it, '**') },
  { label: 'Italic', icon: <Italic />, shortcut: 'mod+i', edit: (it) => toggleAround(it, '*') },
  { label: 'Strikethrough', icon: <Strikethrough />, edit: (it) => toggleAround(it, '~~') },
  { label: 'Code', icon: <Code />, shortcut: 'mod+e', edit: (it) => toggleAround(it, '`') },
]

const lineActions: readonly TextAction[] = [
  { label: 'Bulleted list', icon: <List />, edit: (it) => toggleLines(it, 'bullets') },
  { label: 'Numbered list', icon: <ListOrdered />, edit: (it) => toggleLines(it, 'numbers') },
  { label: 'Quote', icon: <TextQuote />, edit: (it) => toggleLines(it, 'quote') },
]

const modeLooks: Readonly<Record<PreviewMode, { label: string; icon: ReactNode; className: string }>> = {
  write: { label: 'Write', icon: <PencilLine />, className: '' },
  split: { label: 'Write and preview', icon: <Columns2 />, className: 'phone:hidden' },
  preview: { label: 'Preview', icon: <Eye />, className: '' },
}

/** The actions above the source. Alt+F10 goes here from the text, Esc back. */
export const MarkdownToolbar = (props: MarkdownToolbarProps) => {
  const { view, disabled, mode, onMode, onLink, onPictures, actions } = props
  const isOff = disabled || mode === 'preview'
  const run = (edit: TextAction['edit']) => () => {
    if (view) apply(view, edit(selectedIn(view)))
  }
  const button = ({ label, icon, shortcut, edit }: TextAction) => (
    <ToolbarButton
      key={label}
      label={label}
      icon={icon}
      {...(shortcut === undefined ? {} : { shortcut })}
      disabled={isOff}
      onClick={run(edit)}
    />
  )
  return (
    <Toolbar
      label="Markdown"
      onLeave={() => view?.focus()}
      className="overflow-x-auto px-1.5 py-1 [scrollbar-width:none]"
    >
      <Menu
        align="start"
        trigger={<ToolbarButton label="Heading" icon={<Heading />} disabled={isOff} />}
        onClosed={() => view?.focus()}
      >
        {[1, 2, 3].map((level) => (
          <MenuItem key={level} onSelect={run((it) => toggleHeading(it, level))}>
            {'#'.repeat(level)} Heading {level}
          </MenuItem>
        ))}
      </Menu>
      {textActions.map(button)}
      <ToolbarSeparator />
      {lineActions.map(button)}
      <ToolbarSeparator />
      <ToolbarButton label="Link" icon={<Link />} shortcut="mod+k" disabled={isOff} onClick={onLink} />
      <ToolbarButton label="Image" icon={<Image />} disabled={isOff} onClick={onPictures} />
      {button({ label: 'Table', icon: <Table />, edit: (it) => blockEdit(it, TABLE) })}
      <span className="flex-1" />
      {previewModes.map((value) => (
        <ToolbarButton
          key={value}
          label={modeLooks[value].label}
          icon={modeLooks[value].icon}
          className={modeLooks[value].className}
          pressed={mode === value}
          onClick={() => onMode(value)}
        />
      ))}
      {actions}
    </Toolbar>
  )
}
