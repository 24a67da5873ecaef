import type { Extensions } from '@tiptap/core'
import { Highlight } from '@tiptap/extension-highlight'
import { Subscript } from '@tiptap/extension-subscript'
import { Superscript } from '@tiptap/extension-superscript'
import { StarterKit } from '@tiptap/starter-kit'
import { Details, DetailsSummary } from './nodes/details.ts'
import { Embed } from './nodes/embed.ts'
import { Language } from './nodes/language.ts'
import { ListItem, OrderedList } from './nodes/lists.ts'
import { Figcaption, Figure, InlineImage, Picture } from './nodes/picture.ts'
import { Player } from './nodes/player.ts'
import { Table, TableCell, TableHeader, TableRow } from './nodes/tables.ts'
import { CodeLines, Heading, InlineCode, Link, Preformatted } from './nodes/text.ts'

/** Everything a document may hold: what the policy of stored HTML keeps, and nothing else. */
export const documentExtensions = (): Extensions => [
  StarterKit.configure({
    heading: false,
    code: false,
    codeBlock: false,
    link: false,
    listItem: false,
    orderedList: false,
    dropcursor: { class: 'rt-drop-cursor', width: 2, color: false },
  }),
  Heading,
  InlineCode,
  CodeLines,
  Preformatted,
  Link,
  ListItem,
  OrderedList,
  Subscript,
  Superscript,
  Highlight,
  Picture,
  InlineImage,
  Figure,
  Figcaption,
  Embed,
  Player,
  Details,
  DetailsSummary,
  Table,
  TableRow,
  TableHeader,
  TableCell,
  Language,
]
