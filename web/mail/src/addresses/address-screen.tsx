import type { Address } from '@stoa/mail-model/addresses.ts'
import { IconButton } from '@stoa/ui/button/button.tsx'
import { buttonClass } from '@stoa/ui/button/button-class.ts'
import { CopyButton } from '@stoa/ui/button/copy-button.tsx'
import { Crash } from '@stoa/ui/feedback/error-boundary.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { ScreenSkeleton } from '@stoa/ui/feedback/screen-skeleton.tsx'
import { Menu, MenuItem, MenuSeparator } from '@stoa/ui/layer/menu.tsx'
import { useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { Tabs } from '@stoa/ui/navigation/tabs.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { AtSign, Ellipsis, FolderInput, KeyRound, Power, PowerOff, SquareArrowOutUpRight, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { hasName } from '../api.ts'
import { Gone } from '../not-found-notice.tsx'
import { ActivityTab } from './activity-tab.tsx'
import { AddressState } from './address-state.tsx'
import { AppPasswordsTab } from './app-passwords-tab.tsx'
import { DeleteAddress } from './delete-address.tsx'
import { NamesTab } from './names-tab.tsx'
import { OverviewTab } from './overview-tab.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { PasswordTab } from './password-tab.tsx'
import { addressQuery } from './queries.ts'
import { SetupTab } from './setup-tab.tsx'
import { SharingTab } from './sharing-tab.tsx'
import { useAddressChange } from './use-address-change.ts'

/** Mail comes while one looks; the panel's stream does not report it. */
const REFRESH_MS = 15_000

/** One address: its mailbox, its names, who may use it, and what happened to its mail. */
export const AddressScreen = () => {
  const { addressId = '' } = useParams({ strict: false })
  const query = useQuery({ ...addressQuery(addressId), refetchInterval: REFRESH_MS })
  if (query.data) return <AddressView key={addressId} address={query.data} />
  if (hasName(query.error, 'not_found'))
    return <Gone icon={<AtSign />} thing="address" to="/addresses" list="addresses" />
  if (!query.error) return <ScreenSkeleton label="Loading address" tabs />
  return (
    <Crash isScreen title="Couldn't load this address" onRetry={() => void query.refetch()}>
      {messageOf(query.error)}
    </Crash>
  )
}

const tabs = [
  { value: 'overview', label: 'Overview', Content: OverviewTab },
  { value: 'names', label: 'Aliases and forwarding', Content: NamesTab },
  { value: 'activity', label: 'Activity', Content: ActivityTab },
  { value: 'setup', label: 'Mail app setup', Content: SetupTab },
  { value: 'password', label: 'Password and recovery', Content: PasswordTab },
  { value: 'app-passwords', label: 'App passwords', Content: AppPasswordsTab },
  { value: 'sharing', label: 'Sharing', Content: SharingTab },
] as const

type TabName = (typeof tabs)[number]['value']
type Open = 'password' | 'delete'

const AddressView = ({ address }: { address: Address }) => {
  const navigateTo = useNavigateTo()
  const [open, setOpen] = useState<Open>()
  const { tab, change } = useTab()
  const close = () => setOpen(undefined)
  return (
    <>
      <title>{`${address.email} · Addresses · Stoa Mail`}</title>
      <PageHeader
        crumbs={[{ label: 'Addresses', to: `/addresses?domain=${address.domain_id}` }]}
        title={address.email}
        badge={<AddressState address={address} />}
        {...(address.name === null ? {} : { description: address.name })}
        actions={<Actions address={address} onOpen={setOpen} />}
      />
      <div className="flex flex-col gap-4">
        {address.enabled ? null : (
          <Notice tone="info" title="This address is off">
            Mail to it is rejected and nobody can sign in. Existing mail is kept.
          </Notice>
        )}
        <Tabs
          label="Address sections"
          value={tab}
          onValue={change}
          asksBeforeLeaving
          tabs={tabs.map(({ value, label, Content }) => ({ value, label, content: <Content address={address} /> }))}
        />
      </div>
      <PasswordDialog address={open === 'password' ? address : undefined} onClose={close} />
      <DeleteAddress
        address={open === 'delete' ? address : undefined}
        onClose={close}
        onDeleted={() => navigateTo(`/addresses?domain=${address.domain_id}`)}
      />
    </>
  )
}

const Actions = ({ address, onOpen }: { address: Address; onOpen: (open: Open) => void }) => {
  const change = useAddressChange()
  const navigateTo = useNavigateTo()
  return (
    <>
      <CopyButton size="md" text={address.email} label="Copy address" />
      <a href="/webmail/sign-in" target="_blank" rel="noreferrer" className={buttonClass()}>
        <SquareArrowOutUpRight aria-hidden />
        Webmail
      </a>
      <Menu trigger={<IconButton variant="secondary" label="More actions" icon={<Ellipsis />} />}>
        <MenuItem icon={<KeyRound />} onSelect={() => onOpen('password')}>
          Set password
        </MenuItem>
        <MenuItem
          icon={address.enabled ? <PowerOff /> : <Power />}
          onSelect={() => change.mutate({ address, changes: { enabled: !address.enabled } })}
        >
          {address.enabled ? 'Turn off' : 'Turn on'}
        </MenuItem>
        <MenuItem icon={<FolderInput />} onSelect={() => navigateTo(`/transfers?new=1&address=${address.id}`)}>
          Transfer mail to it
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash2 />} danger onSelect={() => onOpen('delete')}>
          Delete address
        </MenuItem>
      </Menu>
    </>
  )
}

/** The open tab. */
const useTab = () => {
  const url = useUrlState()
  const tab = tabs.find(({ value }) => value === url.get('tab'))?.value ?? 'overview'
  const change = (next: TabName) => {
    // Filters and open lines are of the tab that is left
    const gone = Object.fromEntries(['q', 'kind', 'direction', 'event', 'new', 'program'].map((name) => [name, '']))
    url.set({ ...gone, tab: next === 'overview' ? '' : next })
  }
  return { tab, change }
}
