import type { Mailbox } from '@stoa/mail-model/webmail.ts'
import { useIsPhone } from '@stoa/ui/browser/use-media-query.ts'
import { IconButton } from '@stoa/ui/button/button.tsx'
import { SideSheet } from '@stoa/ui/layer/side-sheet.tsx'
import { AppLink } from '@stoa/ui/navigation/link.tsx'
import { readText } from '@stoa/ui/navigation/url-state.ts'
import { Brand } from '@stoa/ui/shell/brand.tsx'
import { openShortcutsHelp } from '@stoa/ui/shortcuts/shortcuts-help.tsx'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ArrowLeft, CircleHelp, Menu as MenuIcon, Search, Settings } from 'lucide-react'
import { useState } from 'react'
import { FolderNav } from './folders/folder-nav.tsx'
import { MailboxMenu } from './mailbox-menu.tsx'
import { SEARCH_PLACE } from './places.ts'
import { lastPlace } from './search/last-place.ts'
import { SearchBox } from './search/search-box.tsx'

type TopBarProps = { mailbox: Mailbox; onCommands: () => void; onSignOut: () => void }

/** Above everything: search, and what is about the mailbox as a whole. */
export const TopBar = (props: TopBarProps) => (useIsPhone() ? <PhoneBar {...props} /> : <DeskBar {...props} />)

const DeskBar = ({ mailbox, onCommands, onSignOut }: TopBarProps) => {
  const { q, search } = useMailSearch()
  return (
    <header className="flex h-12 shrink-0 items-center gap-2 pr-3">
      <div className="flex w-56 shrink-0 items-center px-4">
        <AppLink to="/webmail/inbox" className="rounded-md">
          <Brand product="Mail" />
        </AppLink>
      </div>
      <SearchBox value={q} onSearch={search} className="w-full max-w-prose" />
      <div className="ml-auto flex shrink-0 items-center gap-0.5">
        <IconButton
          label="Keyboard shortcuts"
          shortcut="?"
          side="bottom"
          icon={<CircleHelp />}
          onClick={openShortcutsHelp}
        />
        <SettingsLink />
        <MailboxMenu mailbox={mailbox} onCommands={onCommands} onSignOut={onSignOut} />
      </div>
    </header>
  )
}

const SettingsLink = () => {
  const navigate = useNavigate()
  return (
    <IconButton
      label="Settings"
      side="bottom"
      icon={<Settings />}
      onClick={() => void navigate({ to: '/webmail/settings' })}
    />
  )
}

const PhoneBar = ({ mailbox, onCommands, onSignOut }: TopBarProps) => {
  const { q, search } = useMailSearch()
  const [isAsked, setAsked] = useState(false)
  const [isOpen, setOpen] = useState(false)
  if (isAsked || q !== '')
    return (
      <header className="flex h-12 shrink-0 items-center gap-1 border-line border-b px-2">
        <IconButton
          label="Close search"
          icon={<ArrowLeft />}
          onClick={() => {
            setAsked(false)
            search('', 'done')
          }}
        />
        <SearchBox value={q} onSearch={search} autoFocus={isAsked} className="flex-1" />
      </header>
    )
  return (
    <header className="layer-bar flex h-12 shrink-0 items-center gap-1 border-line border-b bg-canvas px-2">
      <SideSheet
        open={isOpen}
        onOpenChange={setOpen}
        title={mailbox.email}
        closeLabel="Close folders"
        trigger={<IconButton label="Open folders" icon={<MenuIcon />} />}
      >
        <FolderNav onGo={() => setOpen(false)} />
      </SideSheet>
      <AppLink to="/webmail/inbox" className="flex min-w-0 flex-1 items-center px-1">
        <Brand product="Mail" />
      </AppLink>
      <IconButton label="Search" icon={<Search />} onClick={() => setAsked(true)} />
      <SettingsLink />
      <MailboxMenu mailbox={mailbox} onCommands={onCommands} onSignOut={onSignOut} />
    </header>
  )
}

/** The search of the address, and how it gets there: everywhere unless one searches in a folder already. */
const useMailSearch = () => {
  const navigate = useNavigate()
  const { place } = useParams({ strict: false })
  const found: Record<string, unknown> = useSearch({ strict: false })
  const q = place === undefined ? '' : readText(found.q)
  const search = (next: string, how: 'typing' | 'done') => {
    if (next === q) return
    const to = next === '' ? leftTo(place) : q === '' ? SEARCH_PLACE : (place ?? SEARCH_PLACE)
    // The first letters make a way back, the others do not
    const replace = q !== '' && how === 'typing'
    void navigate({ to: '/webmail/$place', params: { place: to }, search: next === '' ? {} : { q: next }, replace })
  }
  return { q, search }
}

const leftTo = (place: string | undefined): string =>
  place === undefined || place === SEARCH_PLACE ? lastPlace().word : place
