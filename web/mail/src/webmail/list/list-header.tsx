import type { MailboxSettings } from '@stoa/mail-model/mailbox-settings.ts'
import { Button, IconButton } from '@stoa/ui/button/button.tsx'
import { Checkbox } from '@stoa/ui/form/checkbox.tsx'
import { formatCount, formatNumber } from '@stoa/ui/text/format.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { placeName } from '../places.ts'
import { BulkBar } from './bulk-bar.tsx'
import { afterNewest, narrows } from './list-view.ts'
import type { MailList } from './use-mail-list.ts'
import type { RowWork } from './use-row-work.ts'
import { NarrowMenu, ViewMenu } from './view-menu.tsx'

type ListHeaderProps = {
  list: MailList
  total: number | undefined
  settings: MailboxSettings
  work: RowWork
  /** Chooses all rows of the pages in sight, or none. */
  onPage: (isChosen: boolean) => void
  onDelete: () => void
  onRefresh: () => Promise<unknown>
}

/** Above the rows: what the list is of, or what can be done to those that are chosen. */
export const ListHeader = ({ list, total = 0, settings, work, onPage, onDelete, onRefresh }: ListHeaderProps) => {
  const count = list.chosen.count(total)
  const [isBusy, setBusy] = useState(false)
  return (
    <header className="flex h-11 shrink-0 items-center gap-1 border-line border-b bg-surface pr-2">
      <span className={cx('flex shrink-0 justify-center', settings.density === 'compact' ? 'w-9 touch:w-11' : 'w-13')}>
        <Checkbox
          aria-label={count > 0 ? 'Clear selection' : 'Select all messages on this page'}
          checked={count > 0 && count === total}
          indeterminate={count > 0 && count < total}
          disabled={total === 0}
          onChecked={() => onPage(count === 0)}
        />
      </span>
      {count > 0 ? (
        <BulkBar list={list} total={total} work={work} onDelete={onDelete} />
      ) : (
        <>
          <Heading list={list} total={total} />
          <IconButton
            size="sm"
            label="Check for new mail"
            icon={<RotateCw />}
            loading={isBusy}
            onClick={() => {
              setBusy(true)
              void onRefresh().finally(() => setBusy(false))
            }}
            className="phone:hidden"
          />
          <NarrowMenu view={list.view} />
          <ViewMenu view={list.view} settings={settings} />
        </>
      )}
    </header>
  )
}

const Heading = ({ list, total }: { list: MailList; total: number }) => {
  const narrow = narrows.find(({ value }) => value === list.view.narrow && value !== '')
  const isSearch = list.q.trim() !== ''
  return (
    <div className="flex min-w-0 flex-1 items-baseline gap-2">
      <h1 className="min-w-0 truncate font-semibold text-ink text-md">
        {isSearch ? 'Search results' : placeName(list.place)}
      </h1>
      <span role="status" className="shrink-0 text-muted text-xs tabular-nums">
        {list.pages.total === undefined ? '' : isSearch ? `${formatNumber(total)} found` : formatNumber(total)}
        {narrow ? ` · ${narrow.label.toLowerCase()}` : ''}
      </span>
    </div>
  )
}

type AllNoticeProps = { list: MailList; total: number }

/** After several were chosen: everything that the list has can be. Below the rows, which stay where they are. */
export const AllNotice = ({ list, total }: AllNoticeProps) => {
  const { chosen, view } = list
  if (!chosen.isAll && (chosen.rows.size < 2 || chosen.rows.size >= total)) return null
  const [one, many] = view.conversations ? ['conversation', 'conversations'] : ['message', 'messages']
  const where = list.q.trim() === '' ? `in ${placeName(list.place)}` : 'that match this search'
  return (
    <div
      data-all-notice
      className="flex shrink-0 flex-wrap items-center justify-center gap-x-2 border-line border-t bg-accent-soft px-3 py-1.5 text-center text-ink text-xs"
    >
      {chosen.isAll ? (
        <>
          <span>
            All {formatCount(total, one, many)} {where} are selected.
          </span>
          <Button size="sm" variant="ghost" onClick={chosen.clear}>
            Clear selection
          </Button>
        </>
      ) : (
        <>
          <span>{formatCount(chosen.rows.size, one, many)} selected.</span>
          <Button
            size="sm"
            variant="ghost"
            className="text-accent-ink!"
            onClick={() => chosen.chooseAll(afterNewest(view.order, list.pages.at(0), new Date()))}
          >
            Select all {formatNumber(total)} {where}
          </Button>
        </>
      )}
    </div>
  )
}
