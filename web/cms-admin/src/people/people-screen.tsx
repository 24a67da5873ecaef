import type { Me, User } from '@stoa/cms-model/accounts.ts'
import type { IssuedInvitation } from '@stoa/cms-model/invitations.ts'
import { canManageRole } from '@stoa/cms-model/permissions.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Badge, Status } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Tabs } from '@stoa/ui/navigation/tabs.tsx'
import { readPage, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { type Column, DataTable, type Sort } from '@stoa/ui/table/data-table.tsx'
import { turnIn } from '@stoa/ui/table/list-pages.ts'
import { listState } from '@stoa/ui/table/list-state.ts'
import { UrlSearch } from '@stoa/ui/table/url-search.tsx'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Mail, Pencil, UserPlus, UserRoundX, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { PersonAvatar } from '../accounts/person-avatar.tsx'
import { roleLabels } from '../accounts/roles.ts'
import { pagerOf } from '../list-pages.ts'
import { meQuery } from '../queries.ts'
import { AgentKeysTab } from './agent-keys-tab.tsx'
import { InvitationsTab } from './invitations-tab.tsx'
import { InvitationLinkDialog, InviteDialog } from './invite-dialog.tsx'
import { DeactivatePerson, EditPersonDialog, NewPersonDialog } from './person-dialogs.tsx'
import { peopleQuery, personQuery } from './queries.ts'

const columnsFor = (me: Me): readonly [Column<User>, ...Column<User>[]] => [
  {
    id: 'name',
    header: 'Name',
    sortable: true,
    cell: (person) => (
      <span className="flex min-w-0 items-center gap-2.5">
        <PersonAvatar person={person} />
        <span className="flex min-w-0 flex-col">
          <span className="flex min-w-0 items-center gap-2">
            <span className="truncate">{person.name}</span>
            {person.id === me.id ? <Badge tone="accent">You</Badge> : null}
          </span>
          <span className="truncate font-normal text-faint text-xs">{person.email}</span>
        </span>
      </span>
    ),
  },
  { id: 'role', header: 'Role', sortable: true, cell: (person) => <Badge>{roleLabels[person.role]}</Badge> },
  {
    id: 'totp',
    header: 'Two-factor',
    cell: (person) => (person.totp ? <Status tone="live">On</Status> : <span className="text-faint">Off</span>),
  },
  {
    id: 'createdAt',
    header: 'Added',
    sortable: true,
    cell: (person) => <RelativeTime at={person.createdAt} />,
    hideOnPhone: true,
  },
]

/** The people who can sign in, and the programs that act for them. */
export const PeopleScreen = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  const url = useUrlState()
  const [inviting, setInviting] = useState(false)
  const [issued, setIssued] = useState<IssuedInvitation>()
  const tab = tabOf(url.get('tab'))
  return (
    <>
      <title>People · Stoa CMS</title>
      <PageHeader
        title="People"
        description="Who can sign in, and what they can do"
        actions={
          <>
            <Button icon={<UserPlus />} onClick={() => url.set({ new: '1' })}>
              Add person
            </Button>
            <Button variant="primary" icon={<Mail />} onClick={() => setInviting(true)}>
              Invite
            </Button>
          </>
        }
      />
      <Tabs
        label="People and their keys"
        value={tab}
        onValue={(value) => url.set({ tab: value === 'people' ? '' : value, page: '', account: '' })}
        tabs={[
          { value: 'people', label: 'People', content: <PeopleTab me={me} /> },
          {
            value: 'invitations',
            label: 'Invitations',
            content: <InvitationsTab me={me} onIssued={setIssued} onInvite={() => setInviting(true)} />,
          },
          { value: 'agent-keys', label: 'Agent keys', content: <AgentKeysTab /> },
        ]}
      />
      {inviting ? <InviteDialog me={me} onClose={() => setInviting(false)} onIssued={setIssued} /> : null}
      {issued ? <InvitationLinkDialog invitation={issued} onClose={() => setIssued(undefined)} /> : null}
      {url.get('new') ? <NewPersonDialog me={me} onClose={() => url.set({ new: '' })} /> : null}
      {url.get('edit') ? <EditById me={me} id={url.get('edit')} onClose={() => url.set({ edit: '' })} /> : null}
    </>
  )
}

const tabOf = (text: string) => (text === 'agent-keys' || text === 'invitations' ? text : 'people')

const PeopleTab = ({ me }: { me: Me }) => {
  const url = useUrlState()
  const [leaving, setLeaving] = useState<User>()
  const filter = { q: url.get('q'), sort: url.get('sort') || 'name', page: readPage(url.get('page')) }
  const query = useQuery(peopleQuery(filter))
  return (
    <>
      <DataTable
        label="People"
        columns={columnsFor(me)}
        state={listState({ data: query.data?.items, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={(person) => person.id}
        rowName={(person) => person.name}
        rowActions={(person) => actionsFor(me, person, (id) => url.set({ edit: id }), setLeaving)}
        sort={readSort(filter.sort)}
        onSort={({ by, direction }) => url.set({ sort: direction === 'asc' ? by : `-${by}`, page: '' })}
        toolbar={<UrlSearch label="Search people" value={filter.q} onSearch={(q) => url.set({ q, page: '' })} />}
        onClearFilters={filter.q === '' ? undefined : () => url.set({ q: '', page: '' })}
        empty={<EmptyState icon={<UsersRound />} title="No people yet" />}
        {...(query.data ? { pager: pagerOf(query.data, turnIn(url)) } : {})}
      />
      <DeactivatePerson person={leaving} onClose={() => setLeaving(undefined)} />
    </>
  )
}

/** Only permitted actions are offered: nothing above one's own rank, and nobody can deactivate themselves here. */
const actionsFor = (me: Me, person: User, edit: (id: string) => void, leave: (person: User) => void) => {
  if (!canManageRole(me.role, person.role)) return []
  return [
    { label: 'Edit', icon: <Pencil />, onRun: () => edit(person.id) },
    ...(person.id === me.id
      ? []
      : [{ label: 'Deactivate', icon: <UserRoundX />, danger: true, onRun: () => leave(person) }]),
  ]
}

const EditById = ({ me, id, onClose }: { me: Me; id: string; onClose: () => void }) => {
  const { data: person } = useQuery(personQuery(id))
  if (!person || !canManageRole(me.role, person.role)) return null
  return <EditPersonDialog key={id} me={me} person={person} onClose={onClose} />
}

const readSort = (text: string): Sort =>
  text.startsWith('-') ? { by: text.slice(1), direction: 'desc' } : { by: text, direction: 'asc' }
