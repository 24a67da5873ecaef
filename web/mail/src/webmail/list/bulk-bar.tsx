import { IconButton } from '@stoa/ui/button/button.tsx'
import { Menu, MenuItem } from '@stoa/ui/layer/menu.tsx'
import { formatNumber } from '@stoa/ui/text/format.ts'
import {
  AlarmClock,
  Archive,
  Ellipsis,
  Flag,
  FlagOff,
  FolderInput,
  MailCheck,
  MailOpen,
  ShieldAlert,
  ShieldCheck,
  Tag,
  Trash2,
} from 'lucide-react'
import { LabelMenu } from '../actions/label-menu.tsx'
import { MoveMenu } from '../actions/move-menu.tsx'
import { SnoozeMenu } from '../actions/snooze-menu.tsx'
import type { Target } from '../actions/target.ts'
import { useIdsAhead } from './action-rows.ts'
import { archiveAction, flagAction, isForGood, isJunkPlace, junkAction, seenAction } from './list-actions.ts'
import { actionFilter } from './list-view.ts'
import type { MailList } from './use-mail-list.ts'
import type { RowWork } from './use-row-work.ts'

/** Numbers that leave room for the word behind them. */
const SHORT = 100

type BulkBarProps = { list: MailList; total: number; work: RowWork; onDelete: () => void }

/** Takes the place of the toolbar while rows are chosen. */
export const BulkBar = ({ list, total, work, onDelete }: BulkBarProps) => {
  const { chosen, place } = list
  const rows = chosen.isAll ? [] : work.rows()
  const ids = useIdsAhead(rows)
  const target: Target = chosen.isAll
    ? { query: actionFilter(list.base, list.view.narrow, chosen.before), total }
    : { ids }
  const run = (action: Parameters<RowWork['run']>[0]) => () => void work.run(action)
  const done = { target, onDone: work.leave }
  const isJunk = isJunkPlace(place)
  const count = chosen.count(total)
  const hasUnread = rows.some(({ flags }) => !flags.seen) || chosen.isAll
  return (
    <div role="toolbar" aria-label="Selected messages" className="@container flex min-w-0 flex-1 items-center gap-0.5">
      <span role="status" className="mr-auto min-w-0 truncate pr-1 font-medium text-ink text-sm tabular-nums">
        {formatNumber(count)}
        <span className={count < SHORT ? '@max-[18rem]:sr-only touch:@max-[24rem]:sr-only' : '@max-[24rem]:sr-only'}>
          {' '}
          selected
        </span>
      </span>
      <IconButton size="sm" label="Archive" shortcut="e" icon={<Archive />} onClick={run(archiveAction)} />
      <IconButton
        size="sm"
        label={isForGood(place) ? 'Delete permanently' : 'Delete'}
        shortcut="#"
        icon={<Trash2 />}
        onClick={onDelete}
      />
      <MoveMenu {...done} trigger={<IconButton size="sm" label="Move to…" shortcut="v" icon={<FolderInput />} />} />
      <LabelMenu
        target={target}
        {...keywordsOf(rows.map(({ keywords }) => keywords))}
        trigger={<IconButton size="sm" label="Label…" shortcut="l" icon={<Tag />} />}
      />
      <IconButton
        size="sm"
        label={hasUnread ? 'Mark as read' : 'Mark as unread'}
        shortcut={hasUnread ? 'shift+i' : 'shift+u'}
        icon={hasUnread ? <MailOpen /> : <MailCheck />}
        onClick={run(seenAction(hasUnread))}
      />
      <SnoozeMenu {...done} trigger={<IconButton size="sm" label="Snooze…" shortcut="z" icon={<AlarmClock />} />} />
      <Menu trigger={<IconButton size="sm" label="More" icon={<Ellipsis />} />}>
        <MenuItem icon={<MailOpen />} shortcut="shift+i" onSelect={run(seenAction(true))}>
          Mark as read
        </MenuItem>
        <MenuItem icon={<MailCheck />} shortcut="shift+u" onSelect={run(seenAction(false))}>
          Mark as unread
        </MenuItem>
        <MenuItem icon={<Flag />} shortcut="s" onSelect={run(flagAction(true))}>
          Flag
        </MenuItem>
        <MenuItem icon={<FlagOff />} onSelect={run(flagAction(false))}>
          Remove flag
        </MenuItem>
        <MenuItem icon={isJunk ? <ShieldCheck /> : <ShieldAlert />} shortcut="!" onSelect={run(junkAction(!isJunk))}>
          {isJunk ? 'Not junk' : 'Mark as junk'}
        </MenuItem>
      </Menu>
    </div>
  )
}

/** The keywords that all of the rows have, and those that only some have. */
export const keywordsOf = (
  rows: readonly (readonly string[])[],
): { keywords: readonly string[]; someKeywords: readonly string[] } => {
  const all = [...new Set(rows.flat())]
  const keywords = all.filter((keyword) => rows.every((row) => row.includes(keyword)))
  return { keywords, someKeywords: all.filter((keyword) => !keywords.includes(keyword)) }
}
