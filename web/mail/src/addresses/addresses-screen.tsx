import type { Address } from '@stoa/mail-model/addresses.ts'
import type { Domain } from '@stoa/mail-model/domains.ts'
import { useIsPhone } from '@stoa/ui/browser/use-media-query.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { LinkButton, useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import type { TableAction } from '@stoa/ui/table/data-table.tsx'
import { ListError } from '@stoa/ui/table/table-parts.tsx'
import { TableSkeleton } from '@stoa/ui/table/table-skeleton.tsx'
import { useQuery } from '@tanstack/react-query'
import { ArrowRight, Globe, KeyRound, Plus, Power, PowerOff, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { AddressList, ALL_DOMAINS, columns } from './address-list.tsx'
import { AddressesLeft } from './addresses-left.tsx'
import { areFew } from './all-addresses.ts'
import { DeleteAddress } from './delete-address.tsx'
import { NewAddressDialog } from './new-address-dialog.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { ownDomainsQuery } from './queries.ts'
import { type Made, ReadyDialog } from './ready-dialog.tsx'
import { useAddressChange } from './use-address-change.ts'
import { useBulkSwitch } from './use-bulk-switch.tsx'

/** The mailboxes of the customer, by domain. */
export const AddressesScreen = () => {
  const domains = useQuery(ownDomainsQuery)
  const url = useUrlState()
  const [made, setMade] = useState<Made>()
  const list = domains.data
  const domain = list?.find(({ id }) => id === url.get('domain')) ?? firstOf(list)
  // One list of everything where that is possible, unless a domain was chosen
  const all = list !== undefined && list.length > 1 && areFew(list) && domain?.id !== url.get('domain')
  const create = domain ? (
    <Button variant="primary" icon={<Plus />} onClick={() => url.set({ new: '1' })}>
      New address
    </Button>
  ) : undefined
  return (
    <>
      <title>Addresses · Stoa Mail</title>
      <PageHeader
        title="Addresses"
        description="Mailboxes at your domains, with aliases, forwarding and an activity log."
        actions={create}
      />
      {domain && list ? (
        <div className="flex flex-col gap-4">
          <AddressesLeft />
          <DomainAddresses
            key={all ? ALL_DOMAINS : domain.id}
            domain={all ? undefined : domain}
            domains={list}
            create={create}
          />
        </div>
      ) : (
        <Framed>
          {domains.error ? (
            <ListError message={messageOf(domains.error)} onRetry={() => void domains.refetch()} />
          ) : list ? (
            <NoDomain />
          ) : (
            <Loading />
          )}
        </Framed>
      )}
      {url.get('new') && domain && list ? (
        <NewAddressDialog
          domains={list}
          domainId={domain.id}
          onClose={() => url.set({ new: '' })}
          onMade={(next) => {
            setMade(next)
            url.set({ new: '', ...(all ? {} : { domain: next.address.domain_id }) })
          }}
        />
      ) : null}
      {made ? <ReadyDialog made={made} onClose={() => setMade(undefined)} /> : null}
    </>
  )
}

type DomainAddressesProps = { domain: Domain | undefined; domains: readonly Domain[]; create: React.ReactNode }

const DomainAddresses = ({ domain, domains, create }: DomainAddressesProps) => {
  const navigateTo = useNavigateTo()
  const [deleting, setDeleting] = useState<Address>()
  const [changing, setChanging] = useState<Address>()
  const change = useAddressChange((address) =>
    toast({
      tone: 'success',
      title: `${address.email} turned ${address.enabled ? 'on' : 'off'}`,
      action: {
        label: 'Undo',
        onAction: () => change.mutate({ address, changes: { enabled: !address.enabled } }),
      },
    }),
  )
  const actions = (address: Address): readonly TableAction<Address>[] => [
    { label: 'Open', icon: <ArrowRight />, onRun: ({ id }) => navigateTo(`/addresses/${id}`) },
    { label: 'Set password', icon: <KeyRound />, onRun: setChanging },
    {
      label: address.enabled ? 'Turn off' : 'Turn on',
      icon: address.enabled ? <PowerOff /> : <Power />,
      onRun: (row) => change.mutate({ address: row, changes: { enabled: !row.enabled } }),
    },
    { label: 'Delete', icon: <Trash2 />, danger: true, onRun: setDeleting },
  ]
  const bulk = useBulkSwitch()
  return (
    <>
      <AddressList
        domain={domain}
        domains={domains}
        actions={actions}
        create={create}
        selection={bulk.selection}
        bulk={bulk.actions}
      />
      {bulk.dialog}
      <PasswordDialog address={changing} onClose={() => setChanging(undefined)} />
      <DeleteAddress address={deleting} onClose={() => setDeleting(undefined)} />
    </>
  )
}

/** The one with addresses that comes first by name. */
const firstOf = (domains: readonly Domain[] | undefined): Domain | undefined =>
  domains?.find(({ addresses_count: count }) => count > 0) ?? domains?.[0]

const NoDomain = () => (
  <EmptyState
    icon={<Globe />}
    title="Add a domain first"
    action={
      <LinkButton to="/domains?new=1" variant="primary" icon={<Plus />}>
        Add a domain
      </LinkButton>
    }
  >
    Addresses belong to a domain, like you@your-company.com.
  </EmptyState>
)

const Loading = () => <TableSkeleton columns={columns} selectable={false} phone={useIsPhone()} />

const Framed = ({ children }: { children: React.ReactNode }) => (
  <div className="min-w-0 overflow-clip rounded-xl border border-line bg-surface shadow-sm">{children}</div>
)
