import type { Editor } from '@tiptap/core'
import {
  Bold,
  Code,
  Film,
  Heading2,
  Heading3,
  Heading4,
  Highlighter,
  Image,
  Italic,
  Link,
  List,
  ListCollapse,
  ListOrdered,
  Minus,
  Pilcrow,
  RemoveFormatting,
  SquareCode,
  SquarePlay,
  Strikethrough,
  Subscript,
  Superscript,
  Table,
  TextQuote,
  Underline,
} from 'lucide-react'
import type { ReactNode } from 'react'

/** Dialogs that an action may ask the editor's surroundings to open. */
export type ActionContext = {
  openLink: () => void
  openPictures: () => void
  openPlayers: () => void
  openEmbed: () => void
}

/** One thing to do in the editor, wherever it is offered. */
export type Action = {
  id: string
  label: string
  icon: ReactNode
  shortcut?: string
  /** Other words that find it in the slash menu. */
  keywords?: readonly string[]
  isOn?: (editor: Editor) => boolean
  run: (editor: Editor, context: ActionContext) => void
}

type MarkAction = { id: string; mark: string; label: string; icon: ReactNode; shortcut?: string }

const markAction = ({ mark, ...rest }: MarkAction): Action => ({
  ...rest,
  isOn: (editor) => editor.isActive(mark),
  run: (editor) => void editor.chain().focus().toggleMark(mark).run(),
})

/** Formatting that is asked for all the time. */
export const markActions: readonly Action[] = [
  markAction({ id: 'bold', mark: 'bold', label: 'Bold', icon: <Bold />, shortcut: 'mod+b' }),
  markAction({ id: 'italic', mark: 'italic', label: 'Italic', icon: <Italic />, shortcut: 'mod+i' }),
  markAction({ id: 'underline', mark: 'underline', label: 'Underline', icon: <Underline />, shortcut: 'mod+u' }),
  markAction({
    id: 'strike',
    mark: 'strike',
    label: 'Strikethrough',
    icon: <Strikethrough />,
    shortcut: 'mod+shift+s',
  }),
  markAction({ id: 'code', mark: 'code', label: 'Code', icon: <Code />, shortcut: 'mod+e' }),
]

/** Formatting that is asked for now and then. */
export const rareMarkActions: readonly Action[] = [
  markAction({ id: 'highlight', mark: 'highlight', label: 'Highlight', icon: <Highlighter /> }),
  markAction({ id: 'subscript', mark: 'subscript', label: 'Subscript', icon: <Subscript />, shortcut: 'mod+,' }),
  markAction({
    id: 'superscript',
    mark: 'superscript',
    label: 'Superscript',
    icon: <Superscript />,
    shortcut: 'mod+.',
  }),
  {
    id: 'clear',
    label: 'Clear formatting',
    icon: <RemoveFormatting />,
    run: (editor) => void editor.chain().focus().unsetAllMarks().run(),
  },
]

/** Actions that set the style of the paragraph at the caret. */
export const styleActions: readonly Action[] = [
  {
    id: 'paragraph',
    label: 'Text',
    icon: <Pilcrow />,
    shortcut: 'mod+alt+0',
    keywords: ['paragraph', 'plain'],
    isOn: (editor) => editor.isActive('paragraph'),
    run: (editor) => void editor.chain().focus().setParagraph().run(),
  },
  headingAction(2, 'Heading', <Heading2 />, 'mod+alt+1'),
  headingAction(3, 'Subheading', <Heading3 />, 'mod+alt+2'),
  headingAction(4, 'Small heading', <Heading4 />, 'mod+alt+3'),
  {
    id: 'code-block',
    label: 'Code block',
    icon: <SquareCode />,
    shortcut: 'mod+alt+c',
    keywords: ['pre', 'program'],
    isOn: (editor) => editor.isActive('codeBlock'),
    run: (editor) => void editor.chain().focus().toggleCodeBlock().run(),
  },
]

