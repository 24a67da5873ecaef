import {
  BookOpen,
  Box,
  Briefcase,
  Building2,
  CalendarDays,
  CircleHelp,
  Euro,
  File,
  FileText,
  Film,
  Folder,
  Globe,
  Heart,
  House,
  Image,
  Layers,
  Link,
  type LucideIcon,
  Mail,
  MapPin,
  Megaphone,
  MessageSquare,
  Mic,
  Music,
  Newspaper,
  Package,
  PanelsTopLeft,
  Quote,
  Settings2,
  ShoppingBag,
  Star,
  Tag,
  Ticket,
  User,
  Users,
  Utensils,
  Wrench,
} from 'lucide-react'

/** The icons that a content type can have, by the names that are stored. */
export const typeIcons: ReadonlyMap<string, LucideIcon> = new Map([
  ['file-text', FileText],
  ['file', File],
  ['newspaper', Newspaper],
  ['book-open', BookOpen],
  ['panels-top-left', PanelsTopLeft],
  ['layers', Layers],
  ['house', House],
  ['user', User],
  ['users', Users],
  ['calendar-days', CalendarDays],
  ['map-pin', MapPin],
  ['building-2', Building2],
  ['briefcase', Briefcase],
  ['package', Package],
  ['shopping-bag', ShoppingBag],
  ['euro', Euro],
  ['ticket', Ticket],
  ['utensils', Utensils],
  ['image', Image],
  ['film', Film],
  ['music', Music],
  ['mic', Mic],
  ['quote', Quote],
  ['message-square', MessageSquare],
  ['circle-help', CircleHelp],
  ['megaphone', Megaphone],
  ['mail', Mail],
  ['link', Link],
  ['globe', Globe],
  ['folder', Folder],
  ['tag', Tag],
  ['star', Star],
  ['heart', Heart],
  ['box', Box],
  ['wrench', Wrench],
  ['settings-2', Settings2],
])

type TypeIconProps = { type: { icon: string; kind: 'collection' | 'single' }; className?: string }

/** The icon of a content type; without one, or with one that is not known, that of its kind. */
export const TypeIcon = ({ type, className }: TypeIconProps) => {
  const Icon = typeIcons.get(type.icon) ?? (type.kind === 'single' ? PanelsTopLeft : FileText)
  return <Icon aria-hidden className={className} />
}

/** A label inside a sentence: "New article", but "New FAQ". */
export const inSentence = (label: string): string =>
  /^\p{Lu}\p{Ll}/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label
