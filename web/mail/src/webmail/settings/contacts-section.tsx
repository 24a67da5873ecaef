import type { Contact } from '@stoa/mail-model/contacts.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { readPage, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { ListSection } from '@stoa/ui/table/list-section.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { UrlSearch } from '@stoa/ui/table/url-search.tsx'
import { formatNumber } from '@stoa/ui/text/format.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Contact as ContactIcon, Pencil, Plus, Search, SquarePen, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { pagerOf, sortOf } from '../../list-url.ts'
import { compose } from '../compose/compose.ts'
import { nameOf } from '../people.ts'
import { ContactDialog } from './contact-dialog.tsx'
import { contactsPageQuery, createContact, deleteContact } from './queries.ts'

const columns: readonly [Column<Contact>, ...Column<Contact>[]] = [
  {
    id: 'name',
    header: 'Name',
    sortable: true,
    cell: ({ name, email, note }) => (
      <span className="flex min-w-0 flex-col">
        <span className="truncate">{nameOf({ name, email })}</span>
        {nameOf({ name, email }) === email ? null : (
          <span className="truncate font-normal text-muted text-xs">{email}</span>
        )}
        {note === null ? null : <span className="truncate font-normal text-faint text-xs">{note}</span>}
      </span>
    ),
  },
  { id: 'uses', header: 'Messages sent', sortable: true, align: 'end', cell: ({ uses }) => formatNumber(uses) },
  {
    id: 'last_used_at',
    header: 'Last contacted',
    sortable: true,
    cell: ({ last_used_at: at }) => (at === null ? '–' : <RelativeTime at={at} />),
  },
]

/** Whom the mailbox has written to, and whom its owner added; they are offered while recipients are typed. */
export const ContactsSection = () => {
  const url = useUrlState()
  const navigateTo = useNavigateTo()
  const [editing, setEditing] = useState<Contact | null>()
  const remove = useRemoveContact()
  const search = url.get('contact')
  const page = readPage(url.get('page'))
  const sort = sortOf(url, { by: 'uses', direction: 'desc' })
  const query = useQuery(contactsPageQuery({ search, page, sort: sort.by, direction: sort.direction }))
  const add = (
    <Button icon={<Plus />} onClick={() => setEditing(null)}>
      New contact
    </Button>
  )
  return (
    <ListSection
      title="Contacts"
      description="People you've written to and people you've added. They're suggested when you add recipients."
      {...(query.data?.total || search ? { actions: add } : {})}
    >
      <DataTable
        label="Contacts"
        columns={columns}
        state={listState({ data: query.data?.data, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={({ id }) => id}
        rowName={nameOf}
        rowActions={({ email }) => [
          {
            label: 'Write a message',
            icon: <SquarePen />,
            onRun: (contact) => compose({ kind: 'new', to: [{ name: contact.name, email: contact.email }] }),
          },
          {
            label: 'Find messages',
            icon: <Search />,
            onRun: () => navigateTo(`/webmail/search?${new URLSearchParams({ q: `from:${email} OR to:${email}` })}`),
          },
          { label: 'Edit', icon: <Pencil />, onRun: setEditing },
          {
            label: 'Delete',
            icon: <Trash2 />,
            danger: true,
            onRun: (contact) => void remove(contact).catch(() => undefined),
          },
        ]}
        sort={sort}
        onSort={(next) => url.set({ sort: next.by, direction: next.direction, page: '' })}
        toolbar={
          <UrlSearch
            shortcut={false}
            label="Search contacts"
            value={search}
            onSearch={(contact) => url.set({ contact, page: '' })}
          />
        }
        onClearFilters={search ? () => url.set({ contact: '', page: '' }) : undefined}
        {...(query.data ? { pager: pagerOf(query.data, url) } : {})}
        empty={
          <EmptyState icon={<ContactIcon />} title="No contacts yet" action={add}>
            People you write to appear here. You can also add them yourself.
          </EmptyState>
        }
      />
      {editing === undefined ? null : <ContactDialog contact={editing} onClose={() => setEditing(undefined)} />}
    </ListSection>
  )
}

/** Takes somebody off the list, at once; Undo writes them down again. */
const useRemoveContact = (): ((contact: Contact) => Promise<void>) => {
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['webmail', 'contacts'] })
  const attempt = async (work: () => Promise<unknown>, problem: string) => {
    try {
      await work()
    } catch (error) {
      toast({ tone: 'danger', title: problem, description: messageOf(error) })
      throw error
    } finally {
      await refresh()
    }
  }
  const restore = ({ name, email, note }: Contact) =>
    attempt(() => createContact({ name: name ?? '', email, note: note ?? '' }), "Couldn't restore the contact")
  return async (contact) => {
    await attempt(() => deleteContact(contact.id), "Couldn't delete the contact")
    toast({
      title: `${nameOf(contact)} deleted`,
      action: { label: 'Undo', onAction: () => void restore(contact).catch(() => undefined) },
    })
  }
}
