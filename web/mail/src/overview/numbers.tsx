import type { Overview } from '@stoa/mail-model/overview.ts'
import { Meter } from '@stoa/ui/feedback/meter.tsx'
import { AppLink } from '@stoa/ui/navigation/link.tsx'
import { formatBytes, formatNumber } from '@stoa/ui/text/format.ts'
import { formatStorage } from '../billing/storage.ts'

/** The few numbers that people look for first, each leading to its screen. */
export const Numbers = ({ overview: { counts, storage, sending } }: { overview: Overview }) => (
  <ul aria-label="Summary" className="grid grid-cols-2 gap-3 desk:grid-cols-4">
    <Tile
      to="/domains"
      label="Domains"
      value={formatNumber(counts.domains)}
      detail={`${formatNumber(counts.domains_verified)} verified`}
    />
    <Tile
      to="/addresses"
      label="Addresses"
      value={formatNumber(counts.addresses)}
      detail={`${formatNumber(counts.filters)} ${counts.filters === 1 ? 'filter' : 'filters'}`}
    />
    <Tile
      to="/billing"
      label="Storage"
      value={storage.limit_bytes === null ? formatBytes(storage.used_bytes) : formatStorage(storage.used_bytes)}
      detail={storage.limit_bytes === null ? 'No limit' : `of ${formatStorage(storage.limit_bytes)}`}
      meter={{ value: storage.used_bytes, max: storage.limit_bytes }}
    />
    <Tile
      to="/emails"
      label="Sent today"
      value={formatNumber(sending.today)}
      detail={
        sending.daily_limit === null
          ? `${formatNumber(sending.month)} this month`
          : `of ${formatNumber(sending.daily_limit)}`
      }
      meter={{ value: sending.today, max: sending.daily_limit }}
    />
  </ul>
)

type TileProps = {
  to: string
  label: string
  value: string
  detail: string
  meter?: { value: number; max: number | null }
}

const Tile = ({ to, label, value, detail, meter }: TileProps) => (
  <li className="min-w-0">
    <AppLink
      to={to}
      className="flex h-full min-w-0 flex-col gap-1 rounded-xl border border-line bg-surface px-4 py-3 shadow-sm transition-colors hover:border-line-strong"
    >
      <span className="text-muted text-xs">{label}</span>
      <span className="truncate font-semibold text-ink text-lg tabular-nums">{value}</span>
      <span className="truncate text-faint text-xs tabular-nums">{detail}</span>
      {meter && meter.max !== null ? (
        <Meter label={label} value={meter.value} max={meter.max} text={`${value} ${detail}`} className="mt-1" />
      ) : null}
    </AppLink>
  </li>
)
