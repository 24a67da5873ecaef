import {
  ArchiveRestore,
  AtSign,
  Ban,
  Contact,
  Filter,
  KeyRound,
  type LucideIcon,
  Palmtree,
  ShieldCheck,
  SlidersHorizontal,
  Smartphone,
  Tag,
} from 'lucide-react'
import type { ComponentType } from 'react'
import { SendersList } from '../../senders/senders-list.tsx'
import { ownSenders } from '../actions/block-sender.ts'
import { AppPasswordsSection } from './app-passwords-section.tsx'
import { ConnectSection } from './connect-section.tsx'
import { ContactsSection } from './contacts-section.tsx'
import { DeletedSection } from './deleted-section.tsx'
import { FiltersSection } from './filters-section.tsx'
import { GeneralSection } from './general-section.tsx'
import { IdentitiesSection } from './identities-section.tsx'
import { LabelsSection } from './labels-section.tsx'
import { SecuritySection } from './security-section.tsx'
import { VacationSection } from './vacation-section.tsx'

/** Whose mail goes to Junk, and whose never does. */
const SendersSection = () => (
  <SendersList
    api={ownSenders}
    description="Mail from blocked senders goes to Junk. Mail from allowed senders never does, as long as it passes SPF or DKIM."
    allowLabel="Allow: never treat as junk"
    initialAction="block"
  />
)

/** One thing that can be set, with other words that find it. */
type Topic = { label: string; words: string }

export type Section = {
  id: string
  label: string
  Icon: LucideIcon
  topics: readonly Topic[]
  Content: ComponentType
}

type Given = Pick<Section, 'label' | 'Icon' | 'Content'> & { topics: Readonly<Record<string, string>> }

const section = (id: string, { topics, ...rest }: Given): Section => ({
  id,
  ...rest,
  topics: Object.entries(topics).map(([label, words]) => ({ label, words })),
})

const general = section('general', {
  label: 'General',
  Icon: SlidersHorizontal,
  Content: GeneralSection,
  topics: {
    Conversations: 'threads group list',
    'List density': 'compact comfortable rows avatars',
    'Reading pane': 'layout split preview right below',
    'Mark as read': 'unread seen seconds',
    'Images in messages': 'pictures remote tracking privacy senders block',
    'Undo send': 'take back seconds cancel',
    'Default format': 'compose html plain text',
    'Junk digest': 'spam summary daily weekly email',
    Theme: 'dark light mode color',
    Notifications: 'desktop alerts new mail',
    'Single-key shortcuts': 'keyboard keys',
    Storage: 'quota space full used',
  },
})

/** The parts of the settings, in the order of the page. */
export const sections: readonly [Section, ...Section[]] = [
  general,
  section('identities', {
    label: 'Identities and signatures',
    Icon: AtSign,
    Content: IdentitiesSection,
    topics: {
      'Your name': 'sender from display',
      Signatures: 'footer closing',
      'Aliases to send from': 'address identity from default',
      'Reply-to address': 'answers',
    },
  }),
  section('vacation', {
    label: 'Automatic reply',
    Icon: Palmtree,
    Content: VacationSection,
    topics: { "Reply while you're away": 'vacation out of office holiday autoresponder absence' },
  }),
  section('filters', {
    label: 'Filters',
    Icon: Filter,
    Content: FiltersSection,
    topics: { 'Rules for new mail': 'sieve sort move file forward' },
  }),
  section('senders', {
    label: 'Blocked senders',
    Icon: Ban,
    Content: SendersSection,
    topics: { 'Allowed and blocked senders': 'block unblock junk spam allow trust safe list domain' },
  }),
  section('labels', {
    label: 'Labels',
    Icon: Tag,
    Content: LabelsSection,
    topics: { 'Labels in the sidebar': 'tags keywords rename colors new' },
  }),
  section('contacts', {
    label: 'Contacts',
    Icon: Contact,
    Content: ContactsSection,
    topics: { "People you've written to or added": 'address book completion suggestions forget add edit note' },
  }),
  section('deleted', {
    label: 'Deleted messages',
    Icon: ArchiveRestore,
    Content: DeletedSection,
    topics: { 'Restore deleted messages': 'undelete recover trash purge undo' },
  }),
  section('app-passwords', {
    label: 'App passwords',
    Icon: KeyRound,
    Content: AppPasswordsSection,
    topics: { 'Passwords for mail apps': 'imap pop3 smtp jmap token device phone thunderbird' },
  }),
  section('security', {
    label: 'Security',
    Icon: ShieldCheck,
    Content: SecuritySection,
    topics: {
      'Change password': 'new',
      'Active sessions': 'sessions devices browsers',
      'Sign out everywhere else': 'end sessions log out',
      'Sign out': 'log out leave',
    },
  }),
  section('connect', {
    label: 'Connect a mail app',
    Icon: Smartphone,
    Content: ConnectSection,
    topics: { 'Servers and ports': 'imap smtp pop3 iphone mac outlook thunderbird profile qr setup' },
  }),
]

export const sectionOf = (id: string): Section => sections.find((one) => one.id === id) ?? general

export type Finding = { section: Section; topics: readonly Topic[] }

/** The sections whose names or topics have all the words. */
export const findTopics = (words: string): readonly Finding[] => {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = (text: string) => wanted.every((word) => text.toLowerCase().includes(word))
  return sections.flatMap((one) => {
    const topics = one.topics.filter(({ label, words: others }) => matches(`${one.label} ${label} ${others}`))
    return topics.length > 0 ? [{ section: one, topics }] : []
  })
}
