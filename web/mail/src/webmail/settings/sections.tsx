import {
  AtSign,
  Contact,
  Filter,
  KeyRound,
  Palmtree,
  ShieldCheck,
  SlidersHorizontal,
  Smartphone,
  Tag,
} from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import { AppPasswordsSection } from './app-passwords-section.tsx'
import { ConnectSection } from './connect-section.tsx'
import { ContactsSection } from './contacts-section.tsx'
import { FiltersSection } from './filters-section.tsx'
import { GeneralSection } from './general-section.tsx'
import { IdentitiesSection } from './identities-section.tsx'
import { LabelsSection } from './labels-section.tsx'
import { SecuritySection } from './security-section.tsx'
import { VacationSection } from './vacation-section.tsx'

/** One thing that can be set, with other words that find it. */
type Topic = { label: string; words?: string }

export type Section = {
  id: string
  label: string
  icon: ReactNode
  topics: readonly Topic[]
  Content: ComponentType
}

const general: Section = {
  id: 'general',
  label: 'General',
  icon: <SlidersHorizontal aria-hidden />,
  Content: GeneralSection,
  topics: [
    { label: 'Conversations', words: 'threads group list' },
    { label: 'Reading pane', words: 'layout split preview right below' },
    { label: 'Mark as read', words: 'unread seen seconds' },
    { label: 'Pictures in messages', words: 'images remote tracking privacy senders block' },
    { label: 'Undo send', words: 'take back seconds cancel' },
    { label: 'Format of new messages', words: 'compose html plain text' },
    { label: 'Theme', words: 'dark light mode colour' },
    { label: 'Notifications', words: 'desktop alerts new mail' },
    { label: 'Single-key shortcuts', words: 'keyboard keys' },
    { label: 'Storage', words: 'quota space full used' },
  ],
}

/** The parts of the settings, in the order of the page. */
export const sections: readonly [Section, ...Section[]] = [
  general,
  {
    id: 'identities',
    label: 'Identities and signatures',
    icon: <AtSign aria-hidden />,
    Content: IdentitiesSection,
    topics: [
      { label: 'Your name', words: 'sender from display' },
      { label: 'Signatures', words: 'footer closing' },
      { label: 'Aliases to write as', words: 'address identity from default' },
      { label: 'Reply-to address', words: 'answers' },
    ],
  },
  {
    id: 'vacation',
    label: 'Vacation',
    icon: <Palmtree aria-hidden />,
    Content: VacationSection,
    topics: [{ label: 'Automatic reply while you are away', words: 'out of office holiday autoresponder absence' }],
  },
  {
    id: 'filters',
    label: 'Filters',
    icon: <Filter aria-hidden />,
    Content: FiltersSection,
    topics: [{ label: 'Rules for new mail', words: 'sieve sort move file forward' }],
  },
  {
    id: 'labels',
    label: 'Labels',
    icon: <Tag aria-hidden />,
    Content: LabelsSection,
    topics: [{ label: 'Labels in the sidebar', words: 'tags keywords rename colours' }],
  },
  {
    id: 'contacts',
    label: 'Contacts',
    icon: <Contact aria-hidden />,
    Content: ContactsSection,
    topics: [{ label: 'People you have written to', words: 'address book completion suggestions forget' }],
  },
  {
    id: 'app-passwords',
    label: 'App passwords',
    icon: <KeyRound aria-hidden />,
    Content: AppPasswordsSection,
    topics: [{ label: 'Passwords for mail apps', words: 'imap pop3 smtp jmap token device phone thunderbird' }],
  },
  {
    id: 'security',
    label: 'Security',
    icon: <ShieldCheck aria-hidden />,
    Content: SecuritySection,
    topics: [
      { label: 'Change the password', words: 'new' },
      { label: 'Where you are signed in', words: 'sessions devices browsers' },
      { label: 'Sign out everywhere else', words: 'end sessions log out' },
      { label: 'Sign out', words: 'log out leave' },
    ],
  },
  {
    id: 'connect',
    label: 'Connect a mail app',
    icon: <Smartphone aria-hidden />,
    Content: ConnectSection,
    topics: [{ label: 'Servers and ports', words: 'imap smtp pop3 iphone mac outlook thunderbird profile qr setup' }],
  },
]

export const sectionOf = (id: string): Section => sections.find((section) => section.id === id) ?? general

export type Finding = { section: Section; topics: readonly Topic[] }

/** The sections whose names or topics have all the words. */
export const findTopics = (words: string): readonly Finding[] => {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = (text: string) => wanted.every((word) => text.toLowerCase().includes(word))
  return sections.flatMap((section) => {
    const topics = section.topics.filter(({ label, words: others = '' }) =>
      matches(`${section.label} ${label} ${others}`),
    )
    return topics.length > 0 ? [{ section, topics }] : []
  })
}
