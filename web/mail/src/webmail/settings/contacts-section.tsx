import type { Contact } from '@stoa/mail-model/contacts.ts'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { readPage, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { ListSection } from '@stoa/ui/table/list-section.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { UrlSearch } from '@stoa/ui/table/url-search.tsx'
import { formatNumber } from '@stoa/ui/text/format.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Contact as ContactIcon, Search, SquarePen, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { pagerOf, sortOf } from '../../list-url.ts'
import { compose } from '../compose/compose.ts'
import { nameOf } from '../people.ts'
import { contactsPageQuery, deleteContact } from './queries.ts'

const columns: readonly [Column<Contact>, ...Column<Contact>[]] = [
  {
    id: 'name',
    header: 'Name',
    sortable: true,
    cell: ({ name, email }) => (
      <span className="flex min-w-0 flex-col">
        <span className="truncate">{nameOf({ name, email })}</span>
        {nameOf({ name, email }) === email ? null : (
          <span className="truncate font-normal text-muted text-xs">{email}</span>
        )}
      </span>
    ),
  },
  { id: 'uses', header: 'Messages sent', sortable: true, align: 'end', cell: ({ uses }) => formatNumber(uses) },
  {
    id: 'last_used_at',
    header: 'Last contacted',
    sortable: true,
    cell: ({ last_used_at: at }) => <RelativeTime at={at} />,
  },
]

/** Whom the mailbox has written to; they are offered while recipients are typed. */
export const ContactsSection = () => {
  const url = useUrlState()
  const navigateTo = useNavigateTo()
  const [forgetting, setForgetting] = useState<Contact>()
  const search = url.get('contact')
  const page = readPage(url.get('page'))
  const sort = sortOf(url, { by: 'uses', direction: 'desc' })
  const query = useQuery(contactsPageQuery({ search, page, sort: sort.by, direction: sort.direction }))
  return (
    <ListSection title="Contacts" description="People you've written to. They're suggested when you add recipients.">
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
          { label: 'Remove', icon: <Trash2 />, danger: true, onRun: setForgetting },
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
          <EmptyState icon={<ContactIcon />} title="No contacts yet">
            People you write to appear here.
          </EmptyState>
        }
      />
      {forgetting ? <Forget contact={forgetting} onClose={() => setForgetting(undefined)} /> : null}
    </ListSection>
  )
}

const Forget = ({ contact, onClose }: { contact: Contact; onClose: () => void }) => {
  const queryClient = useQueryClient()
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Remove ${nameOf(contact)}?`}
      consequence="The address is no longer suggested until you write to it again. Messages are kept."
      confirmLabel="Remove"
      onConfirm={async () => {
        await deleteContact(contact.id)
        await queryClient.invalidateQueries({ queryKey: ['webmail', 'contacts'] })
        toast({ tone: 'success', title: `${nameOf(contact)} removed` })
      }}
    />
  )
}
