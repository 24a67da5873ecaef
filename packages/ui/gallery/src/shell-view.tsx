import { CircleHelp, Database, FileText, House, Image, KeyRound, Plus, Settings, Users, Webhook } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../../src/button/button.tsx'
import { toast } from '../../src/feedback/toast-store.ts'
import type { NavGroup } from '../../src/navigation/navigation.ts'
import { AppShell } from '../../src/shell/app-shell.tsx'
import { CommandPalette } from '../../src/shell/command-palette.tsx'
import { PageHeader } from '../../src/shell/page-header.tsx'
import { openShortcutsHelp } from '../../src/shortcuts/shortcuts-help.tsx'
import { EntryTable } from './table-section.tsx'

const navigation: readonly NavGroup[] = [
  {
    items: [
      { to: '/', label: 'Dashboard', icon: <House aria-hidden /> },
      {
        to: '/entries',
        label: 'Entries',
        icon: <FileText aria-hidden />,
        count: 12,
      },
      { to: '/media', label: 'Media', icon: <Image aria-hidden /> },
    ],
  },
  {
    label: 'Site',
    items: [
      { to: '/types', label: 'Content types', icon: <Database aria-hidden /> },
      { to: '/people', label: 'People', icon: <Users aria-hidden /> },
      { to: '/keys', label: 'Delivery keys', icon: <KeyRound aria-hidden /> },
      { to: '/webhooks', label: 'Webhooks', icon: <Webhook aria-hidden /> },
      { to: '/settings', label: 'Settings', icon: <Settings aria-hidden /> },
    ],
  },
]

/** The app shell around a full list, as a screen of an app has it. */
export const ShellView = () => {
  const path = useHashPath()
  const [palette, setPalette] = useState(false)
  return (
    <AppShell
      product="CMS"
      path={path}
      navigation={navigation}
      user={{ person: 'ada@example.test', name: 'Ada Lovelace', email: 'ada@example.test', accountPath: '/account' }}
      onSearch={() => setPalette(true)}
      onSignOut={() => toast({ title: 'Signed out' })}
    >
      <PageHeader
        title="Entries"
        crumbs={[{ label: 'Content', to: '/' }]}
        description="Everything that people write for the website."
        actions={
          <>
            <Button>Import</Button>
            <Button variant="primary" icon={<Plus />}>
              New entry
            </Button>
          </>
        }
      />
      <EntryTable />
      <CommandPalette
        open={palette}
        onOpenChange={setPalette}
        groups={[
          {
            heading: 'Go to',
            items: navigation.flatMap((group) =>
              group.items.map((item) => ({
                id: item.to,
                label: item.label,
                icon: item.icon,
                onRun: () => {
                  location.hash = item.to
                },
              })),
            ),
          },
          {
            heading: 'Help',
            items: [
              {
                id: 'keys',
                label: 'Keyboard shortcuts',
                icon: <CircleHelp aria-hidden />,
                shortcut: '?',
                onRun: openShortcutsHelp,
              },
            ],
          },
        ]}
      />
    </AppShell>
  )
}

const useHashPath = (): string => {
  const read = () => location.hash.slice(1) || '/entries'
  const [path, setPath] = useState(read)
  useEffect(() => {
    const update = () => setPath(read())
    window.addEventListener('hashchange', update)
    return () => window.removeEventListener('hashchange', update)
  })
  return path
}
