import { Button } from '@stoa/ui/button/button.tsx'
import { Avatar } from '@stoa/ui/display/avatar.tsx'
import { Badge, Status } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { QueryBoundary } from '@stoa/ui/feedback/query-boundary.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { AppLink, LinkButton } from '@stoa/ui/navigation/link.tsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ExternalLink, Link2, Settings } from 'lucide-react'
import { useState } from 'react'
import { NetworkMark } from '../network-mark.tsx'
import { ACCOUNTS_PATH, appPath } from '../paths.ts'
import { accountsQuery, disconnectAccount, socialKey } from '../queries.ts'
import { SocialFrame } from '../social-frame.tsx'
import { useConnect } from '../use-connect.ts'
import type { NetworkAccounts, SocialAccount } from '../wire.ts'

/** Every network with the accounts that posts can go to. */
export const AccountsScreen = () => {
  const query = useQuery(accountsQuery)
  const { connecting, connect } = useConnect()
  const [leaving, setLeaving] = useState<SocialAccount>()
  const queryClient = useQueryClient()
  return (
    <SocialFrame current={ACCOUNTS_PATH}>
      <QueryBoundary query={query} name="The accounts">
        {({ items }) => (
          <ul className="flex min-w-0 flex-col divide-y divide-line overflow-clip rounded-xl border border-line bg-surface shadow-sm">
            {items.map((network) => (
              <NetworkRow
                key={network.network}
                network={network}
                isConnecting={connecting === network.network}
                onConnect={() => connect(network.network)}
                onDisconnect={setLeaving}
              />
            ))}
          </ul>
        )}
      </QueryBoundary>
      <ConfirmDialog
        open={leaving !== undefined}
        onOpenChange={() => setLeaving(undefined)}
        title={`Disconnect ${leaving?.name ?? ''}?`}
        consequence="Posts scheduled for this account will fail. What has already been posted stays on the network."
        confirmLabel="Disconnect"
        onConfirm={async () => {
          if (!leaving) return
          await disconnectAccount(leaving.id)
          toast({ tone: 'success', title: `${leaving.name} disconnected` })
          await queryClient.invalidateQueries({ queryKey: socialKey })
        }}
      />
    </SocialFrame>
  )
}

type NetworkRowProps = {
  network: NetworkAccounts
  isConnecting: boolean
  onConnect: () => void
  onDisconnect: (account: SocialAccount) => void
}

const NetworkRow = ({ network, isConnecting, onConnect, onDisconnect }: NetworkRowProps) => {
  const shown = network.accounts.filter(({ status }) => status !== 'disconnected')
  return (
    <li className="flex min-w-0 flex-col">
      <div className="flex min-w-0 flex-wrap items-center gap-3 px-5 py-3">
        <NetworkMark network={network.network} size="md" />
        <h2 className="min-w-0 flex-1 font-medium text-ink text-sm">
          <AppLink to={appPath(network.network)} className="hover:underline">
            {network.label}
          </AppLink>
        </h2>
        {network.appReady ? (
          <Button
            size="sm"
            icon={<Link2 />}
            loading={isConnecting}
            aria-label={`${shown.length === 0 ? 'Connect' : 'Connect another'}: ${network.label}`}
            onClick={onConnect}
          >
            {shown.length === 0 ? 'Connect' : 'Connect another'}
          </Button>
        ) : (
          <LinkButton
            to={appPath(network.network)}
            size="sm"
            variant="ghost"
            icon={<Settings aria-hidden />}
            aria-label={`Set up app: ${network.label}`}
          >
            Set up app
          </LinkButton>
        )}
      </div>
      {shown.length > 0 ? (
        <ul className="flex min-w-0 flex-col gap-3 px-5 pb-4 desk:pl-15">
          {shown.map((account) => (
            <AccountRow
              key={account.id}
              account={account}
              canReconnect={network.appReady}
              isConnecting={isConnecting}
              onConnect={onConnect}
              onDisconnect={() => onDisconnect(account)}
            />
          ))}
        </ul>
      ) : null}
    </li>
  )
}

type AccountRowProps = {
  account: SocialAccount
  canReconnect: boolean
  isConnecting: boolean
  onConnect: () => void
  onDisconnect: () => void
}

const AccountRow = ({ account, canReconnect, isConnecting, onConnect, onDisconnect }: AccountRowProps) => {
  const needsCare = account.status === 'needs_reconnect' || account.missingScopes.length > 0
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-2 text-sm">
      <Avatar name={account.name} person={account.id} />
      <span className="flex min-w-0 flex-1 basis-44 flex-col">
        <span className="flex min-w-0 items-center gap-1.5">
          <span className="truncate text-ink">{account.name}</span>
          {account.profileUrl === null ? null : (
            <a
              href={account.profileUrl}
              target="_blank"
              rel="noreferrer"
              aria-label={`Open ${account.name} (opens in a new tab)`}
              className="shrink-0 text-faint hover:text-ink"
            >
              <ExternalLink aria-hidden className="size-3.5" />
            </a>
          )}
        </span>
        <span className="truncate text-faint text-xs">
          {[account.handle, kinds[account.kind]].filter(Boolean).join(' · ')} · connected{' '}
          <RelativeTime at={account.connectedAt} />
        </span>
        <Trouble account={account} />
      </span>
      {account.status === 'active' ? (
        <Status tone={needsCare ? 'draft' : 'live'}>{needsCare ? 'Limited' : 'Connected'}</Status>
      ) : (
        <Status tone="failed">Needs reconnecting</Status>
      )}
      {needsCare && canReconnect ? (
        <Button
          size="sm"
          variant="primary"
          loading={isConnecting}
          aria-label={`Reconnect ${account.name}`}
          onClick={onConnect}
        >
          Reconnect
        </Button>
      ) : null}
      <Button size="sm" variant="ghost" aria-label={`Disconnect ${account.name}`} onClick={onDisconnect}>
        Disconnect
      </Button>
    </li>
  )
}

const kinds: Record<SocialAccount['kind'], string> = {
  page: 'Page',
  profile: 'Profile',
  organization: 'Organization',
  channel: 'Channel',
}

/** Why posts to it may not go out. */
const Trouble = ({ account }: { account: SocialAccount }) => (
  <span className="flex min-w-0 flex-wrap items-center gap-1.5 text-draft-ink text-xs">
    {account.statusReason === null ? null : <span className="wrap-anywhere">{account.statusReason}</span>}
    {account.missingScopes.length > 0 ? <span>Missing permissions:</span> : null}
    {account.missingScopes.map((scope) => (
      <Badge key={scope} tone="draft">
        {scope}
      </Badge>
    ))}
    {account.pausedUntil !== null && Date.parse(account.pausedUntil) > Date.now() ? (
      <span>
        Paused by the network, resumes <RelativeTime at={account.pausedUntil} />
      </span>
    ) : null}
  </span>
)
