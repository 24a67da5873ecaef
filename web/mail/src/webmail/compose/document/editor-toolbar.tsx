import { Toolbar, ToolbarButton, ToolbarSeparator, ToolbarTextButton } from '@stoa/ui/button/toolbar.tsx'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '@stoa/ui/layer/menu.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import type { Editor } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import {
  Ban,
  Bold,
  ChevronDown,
  Code,
  ImagePlus,
  Italic,
  Link,
  List,
  ListOrdered,
  Palette,
  RemoveFormatting,
  Strikethrough,
  TextQuote,
  Underline,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { COLOURS } from './document.ts'

type Action = {
  id: string
  label: string
  icon: ReactNode
  shortcut?: string
  isOn: (editor: Editor) => boolean
  run: (editor: Editor) => void
}

const mark = (id: string, label: string, icon: ReactNode, shortcut: string): Action => ({
  id,
  label,
  icon,
  shortcut,
  isOn: (editor) => editor.isActive(id),
  run: (editor) => void editor.chain().focus().toggleMark(id).run(),
})

const marks: readonly Action[] = [
  mark('bold', 'Bold', <Bold />, 'mod+b'),
  mark('italic', 'Italic', <Italic />, 'mod+i'),
  mark('underline', 'Underline', <Underline />, 'mod+u'),
  mark('strike', 'Strikethrough', <Strikethrough />, 'mod+shift+s'),
  mark('code', 'Code', <Code />, 'mod+e'),
]

const blocks: readonly Action[] = [
  {
    id: 'bulletList',
    label: 'Bulleted list',
    icon: <List />,
    shortcut: 'mod+shift+8',
    isOn: (editor) => editor.isActive('bulletList'),
    run: (editor) => void editor.chain().focus().toggleBulletList().run(),
  },
  {
    id: 'orderedList',
    label: 'Numbered list',
    icon: <ListOrdered />,
    shortcut: 'mod+shift+7',
    isOn: (editor) => editor.isActive('orderedList'),
    run: (editor) => void editor.chain().focus().toggleOrderedList().run(),
  },
  {
    id: 'blockquote',
    label: 'Quote',
    icon: <TextQuote />,
    isOn: (editor) => editor.isActive('blockquote'),
    run: (editor) => void editor.chain().focus().toggleBlockquote().run(),
  },
]

const styles: readonly { label: string; isOn: (editor: Editor) => boolean; run: (editor: Editor) => void }[] = [
  {
    label: 'Text',
    isOn: (editor) => editor.isActive('paragraph'),
    run: (editor) => void editor.chain().focus().setNode('paragraph').run(),
  },
  ...([1, 2, 3] as const).map((level) => ({
    label: { 1: 'Large heading', 2: 'Heading', 3: 'Small heading' }[level],
    isOn: (editor: Editor) => editor.isActive('heading', { level }),
    run: (editor: Editor) => void editor.chain().focus().setNode('heading', { level }).run(),
  })),
  {
    label: 'Code block',
    isOn: (editor) => editor.isActive('codeBlock'),
    run: (editor) => void editor.chain().focus().toggleCodeBlock().run(),
  },
]

type EditorToolbarProps = { editor: Editor; onLink: () => void; onPicture: () => void }

/** The formatting toolbar. Alt+F10 moves the focus here, Esc back. */
export const EditorToolbar = ({ editor, onLink, onPicture }: EditorToolbarProps) => {
  const state = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      on: [...marks, ...blocks].filter((action) => action.isOn(now)).map(({ id }) => id),
      style: styles.find((style) => style.isOn(now))?.label ?? 'Text',
      isLink: now.isActive('link'),
    }),
  })
  const button = ({ id, label, icon, shortcut, run }: Action) => (
    <ToolbarButton
      key={id}
      label={label}
      icon={icon}
      {...(shortcut === undefined ? {} : { shortcut })}
      pressed={state.on.includes(id)}
      onClick={() => run(editor)}
    />
  )
  return (
    <Toolbar
      label="Formatting"
      onLeave={() => editor.commands.focus()}
      className="shrink-0 overflow-x-auto border-line border-t px-2 py-1 [scrollbar-width:none]"
    >
      <Menu
        align="start"
        side="top"
        onClosed={() => editor.commands.focus()}
        trigger={
          <ToolbarTextButton aria-label={`Style: ${state.style}`}>
            {state.style}
            <ChevronDown aria-hidden />
          </ToolbarTextButton>
        }
      >
        <MenuChoice
          value={state.style}
          options={styles.map(({ label }) => ({ value: label, label }))}
          onValue={(chosen) => styles.find(({ label }) => label === chosen)?.run(editor)}
        />
      </Menu>
      <ToolbarSeparator />
      {marks.map(button)}
      <ColourMenu editor={editor} />
      <ToolbarSeparator />
      {blocks.map(button)}
      <ToolbarSeparator />
      <ToolbarButton label="Link" icon={<Link />} shortcut="mod+k" pressed={state.isLink} onClick={onLink} />
      <ToolbarButton label="Insert image" icon={<ImagePlus />} onClick={onPicture} />
      <ToolbarButton
        label="Clear formatting"
        icon={<RemoveFormatting />}
        onClick={() => editor.chain().focus().unsetAllMarks().clearNodes().run()}
      />
    </Toolbar>
  )
}

const ColourMenu = ({ editor }: { editor: Editor }) => (
  <Menu
    align="start"
    side="top"
    onClosed={() => editor.commands.focus()}
    trigger={<ToolbarButton label="Text color" icon={<Palette />} />}
  >
    {Object.keys(COLOURS).map((colour) => (
      <MenuItem
        key={colour}
        icon={<span data-colour={colour} className={cx('mail-colour size-3.5 shrink-0 rounded-full')} />}
        onSelect={() => void editor.chain().focus().setMark('textColour', { colour }).run()}
      >
        {colour.charAt(0).toUpperCase() + colour.slice(1)}
      </MenuItem>
    ))}
    <MenuSeparator />
    <MenuItem icon={<Ban />} onSelect={() => void editor.chain().focus().unsetMark('textColour').run()}>
      Default color
    </MenuItem>
  </Menu>
)
