import type { FieldType } from '@stoa/cms-model/fields/index.ts'
import {
  AlignLeft,
  AtSign,
  Braces,
  Calendar,
  CalendarClock,
  CircleDot,
  FileCode2,
  Hash,
  Image,
  Images,
  Link2,
  ListChecks,
  type LucideIcon,
  Palette,
  Pilcrow,
  Rows3,
  Spline,
  ToggleLeft,
  Type,
} from 'lucide-react'

const icons: Readonly<Record<FieldType, LucideIcon>> = {
  text: Type,
  textarea: AlignLeft,
  richtext: Pilcrow,
  markdown: FileCode2,
  number: Hash,
  boolean: ToggleLeft,
  date: Calendar,
  datetime: CalendarClock,
  select: CircleDot,
  multiselect: ListChecks,
  media: Image,
  gallery: Images,
  reference: Spline,
  list: Rows3,
  json: Braces,
  color: Palette,
  url: Link2,
  email: AtSign,
}

/** The sign of a field type, on a ground of its own. */
export const FieldTypeIcon = ({ type }: { type: FieldType }) => {
  const Icon = icons[type]
  return (
    <span
      aria-hidden
      className="flex size-7 shrink-0 items-center justify-center rounded-md border border-line bg-canvas text-muted [&_svg]:size-3.5"
    >
      <Icon />
    </span>
  )
}