export const listActions: readonly Action[] = [
  {
    id: 'bullets',
    label: 'Bulleted list',
    icon: <List />,
    shortcut: 'mod+shift+8',
    keywords: ['ul', 'points'],
    isOn: (editor) => editor.isActive('bulletList'),
    run: (editor) => void editor.chain().focus().toggleBulletList().run(),
  },
  {
    id: 'numbers',
    label: 'Numbered list',
    icon: <ListOrdered />,
    shortcut: 'mod+shift+7',
    keywords: ['ol', 'ordered', 'steps'],
    isOn: (editor) => editor.isActive('orderedList'),
    run: (editor) => void editor.chain().focus().toggleOrderedList().run(),
  },
  {
    id: 'quote',
    label: 'Quote',
    icon: <TextQuote />,
    shortcut: 'mod+shift+b',
    keywords: ['blockquote', 'citation'],
    isOn: (editor) => editor.isActive('blockquote'),
    run: (editor) => void editor.chain().focus().toggleBlockquote().run(),
  },
]

/** What a selection becomes at once: the two headings that a text is made of, and a quote. */
export const selectionStyleActions: readonly Action[] = [...styleActions, ...listActions].filter(({ id }) =>
  ['heading-2', 'heading-3', 'quote'].includes(id),
)

export const linkAction: Action = {
  id: 'link',
  label: 'Link',
  icon: <Link />,
  shortcut: 'mod+k',
  keywords: ['url', 'address'],
  isOn: (editor) => editor.isActive('link'),
  run: (_editor, context) => context.openLink(),
}

export const insertActions: readonly Action[] = [
  {
    id: 'picture',
    label: 'Image',
    icon: <Image />,
    keywords: ['picture', 'photo', 'upload', 'media'],
    isOn: (editor) => editor.isActive('picture'),
    run: (_editor, context) => context.openPictures(),
  },
  {
    id: 'table',
    label: 'Table',
    icon: <Table />,
    keywords: ['rows', 'columns', 'grid'],
    isOn: (editor) => editor.isActive('table'),
    run: (editor) => void editor.chain().focus().insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run(),
  },
  {
    id: 'player',
    label: 'Video or audio',
    icon: <Film />,
    keywords: ['sound', 'film', 'mp4', 'mp3', 'upload', 'media', 'library'],
    run: (_editor, context) => context.openPlayers(),
  },
  {
    id: 'embed',
    label: 'YouTube or Vimeo',
    icon: <SquarePlay />,
    keywords: ['video', 'embed', 'player'],
    run: (_editor, context) => context.openEmbed(),
  },
]

export const rareInsertActions: readonly Action[] = [
  {
    id: 'rule',
    label: 'Divider',
    icon: <Minus />,
    keywords: ['rule', 'line', 'hr', 'separator'],
    run: (editor) => void editor.chain().focus().setHorizontalRule().run(),
  },
  {
    id: 'details',
    label: 'Collapsible section',
    icon: <ListCollapse />,
    keywords: ['details', 'accordion', 'toggle', 'faq'],
    run: (editor) => void editor.chain().focus().setDetails().run(),
  },
]

/** The commands of the slash menu. */
const slashActions: readonly Action[] = [...styleActions, ...listActions, ...insertActions, ...rareInsertActions]

/** The actions that these words ask for, the best first. */
export const findActions = (words: string, actions: readonly Action[] = slashActions): readonly Action[] => {
  const wanted = words.trim().toLowerCase()
  if (wanted === '') return actions
  const rank = ({ label, keywords = [] }: Action): number => {
    if (label.toLowerCase().startsWith(wanted)) return 0
    if (label.toLowerCase().includes(wanted)) return 1
    return keywords.some((word) => word.startsWith(wanted)) ? 2 : 3
  }
  return actions.filter((action) => rank(action) < 3).toSorted((a, b) => rank(a) - rank(b))
}

function headingAction(level: 2 | 3 | 4, label: string, icon: ReactNode, shortcut: string): Action {
  return {
    id: `heading-${level}`,
    label,
    icon,
    shortcut,
    keywords: [`h${level}`, 'heading', 'title'],
    isOn: (editor) => editor.isActive('heading', { level }),
    run: (editor) => void editor.chain().focus().toggleHeading({ level }).run(),
  }
}
