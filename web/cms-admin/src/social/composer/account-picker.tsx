import { Button } from '@stoa/ui/button/button.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { FieldError } from '@stoa/ui/form/field.tsx'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Check, Link2 } from 'lucide-react'
import { useId } from 'react'
import { may } from '../../allowed.tsx'
import { meQuery } from '../../queries.ts'
import { NetworkMark } from '../network-mark.tsx'
import { ACCOUNTS_PATH } from '../paths.ts'
import type { PickableAccount, SocialNetwork } from '../wire.ts'
import { unusableReason } from './draft.ts'

type AccountPickerProps = {
  networks: readonly SocialNetwork[]
  chosen: readonly string[]
  /** Accounts that already have the post: they cannot be deselected. */
  locked: readonly string[]
  error: string | undefined
  onChosen: (ids: readonly string[]) => void
}

/** The accounts to post to, grouped by network; a disabled one says why. */
export const AccountPicker = ({ networks, chosen, locked, error, onChosen }: AccountPickerProps) => {
  const id = useId()
  const shown = networks.filter(({ accounts }) => accounts.length > 0)
  const usable = shown.flatMap((network) =>
    network.accounts.filter((account) => unusableReason(network, account) === undefined).map((account) => account.id),
  )
  if (shown.length === 0) return <NoAccounts />
  const toggle = (account: string) =>
    onChosen(chosen.includes(account) ? chosen.filter((one) => one !== account) : [...chosen, account])
  const hasAll = usable.every((one) => chosen.includes(one))
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined} className="flex min-w-0 flex-col gap-2">
      <legend className="sr-only">Accounts</legend>
      <div className="flex items-center justify-between gap-3">
        <span aria-hidden className="font-medium text-ink text-sm">
          Accounts
        </span>
        {usable.length > 2 ? (
          <Button
            size="sm"
            variant="ghost"
            onClick={() => onChosen(hasAll ? locked : [...new Set([...chosen, ...usable])])}
          >
            {hasAll ? 'Clear' : 'Select all'}
          </Button>
        ) : null}
      </div>
      <ul className="flex flex-wrap gap-2">
        {shown.flatMap((network) =>
          network.accounts.map((account) => (
            <li key={account.id} className="min-w-0 max-w-full">
              <AccountChip
                network={network}
                account={account}
                isChosen={chosen.includes(account.id)}
                isLocked={locked.includes(account.id)}
                onToggle={() => toggle(account.id)}
              />
            </li>
          )),
        )}
      </ul>
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
    </fieldset>
  )
}

type AccountChipProps = {
  network: SocialNetwork
  account: PickableAccount
  isChosen: boolean
  isLocked: boolean
  onToggle: () => void
}

const AccountChip = ({ network, account, isChosen, isLocked, onToggle }: AccountChipProps) => {
  const reason = unusableReason(network, account)
  // A selected account can always be deselected
  const isOff = isLocked || (reason !== undefined && !isChosen)
  const note = isLocked ? 'Already posted' : (reason ?? account.handle ?? network.label)
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      aria-disabled={isOff || undefined}
      title={reason}
      onClick={() => {
        if (!isOff) onToggle()
      }}
      className={cx(
        'flex min-w-0 max-w-full items-center gap-2 rounded-lg border py-1.5 pr-3 pl-1.5 text-left transition-colors touch:py-2.5',
        isChosen ? 'border-accent-line bg-accent-soft' : 'border-line bg-surface hover:bg-hover',
        isOff && 'cursor-not-allowed bg-canvas! opacity-75',
      )}
    >
      <span className="relative shrink-0">
        <NetworkMark network={network.network} size="md" className={isChosen ? 'text-accent-ink' : undefined} />
        {isChosen ? (
          <span className="absolute -right-1 -bottom-1 flex size-3.5 items-center justify-center rounded-full bg-accent text-on-accent">
            <Check aria-hidden strokeWidth={3.5} className="size-2.5" />
          </span>
        ) : null}
      </span>
      <span className="flex min-w-0 flex-col leading-none">
        <span className={cx('max-w-48 truncate text-sm', isOff ? 'text-muted' : 'text-ink')}>{account.name}</span>
        <span className={cx('max-w-48 truncate text-xs', reason === undefined ? 'text-faint' : 'text-draft-ink')}>
          {note}
        </span>
        <span className="sr-only">{network.label}</span>
      </span>
    </button>
  )
}

const NoAccounts = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  return (
    <EmptyState
      icon={<Link2 />}
      title="No accounts connected"
      className="rounded-lg border border-line-strong border-dashed py-8!"
      action={may(me, 'social.manage') ? <LinkButton to={ACCOUNTS_PATH}>Connect accounts</LinkButton> : undefined}
    >
      {may(me, 'social.manage')
        ? 'Connect an account to post to it.'
        : 'Ask an admin to connect an account, then choose it here.'}
    </EmptyState>
  )
}
