import type { Contact } from '@stoa/mail-model/contacts.ts'
import { ConfirmDialog } from '@stoa/ui/confirm-dialog.tsx'
import { type Column, DataTable } from '@stoa/ui/data-table.tsx'
import { EmptyState } from '@stoa/ui/empty-state.tsx'
import { formatNumber } from '@stoa/ui/format.ts'
import { useNavigateTo } from '@stoa/ui/link.tsx'
import { listState } from '@stoa/ui/list-state.ts'
import { messageOf } from '@stoa/ui/problem.ts'
import { RelativeTime } from '@stoa/ui/relative-time.tsx'
import { toast } from '@stoa/ui/toast-store.ts'
import { UrlSearch } from '@stoa/ui/url-search.tsx'
import { readPage, useUrlState } from '@stoa/ui/url-state.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Contact as ContactIcon, Search, SquarePen, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { compose } from '../compose/compose.ts'
import { CONTACTS_PER_PAGE, contactsPageQuery, deleteContact } from './queries.ts'
import { ListSection } from './section-frame.tsx'

const columns: readonly [Column<Contact>, ...Column<Contact>[]] = [
  {
    id: 'name',
    header: 'Name',
    sortable: true,
    cell: ({ name, email }) => (
      <span className="flex min-w-0 flex-col">
        <span className="truncate">{name ?? email}</span>
        {name === null ? null : <span className="truncate font-normal text-muted text-xs">{email}</span>}
      </span>
    ),
  },
  { id: 'uses', header: 'Written to', sortable: true, align: 'end', cell: ({ uses }) => formatNumber(uses) },
  {
    id: 'last_used_at',
    header: 'Last',
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
  const sort = url.get('sort') || 'uses'
  const direction = url.get('direction') === 'asc' ? 'asc' : 'desc'
  const query = useQuery(contactsPageQuery({ search, page, sort, direction }))
  const total = query.data?.total ?? 0
  const from = (page - 1) * CONTACTS_PER_PAGE + 1
  return (
    <ListSection
      title="Contacts"
      description="Everybody you have written to, gathered by itself and offered while you type recipients."
    >
      <DataTable
        label="Contacts"
        columns={columns}
        state={listState({ data: query.data?.data, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={({ id }) => id}
        rowName={({ name, email }) => name ?? email}
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
          { label: 'Forget', icon: <Trash2 />, danger: true, onRun: setForgetting },
        ]}
        sort={{ by: sort, direction }}
        onSort={(next) => url.set({ sort: next.by, direction: next.direction, page: '' })}
        toolbar={
          <UrlSearch label="Search contacts" value={search} onSearch={(contact) => url.set({ contact, page: '' })} />
        }
        onClearFilters={search ? () => url.set({ contact: '', page: '' }) : undefined}
        pager={{
          from,
          to: Math.min(total, from + CONTACTS_PER_PAGE - 1),
          total,
          onPrevious: page > 1 ? () => url.set({ page: String(page - 1) }) : undefined,
          onNext: from + CONTACTS_PER_PAGE <= total ? () => url.set({ page: String(page + 1) }) : undefined,
        }}
        empty={
          <EmptyState icon={<ContactIcon />} title="Nobody yet">
            Whoever you write to is remembered here.
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
      title={`Forget ${contact.name ?? contact.email}?`}
      consequence="The address is offered no more. Messages stay, and it comes back when you write there again."
      confirmLabel="Forget"
      onConfirm={async () => {
        await deleteContact(contact.id)
        await queryClient.invalidateQueries({ queryKey: ['webmail', 'contacts'] })
        toast({ tone: 'success', title: `${contact.name ?? contact.email} is forgotten` })
      }}
    />
  )
}
